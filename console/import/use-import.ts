/**
 * An import step by step: a dry run, its difference, then the same file with the serial of that difference. So it is never imported over
 * somebody else's change, nor twice. Notes of RRsets are written afterwards.
 */
import { useEffect, useRef, useState } from "react";
import { wait, waitMs } from "../api/connection.ts";
import type { StageZoneInput } from "../api/generated/graphql.ts";
import { readNotes, writeNote } from "../api/notes.ts";
import { Refused, Unreachable } from "../api/run.ts";
import { findOut } from "../sheet/apply/review.ts";
import { sheetService } from "../sheet/records/sheet-service.ts";
import { type Comments, type NoteChange, noteChanges, readComments } from "./comments.ts";
import { type ImportFile, type ImportResult, upload } from "./upload.ts";

export interface Previewed {
  readonly file: ImportFile;
  readonly result: ImportResult;
  readonly comments: Comments;
  readonly notes: readonly NoteChange[];
}

/** Why it is imported, for the journal, and the notes of RRsets that are written. */
export interface ImportTerms {
  readonly note: string;
  readonly notes: readonly NoteChange[];
}

export const isSame = ({ addedCount, removedCount, added }: ImportResult) =>
  addedCount + removedCount === 0 && added.length === 0;

type ImportState =
  | { readonly phase: "idle" }
  /** `share` of the file is sent, from 0 to 1; at 1 the service reads it. */
  | { readonly phase: "sending"; readonly share: number; readonly isFinal: boolean }
  | { readonly phase: "refused"; readonly error: Error }
  | { readonly phase: "previewed"; readonly previewed: Previewed; readonly note?: string }
  | { readonly phase: "lost"; readonly previewed: Previewed; readonly terms: ImportTerms }
  | {
      readonly phase: "imported";
      readonly result: ImportResult;
      readonly notes: number;
      readonly noteError?: Error;
    };

const changedNote = "The zone was changed meanwhile; this is the difference now. Nothing was imported.";
const lostNote = "The answer was lost. It was not imported; import it again.";

export async function stagedOf(zone: string, { file, result }: Previewed): Promise<StageZoneInput> {
  const mode = file.mode === "merge" ? "MERGE" : "REPLACE";
  const text = await textOf(file.content);
  return { import: { zone, expectedSerial: result.zoneSerial, mode, text, skipUnsupported: file.skipsUnsupported } };
}

const textOf = (content: string | Blob) => (typeof content === "string" ? content : content.text());

/** The lines of the file that are refused, from 1. */
export const wrongLines = (state: ImportState): ReadonlySet<number> =>
  new Set(
    state.phase === "refused" && state.error instanceof Refused
      ? state.error.reasons.flatMap(({ line }) => line ?? [])
      : [],
  );

export function useImport(zone: string) {
  const [state, setState] = useState<ImportState>({ phase: "idle" });
  const cancel = useRef(new AbortController());
  useEffect(() => () => cancel.current.abort(), []);

  const send = (file: ImportFile, expectedSerial?: number, note = ""): Promise<ImportResult> => {
    cancel.current = new AbortController();
    const isFinal = expectedSerial !== undefined;
    const onSent = (share: number) => setState({ phase: "sending", share, isFinal });
    onSent(0);
    return upload(zone, file, expectedSerial, note, onSent, cancel.current.signal);
  };

  const preview = async (file: ImportFile, note?: string) => {
    try {
      const result = await send(file);
      const { signal } = cancel.current;
      const comments = readComments(await textOf(file.content), zone);
      const notes = noteChanges(comments, await readNotes(zone, signal), file.hasNotes ?? false);
      if (signal.aborted) return setState({ phase: "idle" });
      const previewed = { file, result, comments, notes };
      setState({ phase: "previewed", previewed, ...(note !== undefined && { note }) });
    } catch (error) {
      failed(error as Error);
    }
  };

  const failed = (error: Error) =>
    setState(cancel.current.signal.aborted ? { phase: "idle" } : { phase: "refused", error });

  /** Imports the previewed file. When the zone was changed since, shows the new difference in place of importing. */
  const apply = async (previewed: Previewed, terms: ImportTerms) => {
    const { file, result } = previewed;
    setState({ phase: "sending", share: 1, isFinal: true });
    try {
      await finish(isSame(result) ? result : await send(file, result.zoneSerial, terms.note), terms);
    } catch (error) {
      const code = error instanceof Unreachable ? "UNAVAILABLE" : error instanceof Refused && error.code;
      if (code === "STALE_SERIAL") await preview(file, changedNote);
      else if (code === "UNAVAILABLE") setState({ phase: "lost", previewed, terms });
      else failed(error as Error);
    }
  };

  const finish = async (result: ImportResult, { notes }: ImportTerms) => {
    let written = 0;
    try {
      for (const note of notes) {
        await writeNote(zone, note);
        written++;
      }
      setState({ phase: "imported", result, notes: written });
    } catch (error) {
      setState({ phase: "imported", result, notes: written, noteError: error as Error });
    }
  };

  const lost = state.phase === "lost" ? state : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer that is lost
  useEffect(() => {
    if (!lost) return;
    const ended = new AbortController();
    void (async () => {
      const { previewed, terms } = lost;
      for (let attempt = 0; !ended.signal.aborted; attempt++) {
        await wait(waitMs(attempt), ended.signal);
        const { result } = previewed;
        const outcome = await findOut(sheetService, zone, result.zoneSerial, result).catch(() => undefined);
        if (ended.signal.aborted || outcome === undefined) continue;
        if (typeof outcome === "object") return finish({ ...result, serial: outcome.serial }, terms);
        if (outcome === "stale") return preview(previewed.file, changedNote);
        return setState({ phase: "previewed", previewed, note: lostNote });
      }
    })();
    return () => ended.abort();
  }, [lost]);

  const reset = () => {
    cancel.current.abort();
    setState({ phase: "idle" });
  };
  /** Shows the difference again, of a zone that was changed since. */
  const refresh = ({ file }: Previewed) => preview(file, changedNote);
  return { state, preview, apply, refresh, reset };
}

export type Import = ReturnType<typeof useImport>;
