/** Where an import is: being sent, its difference, why it is refused and at which lines, or what it changed. */
import type { ReactNode } from "react";
import { Refused } from "../api/refused.ts";
import { type DifferenceRow, differenceOf } from "../difference/difference.ts";
import { DifferenceList } from "../difference/difference-list.tsx";
import { Button } from "../parts/button.tsx";
import { counted } from "../parts/counted.ts";
import { Actions } from "../parts/dialog.tsx";
import { Refusal } from "../parts/refusal.tsx";
import css from "./import.module.css";
import type { ImportMode, ImportResult } from "./upload.ts";
import type { Import } from "./use-import.ts";

interface Props {
  readonly work: Import;
  /** Shows a line of the file, from 1; without it lines are only named. */
  readonly onLine?: (line: number) => void;
  /** The text of a line, where it is at hand. */
  readonly lineText?: (line: number) => string | undefined;
  /** What to do after the import. */
  readonly onDone: () => void;
}

const number = new Intl.NumberFormat("en");

const isSoa = ({ type }: DifferenceRow) => type === "SOA";

/** Whether a list is not the whole; the SOA in it is not counted. */
const isPart = (rows: readonly DifferenceRow[], count: number) => rows.filter((row) => !isSoa(row)).length < count;

const counts = ({ addedCount, removedCount }: ImportResult) =>
  `+${number.format(addedCount)} −${number.format(removedCount)}`;

export function ImportOutcome({ work, onLine, lineText, onDone }: Props) {
  const { state, apply, reset } = work;
  if (state.phase === "idle") return null;
  if (state.phase === "sending") return <Sending share={state.share} isFinal={state.isFinal} onCancel={reset} />;
  if (state.phase === "refused")
    return (
      <div role="alert" className={css.refused}>
        <Reasons error={state.error} onLine={onLine} lineText={lineText} />
        <p>Nothing was changed.</p>
        <Actions>
          <Button onClick={reset}>Back</Button>
        </Actions>
      </div>
    );
  if (state.phase === "lost")
    return (
      <p role="alert" className={css.lost}>
        The answer was lost. Whether it was imported is found out as soon as the service answers; it cannot be imported
        twice.
      </p>
    );
  if (state.phase === "imported")
    return (
      <div role="status">
        <p>
          {state.result.serial === undefined
            ? "The zone was like this already."
            : `Imported as ${state.result.serial}: ${counts(state.result)}.`}
        </p>
        <Actions>
          <Button kind="primary" onClick={onDone}>
            To the records
          </Button>
        </Actions>
      </div>
    );
  const { result } = state.previewed;
  const isSame = result.addedCount + result.removedCount === 0 && result.added.length === 0;
  return (
    <>
      {state.note && <p className={css.lost}>{state.note}</p>}
      <Previewed result={result} mode={state.previewed.file.mode} />
      <Actions>
        <Button onClick={reset}>Back</Button>
        <Button kind="primary" disabled={isSame} onClick={() => void apply(state.previewed)}>
          Import {counts(result)}
        </Button>
      </Actions>
    </>
  );
}

function Sending({ share, isFinal, onCancel }: { share: number; isFinal: boolean; onCancel: () => void }) {
  const percent = Math.floor(100 * share);
  const words = share < 1 ? `sending ${percent} %` : isFinal ? "importing…" : "checking…";
  return (
    <div className={css.sending}>
      <label>
        <span role="status">{words}</span>
        <progress max={1} {...(share < 1 && { value: share })} aria-label="Progress" />
      </label>
      <Button onClick={onCancel} disabled={isFinal && share === 1}>
        Cancel
      </Button>
    </div>
  );
}

type ReasonsProps = { readonly error: Error } & { readonly [Name in "onLine" | "lineText"]: Props[Name] | undefined };

function Reasons({ error, onLine, lineText }: ReasonsProps): ReactNode {
  if (!(error instanceof Refused) || !error.reasons.some(({ line }) => line)) return <Refusal error={error} />;
  return (
    <ul className={css.reasons}>
      {error.reasons.map(({ line, message }) => (
        <li key={`${line} ${message}`}>
          {line && onLine ? (
            <button type="button" className={css.line} onClick={() => onLine(line)}>
              line {line}
            </button>
          ) : (
            line && <b>line {line}</b>
          )}
          <span> {message.replace(/^line \d+: /, "")}</span>
          {line && lineText?.(line) && <code className={css.lineText}>{lineText(line)}</code>}
        </li>
      ))}
    </ul>
  );
}

/** Why nothing would be imported. */
const sameText: Readonly<Record<ImportMode, string>> = {
  merge: "The zone has all of these records already: there is nothing to import.",
  replace:
    "The zone has the same records already: there is nothing to import. A greater serial alone is not imported; it is raised by editing the SOA.",
};

interface PreviewedProps {
  readonly result: ImportResult;
  readonly mode: ImportMode;
}

function Previewed({ result, mode }: PreviewedProps) {
  const lines = differenceOf(result.removed, result.added);
  const ttls = lines.filter(
    (line) => line.kind === "change" && !isSoa(line.row) && line.from.ttl !== line.row.ttl,
  ).length;
  const facts = [
    counts(result),
    result.added.some(isSoa) && "the SOA differs",
    ttls > 0 && `${ttls} ${ttls === 1 ? "TTL differs" : "TTLs differ"}`,
    result.warnings.length > 0 && counted(result.warnings.length, "warning"),
  ].filter(Boolean);
  const isCut = isPart(result.added, result.addedCount) || isPart(result.removed, result.removedCount);
  return (
    <>
      <p role="status">
        {facts.join(", ")}
        {isCut && "; the first 1,000 of each"}
      </p>
      <DifferenceList lines={lines} empty={sameText[mode]} />
      {result.warnings.length > 0 && (
        <ul className={css.warnings}>
          {result.warnings.map((warning) => (
            <li key={warning}>
              <span aria-hidden="true">⚠</span> {warning}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
