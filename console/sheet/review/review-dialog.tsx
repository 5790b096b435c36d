/** The review: the difference as the service says it, one key to apply it, and then each server's progress in the same place. */
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { StageZoneInput } from "../../api/generated/graphql.ts";
import { queries } from "../../api/queries.ts";
import { type Publication, zoneOptions } from "../../api/zone.ts";
import { Propose } from "../../changesets/propose.tsx";
import { DifferenceHead } from "../../difference/arrangement.tsx";
import { useConsent } from "../../difference/confirm-removal.tsx";
import { DifferenceList } from "../../difference/difference-list.tsx";
import { removalWords } from "../../difference/loss.ts";
import { announce, dismissWarnings } from "../../parts/control/announce.tsx";
import { Button } from "../../parts/control/button.tsx";
import { Actions, Dialog } from "../../parts/control/dialog.tsx";
import { onControlEnter } from "../../parts/control/keyboard.ts";
import { counted } from "../../parts/text/counted.ts";
import { demandText, useDemandedReview } from "../../parts/zone/review-policy.tsx";
import type { PlacedReasons } from "../apply/input.ts";
import type { Previewed, Review } from "../apply/review.ts";
import { countStaged } from "../draft/draft.ts";
import type { TakenBack } from "../draft/inverse.ts";
import type { SheetModel } from "../model/sheet-model.ts";
import { CopyAs } from "./copy-as.tsx";
import { Progress } from "./progress.tsx";
import css from "./review.module.css";

interface Props {
  readonly model: SheetModel;
  readonly publication: Publication | undefined;
  onUndo(change: TakenBack): void;
  onClosed(): void;
  /** Leads to a row, after it was closed. */
  onShow(key: string): void;
}

/** Why there is nothing to apply, as is said when it is asked for all the same. */
const blocks = {
  asking: "The difference is still being read.",
  applying: "It is being applied.",
  lost: "The answer was lost. What happened is being found out.",
  refused: "Refused: correct the rows that say why first.",
  committed: "It is committed already.",
} as const;

function titleOf(review: Review, zone: string): string {
  if (review.phase === "committed") return `${zone}: committed`;
  if ("previewed" in review) return `Review ${counted(countStaged(review.previewed.draft), "change")} of ${zone}`;
  return `Review ${counted(countStaged(review.draft), "change")} of ${zone}`;
}

export function ReviewDialog({ model, publication, onUndo, onClosed, onShow }: Props) {
  const [isProposing, setProposing] = useState(false);
  const review = model.review as Review;
  const { phase } = review;
  const close = () => {
    model.closeReview();
    onClosed();
  };
  const previewed = "previewed" in review ? review.previewed : undefined;
  const { demanded, isReviewed } = useDemandedReview(model.zone);
  const loss = previewed?.result.loss;
  const consent = useConsent(loss?.isLarge && !isReviewed ? removalWords(loss) : undefined);
  const canApply = phase === "ready" && consent.isGiven;
  const propose = () => setProposing(true);
  const apply = () => {
    if (isReviewed && phase === "ready") propose();
    else if (canApply) void model.apply();
    else if (phase === "ready") consent.demand();
    else if (phase === "unanswered") void model.openReview();
    else announce(blocks[phase], "assertive");
  };
  useEffect(() => {
    if (phase === "refused") {
      announce("Refused. Nothing was changed.", "assertive");
      // It may be that the zone demands a review since.
      void queries.invalidateQueries(zoneOptions(model.zone));
    }
    if (phase === "committed") announce("Committed.");
  }, [phase, model.zone]);

  const content = useRef<HTMLDivElement>(null);
  // After the dialog was opened, and again when another button is what comes next; with it, so that no key is lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons differ with the phase
  useLayoutEffect(() => content.current?.querySelector<HTMLElement>("[data-first]")?.focus(), [phase, isReviewed]);

  return (
    <Dialog title={titleOf(review, model.zone)} width="wide" onClose={close} closable={phase !== "applying"}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter works wherever the focus is in the dialog */}
      <div ref={content} className={css.review} onKeyDown={onControlEnter(apply)}>
        {phase === "committed" ? (
          <>
            <DifferenceList lines={review.committed.previewed.lines} />
            <Progress committed={review.committed} publication={publication} onUndo={onUndo} onClose={close} />
          </>
        ) : (
          <>
            <Body
              review={review}
              model={model}
              onShow={(key) => {
                model.closeReview();
                onShow(key);
              }}
            />
            {isReviewed && phase === "ready" && (
              <p>
                {demandText(model.zone, demanded)} Propose the edits: they stay staged until they are in a change set.
              </p>
            )}
            {consent.question}
            {previewed && (
              <label className={css.noteField}>
                <span>Note</span>
                <input
                  value={model.note}
                  maxLength={500}
                  placeholder="why, for the history"
                  onChange={({ currentTarget }) => model.writeNote(currentTarget.value)}
                />
              </label>
            )}
            {previewed && <CopyAs zone={model.zone} lines={previewed.lines} input={previewed.input.input} />}
            <Actions>
              <Button hint="Esc" onClick={close} disabled={phase === "applying"}>
                Back
              </Button>
              {(phase === "unanswered" || phase === "asking") && (
                <Button kind="primary" busy={phase === "asking"} onClick={() => void model.openReview()}>
                  Try again
                </Button>
              )}
              {phase === "ready" && (
                <Button
                  onClick={propose}
                  {...(isReviewed && { kind: "primary", hint: "Ctrl+Enter", "data-first": true })}
                >
                  Propose…
                </Button>
              )}
              {previewed && !(isReviewed && phase === "ready") && (
                <Button
                  kind="primary"
                  hint="Ctrl+Enter"
                  busy={phase === "applying"}
                  aria-disabled={!canApply || undefined}
                  onClick={apply}
                  data-first
                >
                  Apply
                </Button>
              )}
            </Actions>
          </>
        )}
      </div>
      {isProposing && phase === "ready" && (
        <Propose
          edits={editsOf(review.previewed)}
          title={model.note}
          demanded={demanded}
          onProposed={() => {
            model.proposed(review.previewed.draft);
            dismissWarnings();
          }}
          onOutdated={() => void model.openAfterChange()}
          onClose={() => setProposing(false)}
        />
      )}
    </Dialog>
  );
}

