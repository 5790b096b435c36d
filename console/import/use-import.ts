/** An import step by step: a dry run of the file, its difference, and then the same file for good. */
import { useEffect, useRef, useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { Unreachable } from "../api/refused.ts";
import { run } from "../api/run.ts";
import { type ImportMode, type ImportResult, upload } from "./upload.ts";

const serialQuery = graphql(`
  query ImportSerial($zone: String!) {
    domain(by: { zone: $zone }) {
      serial
    }
  }
`);

/** What is imported. */
export interface ImportFile {
  readonly content: string | Blob;
  readonly mode: ImportMode;
  readonly skipsUnsupported: boolean;
}

/** The difference of a file, and the serial that the zone had then. */
interface Previewed {
  readonly file: ImportFile;
  readonly result: ImportResult;
  readonly serial: number | undefined;
}

export type ImportState =
  | { readonly phase: "idle" }
  /** `share` of the file is sent, from 0 to 1; at 1 the service reads it. */
  | { readonly phase: "sending"; readonly share: number; readonly isFinal: boolean }
  | { readonly phase: "refused"; readonly error: Error }
  | { readonly phase: "lost"; readonly previewed: Previewed }
  | { readonly phase: "previewed"; readonly previewed: Previewed; readonly note?: string }
  | { readonly phase: "imported"; readonly result: ImportResult };

export function useImport(zone: string) {
  const [state, setState] = useState<ImportState>({ phase: "idle" });
  const cancel = useRef(new AbortController());
  useEffect(() => () => cancel.current.abort(), []);

  const readSerial = async () => (await run(serialQuery, { zone })).domain?.serial;

  const send = (file: ImportFile, dryRun: boolean): Promise<ImportResult> => {
    cancel.current = new AbortController();
    const { mode, skipsUnsupported } = file;
    setState({ phase: "sending", share: 0, isFinal: !dryRun });
    const onSent = (share: number) => setState({ phase: "sending", share, isFinal: !dryRun });
    return upload(zone, file.content, { mode, dryRun, skipsUnsupported }, onSent, cancel.current.signal);
  };

  const preview = async (file: ImportFile, note?: string) => {
    try {
      const serial = await readSerial();
      const result = await send(file, true);
      setState({ phase: "previewed", previewed: { file, result, serial }, ...(note !== undefined && { note }) });
    } catch (error) {
      failed(error as Error);
    }
  };

  const failed = (error: Error) =>
    setState(cancel.current.signal.aborted ? { phase: "idle" } : { phase: "refused", error });

  /** Imports what was previewed, unless the zone was changed since: then its difference is shown again. */
  const apply = async (previewed: Previewed) => {
    try {
      if ((await readSerial()) !== previewed.serial)
        return preview(
          previewed.file,
          "The zone was changed meanwhile; this is the difference now. Nothing was imported.",
        );
      const result = await send(previewed.file, false);
      setState({ phase: "imported", result });
    } catch (error) {
      if (error instanceof Unreachable) setState({ phase: "lost", previewed });
      else failed(error as Error);
    }
  };

  const reset = () => {
    cancel.current.abort();
    setState({ phase: "idle" });
  };
  return { state, preview, apply, reset };
}

export type Import = ReturnType<typeof useImport>;
