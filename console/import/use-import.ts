/**
 * An import step by step: a dry run of the file, its difference, and then the same file for good, with the serial that the difference is
 * of: so it cannot be imported over what somebody else did meanwhile, nor twice.
 */
import { useEffect, useRef, useState } from "react";
import { Refused, Unreachable } from "../api/refused.ts";
import { wait, waitMs } from "../api/waits.ts";
import { findImport } from "./find-out.ts";
import { type ImportMode, type ImportResult, upload } from "./upload.ts";

/** What is imported. */
export interface ImportFile {
  readonly content: string | Blob;
  readonly mode: ImportMode;
  readonly skipsUnsupported: boolean;
}

/** The difference of a file. */
interface Previewed {
  readonly file: ImportFile;
  readonly result: ImportResult;
}

export type ImportState =
  | { readonly phase: "idle" }
  /** `share` of the file is sent, from 0 to 1; at 1 the service reads it. */
  | { readonly phase: "sending"; readonly share: number; readonly isFinal: boolean }
  | { readonly phase: "refused"; readonly error: Error }
  | { readonly phase: "lost" | "previewed"; readonly previewed: Previewed; readonly note?: string }
  | { readonly phase: "imported"; readonly result: ImportResult };

const changedNote = "The zone was changed meanwhile; this is the difference now. Nothing was imported.";
const lostNote = "The answer was lost. It was not imported; import it again.";

/** Whether an error leaves open what happened. */
const isLost = (error: unknown) =>
  error instanceof Unreachable || (error instanceof Refused && error.code === "UNAVAILABLE");

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

  const send = (file: ImportFile, expectedSerial?: number): Promise<ImportResult> => {
    cancel.current = new AbortController();
    const { mode, skipsUnsupported } = file;
    const isFinal = expectedSerial !== undefined;
    const onSent = (share: number) => setState({ phase: "sending", share, isFinal });
    onSent(0);
    return upload(zone, file.content, { mode, expectedSerial, skipsUnsupported }, onSent, cancel.current.signal);
  };

  const preview = async (file: ImportFile, note?: string) => {
    try {
      const result = await send(file);
      setState({ phase: "previewed", previewed: { file, result }, ...(note !== undefined && { note }) });
    } catch (error) {
      failed(error as Error);
    }
  };

  const failed = (error: Error) =>
    setState(cancel.current.signal.aborted ? { phase: "idle" } : { phase: "refused", error });

  /** Imports what was previewed, unless the zone was changed since: then its difference is shown again. */
  const apply = async (previewed: Previewed) => {
    const { file, result } = previewed;
    try {
      setState({ phase: "imported", result: await send(file, result.zoneSerial) });
    } catch (error) {
      if (error instanceof Refused && error.code === "STALE_SERIAL") await preview(file, changedNote);
      else if (isLost(error)) setState({ phase: "lost", previewed });
      else failed(error as Error);
    }
  };

  const lost = state.phase === "lost" ? state.previewed : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer that is lost
  useEffect(() => {
    if (!lost) return;
    const ended = new AbortController();
    void (async () => {
      for (let attempt = 0; !ended.signal.aborted; attempt++) {
        await wait(waitMs(attempt), ended.signal);
        const outcome = await findImport(zone, lost.result).catch(() => undefined);
        if (ended.signal.aborted || outcome === undefined) continue;
        if (typeof outcome === "number")
          return setState({ phase: "imported", result: { ...lost.result, serial: outcome } });
        if (outcome === "changed") return preview(lost.file, changedNote);
        return setState({ phase: "previewed", previewed: lost, note: lostNote });
      }
    })();
    return () => ended.abort();
  }, [lost]);

  const reset = () => {
    cancel.current.abort();
    setState({ phase: "idle" });
  };
  return { state, preview, apply, reset };
}

export type Import = ReturnType<typeof useImport>;