/** The previewed edits as the input of a change set. */
function editsOf({ input: { input } }: Previewed): StageZoneInput {
  const { remove, update, add, ...rest } = input;
  return { edit: { ...rest, remove: [...remove], update: [...update], add: [...add] } };
}

interface BodyProps {
  readonly review: Review;
  readonly model: SheetModel;
  readonly onShow: Props["onShow"];
}

function Body({ review, model, onShow }: BodyProps) {
  if (review.phase === "asking") return <p className={css.note}>Asking the service for the difference…</p>;
  if (review.phase === "unanswered")
    return <p className={css.lost}>No answer. Your changes are kept here, and nothing was sent to be applied.</p>;
  if (review.phase === "refused") {
    const { placed, message } = review;
    const sentences = placed.rest.length > 0 ? placed.rest : placed.rows.size > 0 ? [] : [message];
    return (
      <div role="alert" className={css.refused}>
        <p>
          <b>Refused. Nothing was changed.</b>{" "}
          {placed.rows.size > 0 && `${placed.rows.size} ${placed.rows.size === 1 ? "row says" : "rows say"} why.`}
        </p>
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        {[...placed.rows].slice(0, 20).map(([key, [problem]], at) => (
          <p key={key}>
            <Button onClick={() => onShow(key)} data-first={at === 0 || undefined}>
              {nameOf(model, key)}
            </Button>{" "}
            {problem?.message}
          </p>
        ))}
      </div>
    );
  }
  if (review.phase === "committed") return null;
  const { previewed } = review;
  return (
    <>
      {review.phase === "lost" ? (
        <p className={css.lost} role="alert">
          The answer was lost. Whether the change was committed is found out as soon as the service answers; it cannot
          be applied twice.
        </p>
      ) : (
        review.note && <p className={css.lost}>{review.note}</p>
      )}
      <DifferenceHead isSwitched={previewed.lines.length > 0}>
        <p className={css.serials}>
          <code>{previewed.input.input.expectedSerial}</code> →{" "}
          <code>
            {previewed.result.serial === previewed.input.input.expectedSerial ? "unchanged" : previewed.result.serial}
          </code>
        </p>
      </DifferenceHead>
      <DifferenceList lines={previewed.lines} />
      {warningsOf(previewed.warnings, model).map((warning) => (
        <p key={warning} className={css.warning}>
          <span aria-hidden="true">⚠</span> {warning}
        </p>
      ))}
    </>
  );
}

/** The warnings, each with the row that it is about. */
function warningsOf({ rows, rest }: PlacedReasons, model: SheetModel): string[] {
  const placed = [...rows].flatMap(([key, reasons]) =>
    reasons.map(({ message }) => `${nameOf(model, key)}: ${message}`),
  );
  return [...new Set([...placed, ...rest])];
}

/** The owner and type of a staged row. */
function nameOf(model: SheetModel, key: string): string {
  const edit = model.draft.edits.get(key);
  const { owner, type } = !edit ? { owner: "", type: "" } : edit.kind === "remove" ? edit.before : edit.values;
  return `${owner || "@"} ${type}`;
}
