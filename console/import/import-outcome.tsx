/** The state of an import: being sent, its difference, the reasons of a refusal with their lines, or its result. */
import { useEffect, useRef } from "react";
import { queries } from "../api/queries.ts";
import { Refused } from "../api/run.ts";
import { zoneOptions } from "../api/zone.ts";
import { Button } from "../parts/control/button.tsx";
import { useEscape } from "../parts/control/hooks.ts";
import look from "../parts/look.module.css";
import { Refusal } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import css from "./import.module.css";
import { countsOf, ImportPreview } from "./import-preview.tsx";
import type { ImportResult } from "./upload.ts";
import type { Import } from "./use-import.ts";

interface Props {
  readonly zone: string;
  readonly work: Import;
  /** The words of the button, when what is imported is not a file, such as the edited text of the zone. */
  readonly action?: string;
  /** Shows a line of the file, from 1; without it lines are named and not linked. */
  readonly onLine?: (line: number) => void;
  readonly lineText?: (line: number) => string | undefined;
  readonly onDone: () => void;
  /** What to do when a change set has it in place of the zone. */
  readonly onProposed?: () => void;
}

export function ImportOutcome({ zone, work, action, onLine, lineText, onDone, onProposed }: Props) {
  const { state, reset } = work;
  const { phase } = state;
  // It goes back to the text, and does not end an import that is being sent.
  useEscape(phase !== "idle" && phase !== "imported", () => {
    if (phase === "refused" || phase === "previewed") reset();
  });
  const box = useRef<HTMLDivElement>(null);
  // The button that asked for it is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each result
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" });
    if (document.activeElement === document.body) box.current?.focus();
  }, [phase]);
  useEffect(() => {
    // It may be that the zone demands a review since.
    if (phase === "refused") void queries.invalidateQueries(zoneOptions(zone));
  }, [phase, zone]);
  if (state.phase === "idle") return null;
  if (state.phase === "sending") return <Sending share={state.share} isFinal={state.isFinal} onCancel={reset} />;
  if (state.phase === "refused")
    return (
      <div ref={box} tabIndex={-1} role="alert" className={`${look.message} ${look.refusal}`}>
        <Reasons error={state.error} onLine={onLine} lineText={lineText} />
        <p className={look.line}>
          <span className={look.grow}>Nothing was changed.</span>
          <Button onClick={reset}>Back</Button>
        </p>
      </div>
    );
  if (state.phase === "lost")
    return (
      <p role="alert" className={look.message}>
        The answer was lost. Whether it was imported is found out as soon as the service answers; it cannot be imported
        twice.
      </p>
    );
  if (state.phase === "imported")
    return (
      <div ref={box} tabIndex={-1} role="status">
        {state.noteError && <Refusal error={state.noteError} />}
        <div className={look.line}>
          <p>{resultText(state, action ? "Committed" : "Imported")}</p>
          <Button kind="primary" onClick={onDone}>
            To the records
          </Button>
        </div>
      </div>
    );
  return (
    <>
      {state.note && <p className={look.message}>{state.note}</p>}
      <ImportPreview zone={zone} previewed={state.previewed} work={work} action={action} onProposed={onProposed} />
    </>
  );
}

/** The result of an import as a sentence; `did` is its verb. */
function resultText({ result, notes }: { readonly result: ImportResult; readonly notes: number }, did: string): string {
  const written = notes > 0 ? [`${counted(notes, "note")} written`] : [];
  if (result.serial !== undefined) return `${did} as ${result.serial}: ${[countsOf(result), ...written].join(", ")}.`;
  return notes > 0 ? `No record differed; ${written}.` : "The zone was like this already.";
}

function Sending({ share, isFinal, onCancel }: { share: number; isFinal: boolean; onCancel: () => void }) {
  const percent = Math.floor(100 * share);
  const words = share < 1 ? `sending ${percent} %` : isFinal ? "importing…" : "checking…";
  return (
    <div className={`${look.line} ${css.sending}`}>
      <label className={`${look.stack} ${look.close} ${look.grow} ${look.digits}`}>
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

function Reasons({ error, onLine, lineText }: ReasonsProps) {
  if (!(error instanceof Refused) || !error.reasons.some(({ line }) => line)) return <Refusal error={error} />;
  return (
    <ul className={`${look.anywhere} ${css.reasons}`}>
      {error.reasons.map(({ line, message }) => (
        <li key={`${line} ${message}`}>
          {line && onLine ? (
            <button
              type="button"
              className={`${look.bare} ${look.accent} ${look.strong} ${css.toLine}`}
              onClick={() => onLine(line)}
            >
              line {line}
            </button>
          ) : (
            line && <b>line {line}</b>
          )}
          <span> {message.replace(/^line \d+: /, "")}</span>
          {line && lineText?.(line) && <code className={`${look.soft} ${css.text}`}>{lineText(line)}</code>}
        </li>
      ))}
    </ul>
  );
}
