/** The page of a change as draft: what the edits of a sheet would do, as the service says it, and what applies them or asks for a review. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { queries, readAgain } from "../../api/queries.ts";
import { zoneOptions } from "../../api/zone.ts";
import { ChangePage, Detail, Pill, Section, titleOf } from "../../change/change-page.tsx";
import { rememberChange, ServerLine } from "../../change/on-servers.tsx";
import { useProposal } from "../../changesets/propose.tsx";
import { useConsent } from "../../difference/confirm-removal.tsx";
import {
  countsText,
  type DifferenceLine,
  type DifferenceRow,
  differenceOf,
  sidesOf,
} from "../../difference/difference.ts";
import { DifferenceHead, DifferenceList } from "../../difference/difference-list.tsx";
import { removalWords } from "../../difference/loss.ts";
import { announce, announceResult, dismissWarnings } from "../../parts/control/announce.tsx";
import { Button } from "../../parts/control/button.tsx";
import { Field, TextArea } from "../../parts/control/field.tsx";
import look from "../../parts/look.module.css";
import { Loading } from "../../parts/page/page.tsx";
import { counted } from "../../parts/text/counted.ts";
import { Ago } from "../../parts/text/time.tsx";
import { demandsReview, demandText, policyOf } from "../../parts/zone/review-policy.tsx";
import type { Previewed, Review } from "../apply/review.ts";
import { countStaged } from "../draft/draft.ts";
import type { SheetModel } from "../model/sheet-model.ts";
import { ttlWords } from "../records/row.ts";
import { CopyAs } from "./copy-as.tsx";

interface DraftPageProps {
  readonly model: SheetModel;
  readonly block: string | undefined;
  /** Leads back to the sheet, to a row where there is one. */
  onBack(key?: string): void;
  onApplied(id: string): void;
}

/** Why there is nothing to apply, as is said when it is asked for all the same. */
const blocks = {
  asking: "The difference is still being read.",
  applying: "It is being applied.",
  lost: "The answer was lost. What happened is being found out.",
  refused: "Correct the rows that say why first.",
  committed: "It is committed already.",
} as const;

