/**
 * Going back to a moment, and undoing one change: the difference first, with warnings or why it is refused, then one key applies it.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { queries, readAgain } from "../../api/queries.ts";
import { Refused } from "../../api/refused.ts";
import { zoneOptions } from "../../api/zone.ts";
import { useConsent } from "../../difference/confirm-removal.tsx";
import type { DifferenceLine } from "../../difference/difference.ts";
import { DifferenceList } from "../../difference/difference-list.tsx";
import { removalWords } from "../../difference/loss.ts";
import { announce, announceResult } from "../../parts/control/announce.tsx";
import { Button } from "../../parts/control/button.tsx";
import { Actions, Dialog } from "../../parts/control/dialog.tsx";
import { Field, Fields } from "../../parts/control/field.tsx";
import { onControlEnter } from "../../parts/control/keyboard.ts";
import { Loading } from "../../parts/page/page.tsx";
import { Refusal } from "../../parts/page/refusal.tsx";
import { Exact } from "../../parts/text/time.tsx";
import { demandText, useDemandedReview } from "../../parts/zone/review-policy.tsx";
import type { Author } from "../moment/moment.ts";
import { ChangesInTheWay } from "./changes-in-the-way.tsx";
import { apply, type Goal, isStale, type Preview, preview, propose } from "./going-back-queries.ts";

interface RevertZoneProps {
  readonly zone: string;
  /** The change that left the zone as it is to be again. */
  readonly moment: Author;
  readonly onClose: () => void;
}

export function RevertZone({ zone, moment: { id, serial, createdAt }, onClose }: RevertZoneProps) {
  return (
    <GoingBack
      title={`Go back to ${serial}`}
      goal={{ zone, to: { changeId: id } }}
      empty="The zone is now as it was then: nothing would change."
      suggestedNote={`back to ${serial}`}
      onClose={onClose}
    >
      <p>
        One change makes the zone what it was <Exact time={createdAt} />. Its history stays, and its serial goes on.
      </p>
    </GoingBack>
  );
}

interface UndoChangeProps {
  readonly zone: string;
  readonly change: Pick<Author, "id" | "serial">;
  /** What the change did; undefined where that is not all here. */
  readonly lines: readonly DifferenceLine[] | undefined;
  readonly onClose: () => void;
}

export function UndoChange({ zone, change: { id, serial }, lines, onClose }: UndoChangeProps) {
  return (
    <GoingBack
      title={`Undo ${serial}`}
      goal={{ zone, undone: id }}
      empty="Everything is as it was before the change already: nothing is left to be undone."
      suggestedNote={`undo of ${serial}`}
      refused={(error) => <ChangesInTheWay zone={zone} id={id} lines={lines} error={error} />}
      onClose={onClose}
    >
      <p>What the change did is undone, by a change of its own. What came after it stays.</p>
    </GoingBack>
  );
}

