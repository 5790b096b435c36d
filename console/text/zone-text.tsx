/**
 * A zone as a master file in a plain editor. Saving it replaces the zone by the text, after a look at the difference; lines that are
 * refused are marked.
 */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { sendRest } from "../api/rest.ts";
import { useViewer } from "../api/viewer.ts";
import { ImportOutcome } from "../import/import-outcome.tsx";
import { useImport, wrongLines } from "../import/use-import.ts";
import { Button } from "../parts/control/button.tsx";
import { useFill } from "../parts/control/hooks.ts";
import { LineEditor, type LineEditorHandle } from "../parts/control/line-editor.tsx";
import { keepStored, readStored } from "../parts/control/stored.ts";
import look from "../parts/look.module.css";
import { Refusal } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { textPrefix } from "../sheet/draft/draft-store.ts";
import { useStagedZones } from "../sheet/draft/staged-zones.tsx";
import { alignedText } from "./aligned-text.ts";
import css from "./text.module.css";

/** The serial in the first SOA of a master file. */
const serialOf = (text: string) => Number(/\sSOA\s+\S+\s+\S+\s+(\d+)/.exec(text)?.[1] ?? 0);

async function readText(zone: string, signal: AbortSignal): Promise<TextDraft> {
  const response = await sendRest(`/api/domain/zonefile/${encodeURIComponent(zone)}`, { signal });
  const text = await response.text();
  return { text: alignedText(text, zone), serial: serialOf(text) };
}

function savedText(draft: TextDraft | undefined, stored: TextDraft | undefined, isDiscarded: boolean): string {
  if (isDiscarded) return "As it is committed; what was edited is discarded.";
  if (draft) return "Edited; kept in this browser until it is saved.";
  return stored ? "As it is committed." : "Reading…";
}

const route = getRouteApi("/shell/zones/$zone/text");

export function TextTab() {
  const { zone } = route.useParams();
  const { key } = useViewer();
  const keptAs = `${textPrefix}${key?.fingerprint ?? "none"}.${zone}`;
  return <ZoneText key={keptAs} zone={zone} keptAs={keptAs} />;
}

/** The text of a zone; what is edited of it is kept in the browser by its name. */
function ZoneText({ zone, keptAs }: { readonly zone: string; readonly keptAs: string }) {
  const navigate = useNavigate();
  const { readOnly, key } = useViewer();
  const edits = useStagedZones(key?.fingerprint ?? "none").get(zone) ?? 0;
  const query = useQuery({ queryKey: ["zone-text", zone], queryFn: ({ signal }) => readText(zone, signal), gcTime: 0 });
  const { data: stored, error } = query;
  const [draft, setDraft] = useState(() => readTextDraft(keptAs));
  const [discarded, setDiscarded] = useState<TextDraft>();
  const editor = useRef<LineEditorHandle>(null);
  const section = useFill();
  const work = useImport(zone);
  const { state } = work;
  const text = draft?.text ?? stored?.text ?? "";

  /** Replaces the text; `previous` is a discarded text, which can be brought back until something is written. */
  const take = (next: TextDraft | undefined, previous?: TextDraft) => {
    setDraft(next);
    setDiscarded(previous);
    keepStored(keptAs, next);
    if (state.phase !== "idle") work.reset();
  };
  const write = (next: string) =>
    take(next === stored?.text ? undefined : { text: next, serial: draft?.serial ?? stored?.serial ?? 0 });
  const discard = () => {
    take(undefined, draft);
    // The button that had the focus is gone.
    document.getElementById("page")?.focus();
  };
  const imported = state.phase === "imported" ? state : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each import
  useEffect(() => {
    if (!imported) return;
    // Notes that were not written are still in the text, which is now of the new serial.
    const { result, noteError } = imported;
    const left = noteError && draft && { text: draft.text, serial: result.serial ?? result.zoneSerial };
    keepStored(keptAs, left);
    setDraft(left);
    void query.refetch();
  }, [imported]);

  const [firstWrong] = wrongLines(state);
  useEffect(() => {
    if (firstWrong !== undefined) editor.current?.showLine(firstWrong);
  }, [firstWrong]);

  const isStale = draft !== undefined && stored !== undefined && draft.serial !== stored.serial;

  return (
    <section ref={section} className={css.text} aria-label="Zone as text">
      {error && <Refusal error={error} onRetry={() => void query.refetch()} />}
      {isStale && (
        <p className={`${look.message} ${look.line}`} role="status">
          The zone was changed since this text was read: it is at {stored.serial}, the text at {draft.serial}. Saving it
          would take that back.
          <Button onClick={discard}>Discard the edits, and read it again</Button>
        </p>
      )}
      {edits > 0 && (
        <p className={look.soft}>
          Your{" "}
          <Link to="/zones/$zone/draft" params={{ zone }}>
            {counted(edits, "edit")}
          </Link>{" "}
          of the records {edits === 1 ? "is" : "are"} not applied, and not in this text.
        </p>
      )}
      <LineEditor
        ref={editor}
        label={`Master file of ${zone}`}
        text={text}
        readOnly={readOnly || stored === undefined || state.phase === "sending" || state.phase === "lost"}
        wrongLines={wrongLines(state)}
        onChange={write}
      />
      {state.phase === "idle" && !readOnly && (
        <p className={look.line}>
          <span role="status" className={`${look.soft} ${css.said}`}>
            {savedText(draft, stored, discarded !== undefined)}
          </span>
          {discarded ? (
            <Button onClick={() => take(discarded)}>Undo</Button>
          ) : (
            <Button disabled={!draft} onClick={discard}>
              Discard
            </Button>
          )}
          <Button
            kind="primary"
            disabled={!draft}
            onClick={() =>
              void work.preview({ content: text, mode: "replace", skipsUnsupported: false, hasNotes: true })
            }
          >
            Review and save
          </Button>
        </p>
      )}
      <ImportOutcome
        zone={zone}
        work={work}
        action="Apply"
        onLine={(line) => editor.current?.showLine(line)}
        onDone={() => void navigate({ to: "/zones/$zone", params: { zone } })}
        onProposed={() => keepStored(keptAs, undefined)}
      />
    </section>
  );
}

/** A text that was edited, and the serial of the zone that it was read from. */
interface TextDraft {
  readonly serial: number;
  readonly text: string;
}

function readTextDraft(name: string): TextDraft | undefined {
  const { serial, text } = (readStored(name) ?? {}) as Partial<TextDraft>;
  return typeof serial === "number" && typeof text === "string" ? { serial, text } : undefined;
}