export function DraftPage(props: DraftPageProps) {
  const { model, onBack } = props;
  const isProposed = useRef(false);
  useReview(props, isProposed);
  // The page around keeps it as it is.
  const { data: zone } = useQuery({ ...zoneOptions(model.zone), refetchOnMount: false });
  const name = zone?.zoneUnicode ?? model.zone;
  const demanded = policyOf(zone?.requiredApprovals);
  const isReviewed = demandsReview(demanded);
  const [isAsking, setAsking] = useState(false);
  const { review } = model;
  const phase = review?.phase ?? "asking";
  const previewed = review && "previewed" in review ? review.previewed : undefined;
  const refused = review?.phase === "refused" ? review.placed.rows : undefined;
  const [wrong] = refused?.keys() ?? [];
  const lines = previewed?.lines ?? (refused ? rightLines(model) : []);
  const proposal = useProposal({
    edits: isAsking && previewed ? { edit: previewed.input } : undefined,
    title: model.note,
    demanded,
    onProposed: () => {
      isProposed.current = true;
      if (previewed) model.proposed(previewed.draft);
      dismissWarnings();
    },
    onOutdated: () => void model.openAfterChange(),
  });
  const loss = previewed?.result.loss;
  const consent = useConsent(loss?.isLarge && !isReviewed && !isAsking ? removalWords(loss) : undefined);
  const { draft } = previewed ?? model;
  const count = counted(countStaged(draft), "edit");
  const isTakenBack = /^(Undo:|Restore) /.test(model.note);
  const send = () => {
    if (phase === "unanswered") void model.openReview();
    else if (phase !== "ready") announce(blocks[phase], "assertive");
    else if (isAsking) proposal.form.isPending || proposal.form.mutate();
    else if (isReviewed) setAsking(true);
    else if (consent.isGiven) void model.apply();
    else consent.demand();
  };
  const action = isReviewed ? "Ask for review…" : `Apply ${count}`;
  // Again when another button is what comes next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons differ with the phase
  useLayoutEffect(() => {
    const first = isAsking ? "form input" : "[data-first]";
    document.querySelector<HTMLElement>(`[data-draft] ${first}`)?.focus();
  }, [phase, isReviewed, isAsking]);
  const servers = zone?.publication?.secondaries ?? [];
  return (
    <ChangePage
      title={isTakenBack ? titleOf(model.note) : `Review ${count} of ${name}`}
      isWithin
      onBack={() => onBack()}
      facts={
        <>
          <Pill tone="you">draft</Pill>
          {draft.begun ? (
            <span>
              yours, begun <Ago time={draft.begun} />
            </span>
          ) : (
            <span>yours</span>
          )}
          <span>
            from <code>{previewed?.input.expectedSerial ?? model.records.serial}</code>
          </span>
        </>
      }
      aside={
        <>
          {previewed && <WhenApplied total={model.records.total} previewed={previewed} />}
          {servers.length > 0 && (
            <Section title="Goes to">
              {servers.map((server) => (
                <ServerLine key={server.name} {...server}>
                  {server.isJoining ? (
                    <small>not waited for</small>
                  ) : (
                    server.lastError && <small>{server.lastError}</small>
                  )}
                </ServerLine>
              ))}
            </Section>
          )}
          <Section title="Review">
            <p>{isReviewed ? demandText(model.zone, demanded) : `${name} may be changed without a review.`}</p>
          </Section>
        </>
      }
      bar={
        <>
          {consent.question}
          <Button kind="quiet" hint="Esc" onClick={() => onBack()} disabled={phase === "applying"}>
            Back
          </Button>
          <div className={`${look.line} ${look.end}`}>
            {refused && wrong !== undefined && (
              <>
                <b className={look.del}>
                  {counted(refused.size, "edit")} {refused.size === 1 ? "is" : "are"} wrong
                </b>
                <Button kind="primary" data-main onClick={() => onBack(wrong)}>
                  Go to it
                </Button>
              </>
            )}
            {phase === "ready" && !isReviewed && (
              <Button aria-pressed={isAsking} onClick={() => setAsking(!isAsking)}>
                {isAsking ? "Apply instead" : "Ask for review…"}
              </Button>
            )}
            {wrong === undefined && phase !== "asking" && (
              <Button
                kind="primary"
                hint="Ctrl Enter"
                data-main
                data-first
                busy={phase === "applying" || proposal.form.isPending}
                aria-disabled={(phase !== "unanswered" && (phase !== "ready" || !consent.isGiven)) || undefined}
                onClick={send}
              >
                {phase === "unanswered" ? "Try again" : isAsking ? proposal.action : action}
              </Button>
            )}
          </div>
        </>
      }
    >
      {review && <Outcome review={review} model={model} onShow={onBack} />}
      {(previewed || lines.length > 0) && (
        <>
          <DifferenceHead isSwitched={lines.length > 0}>
            <h2>{wrong === undefined ? name : "The other edits"}</h2>
            <code>{countsText(lines)}</code>
          </DifferenceHead>
          <DifferenceList lines={lines} />
        </>
      )}
      {previewed && (
        <>
          {warningsOf(previewed, model).map((warning) => (
            <p key={warning} className={look.message}>
              {warning}
            </p>
          ))}
          {isAsking ? (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                send();
              }}
            >
              {proposal.fields}
              {proposal.form.rest}
            </form>
          ) : (
            <Field label="What is this change?" hint="Optional; the history shows it.">
              <TextArea rows={2} maxLength={500} value={model.note} onChange={(text) => model.writeNote(text)} />
            </Field>
          )}
          <CopyAs zone={model.zone} lines={previewed.lines} input={previewed.input} />
        </>
      )}
    </ChangePage>
  );
}

/** Opens the review with the page, and leads away from it once there is nothing to review any more. */
function useReview(
  { model, block, onBack, onApplied }: DraftPageProps,
  isProposed: { readonly current: boolean },
): void {
  const { review } = model;
  const isRead = model.loading !== "reading";
  useEffect(() => {
    if (!isRead) return;
    model.isReviewShown = true;
    // A review that ended while its page was not shown is over.
    if (!model.review || model.review.phase === "committed") void model.openReview();
    return () => {
      model.isReviewShown = false;
      model.closeReview();
    };
  }, [model, isRead]);
  const isOver = isRead && !review && block !== undefined;
  const phase = review?.phase;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each outcome
  useEffect(() => {
    if (isOver && !isProposed.current) {
      announceResult(block);
      onBack();
    }
    if (phase === "refused") {
      announce(refusedWords(model.review), "assertive");
      // It may be that the zone demands a review since.
      void queries.invalidateQueries(zoneOptions(model.zone));
    }
    if (model.review?.phase !== "committed") return;
    const { answer, change } = model.review;
    dismissWarnings();
    // The change that it takes back is another since.
    readAgain("change", "history", "zones", "zone-counts");
    // Where something was wrong, it may be right now; the other zones are checked when their page is opened.
    const hasFindings = ({ state }: { state: { data?: unknown } }) => (state.data as readonly unknown[])?.length > 0;
    void queries.invalidateQueries({ queryKey: ["findings", "of"], predicate: hasFindings });
    if (answer?.change) rememberChange(answer.change, answer);
    if (change.id === "") {
      announceResult("Nothing had to be changed: the zone was like this already.");
      onBack();
    } else {
      announce(`Committed as ${change.serial}.`);
      onApplied(change.id);
    }
  }, [phase, isOver]);
}