interface GoingBackProps {
  readonly title: string;
  readonly goal: Goal;
  /** What is said where nothing would change. */
  readonly empty: string;
  readonly suggestedNote: string;
  /** What is shown of a refusal; undefined for one that is like any other. */
  readonly refused?: (error: Refused) => ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function GoingBack({ title, goal, empty, suggestedNote, refused, onClose, children }: GoingBackProps) {
  const navigate = useNavigate();
  const [note, setNote] = useState(suggestedNote);
  const previewed = useQuery({
    queryKey: ["going-back", goal],
    queryFn: ({ signal }) => preview(goal, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = previewed;
  const failed = (error: Error) => {
    announce("Nothing was changed.", "assertive");
    // It may be that the zone demands a review since.
    void queries.invalidateQueries(zoneOptions(goal.zone));
    if (isStale(error)) void previewed.refetch();
  };
  const { demanded, isReviewed } = useDemandedReview(goal.zone);
  const consent = useConsent(data?.loss?.isLarge && !isReviewed ? removalWords(data.loss) : undefined);
  const proposal = useMutation({
    mutationFn: (shown: Preview) => propose(goal, shown, note),
    onSuccess: async (set) => {
      announceResult(set === undefined ? "The zone is like this already." : "The change set is created.");
      readAgain("change-sets");
      onClose();
      if (set !== undefined) await navigate({ to: "/changes/$change", params: { change: set } });
    },
    onError: failed,
  });
  const application = useMutation({
    mutationFn: (shown: Preview) => apply(goal, shown, note),
    onSuccess: (serial) => {
      announceResult(serial === undefined ? "The zone was like this already." : `Committed as ${serial}.`);
      readAgain("zone", "history", "change", "zones", "zone-counts");
      onClose();
      void navigate({ to: "/zones/$zone/history", params: { zone: goal.zone } });
    },
    onError: failed,
  });
  const sending = isReviewed ? proposal : application;
  const canApply = data !== undefined && data.lines.length > 0 && !previewed.isFetching && consent.isGiven;
  const submit = () => {
    if (canApply && !sending.isPending) sending.mutate(data);
    else if (!consent.isGiven) consent.demand();
  };
  const content = useRef<HTMLDivElement>(null);
  const isThere = data !== undefined;
  // The dialog opens before there is a difference.
  useEffect(() => {
    if (isThere) content.current?.querySelector<HTMLElement>("[data-first]")?.focus();
  }, [isThere]);
  const refusal = sending.error ?? application.error;
  const error = previewed.error ?? (isStale(refusal) ? null : refusal);
  return (
    <Dialog title={title} width="wide" onClose={onClose} closable={!sending.isPending}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter works wherever the focus is in the dialog */}
      <div ref={content} onKeyDown={onControlEnter(submit)}>
        <Fields>
          {children}
          {previewed.isPending && <Loading what="Asking the service for the difference…" />}
          {isStale(refusal) && (
            <p role="alert">
              ⚠ Somebody changed the zone meanwhile, so that nothing was applied. This is the difference now.
            </p>
          )}
          {error && <RefusedReturn error={error} refused={refused} />}
          {isReviewed && <p>{demandText(goal.zone, demanded)} A change set of its own is made of it.</p>}
          {data && !previewed.error && (
            <>
              {!data.isWhole && <p>The first 1,000 RRsets of the difference are shown.</p>}
              <DifferenceList lines={data.lines} empty={empty} />
              {data.notices.map(({ message }) => (
                <p key={message}>⚠ {message}</p>
              ))}
              {consent.question}
              {data.lines.length > 0 && (
                <Field label="Note, for the history">
                  <input value={note} maxLength={500} onChange={(event) => setNote(event.target.value)} />
                </Field>
              )}
            </>
          )}
        </Fields>
        <Actions>
          <Button hint="Esc" onClick={onClose} disabled={sending.isPending} data-first={canApply ? undefined : true}>
            {data?.lines.length === 0 ? "Close" : "Back"}
          </Button>
          {data && !previewed.error && data.lines.length > 0 && (
            <Button
              kind="primary"
              hint="Ctrl+Enter"
              busy={sending.isPending}
              aria-disabled={!canApply || undefined}
              onClick={submit}
              data-first
            >
              {isReviewed ? "Propose" : "Apply"}
            </Button>
          )}
        </Actions>
      </div>
    </Dialog>
  );
}

interface RefusedReturnProps {
  readonly error: Error;
  readonly refused: GoingBackProps["refused"];
}

/** Why it is refused: every reason, where there are several. */
function RefusedReturn({ error, refused }: RefusedReturnProps) {
  if (!(error instanceof Refused)) return <Refusal error={error} />;
  const special = error.code === "CHANGE_CONFLICT" ? refused?.(error) : undefined;
  if (special) return special;
  return error.reasons.length < 2 ? (
    <Refusal error={error} />
  ) : (
    <div role="alert">
      <p>Refused; nothing was changed.</p>
      <ul>
        {error.reasons.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  );
}