/** What is said above the difference: that it is being read, why it is refused, what became of an answer. */
function Outcome({ review, model, onShow }: { review: Review; model: SheetModel; onShow: (key: string) => void }) {
  if (review.phase === "asking") return <Loading what="Asking the service for the difference…" />;
  if (review.phase === "refused") {
    const { rows, rest } = review.placed;
    const sentences = rows.size + rest.length > 0 ? rest : [review.message];
    return (
      <div role="alert" className={`${look.message} ${look.refusal}`}>
        <p>
          <b>{refusedWords(review)}</b>
        </p>
        {[...rows].slice(0, 20).map(([key, [problem]], at) => (
          <p key={key}>
            <Button kind="quiet" data-first={at === 0 || undefined} onClick={() => onShow(key)}>
              {nameOf(model, key)}
            </Button>{" "}
            {problem?.message}
          </p>
        ))}
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    );
  }
  if (review.phase === "lost")
    return (
      <p className={look.message} role="alert">
        The answer was lost. Whether the change was committed is found out as soon as the service answers; it cannot be
        applied twice.
      </p>
    );
  const note = "note" in review && review.note;
  if (!note && review.phase !== "unanswered") return null;
  return (
    <p className={look.message}>{note || "No answer. Your edits are kept here, and nothing was sent to be applied."}</p>
  );
}

const refusedWords = (review: Review | undefined) =>
  review?.phase === "refused" && review.isSent
    ? "Refused. Nothing was changed."
    : "This cannot be applied as it is; nothing was sent.";

/** What the edits that are not wrong do, as far as it is known without the service. */
function rightLines({ draft, checks, outcome }: SheetModel): readonly DifferenceLine[] {
  const wrong = checks.wrongKeys(draft);
  const right = [...draft.edits.values()].filter(({ key }) => !wrong.has(key));
  const added = right.flatMap((edit): DifferenceRow[] => {
    if (edit.kind === "remove") return [];
    const { owner, type, rdata } = checks.of(edit.values)?.canonical ?? edit.values;
    return [{ recordId: edit.key, owner, type, rdata, ttl: outcome.ttls.get(edit.key) ?? 0 }];
  });
  const removed = right.flatMap((edit) => (edit.kind === "add" ? [] : { ...edit.before, recordId: edit.key }));
  return differenceOf(removed, added);
}

function warningsOf({ warnings: { rows, rest } }: Previewed, model: SheetModel): string[] {
  const placed = [...rows].flatMap(([key, reasons]) =>
    reasons.map(({ message }) => `${nameOf(model, key)}: ${message}`),
  );
  return [...new Set([...placed, ...rest])];
}

function nameOf(model: SheetModel, key: string): string {
  const edit = model.draft.edits.get(key);
  const { owner, type } = !edit ? { owner: "", type: "" } : edit.kind === "remove" ? edit.before : edit.values;
  return `${owner || "@"} ${type}`;
}

/** What the zone is then, of so many records now, and how long resolvers keep what it was. */
function WhenApplied({ total, previewed }: { readonly total: number | undefined; readonly previewed: Previewed }) {
  const { lines, input, result } = previewed;
  const replaced = lines.flatMap((line) => sidesOf(line).from?.ttl ?? []);
  return (
    <Section title="When applied">
      <dl>
        <Detail name="Serial">{result.serial === input.expectedSerial ? "unchanged" : result.serial}</Detail>
        {total !== undefined && (
          <Detail name="Records">
            {total.toLocaleString()} → {(total + result.added.length - result.removed.length).toLocaleString()}
          </Detail>
        )}
        {replaced.length > 0 && <Detail name="Takes effect">within {ttlWords(Math.max(...replaced))}</Detail>}
      </dl>
    </Section>
  );
}
