/**
 * Sends a master file to the service (POST /api/domain/zonefile/:zone) by XMLHttpRequest, since fetch does not say how much is sent.
 */

import { readRefusal } from "../api/rest.ts";
import { consoleHeaders, noted, Unreachable } from "../api/run.ts";
import type { DifferenceRow } from "../difference/difference.ts";

/** Whether records that the file does not contain stay (merge) or go (replace). */
export type ImportMode = "merge" | "replace";

export interface ImportFile {
  readonly content: string | Blob;
  readonly mode: ImportMode;
  /** Leaves out lines that no zone can hold, with a warning each. */
  readonly skipsUnsupported: boolean;
  /** Whether it is an export that was edited, in which the notes of RRsets are comments. */
  readonly hasNotes?: boolean;
}

/** The result of an import, or of its dry run. The lists have the first 1,000 of each, the SOA first, which does not count. */
export interface ImportResult {
  /** Undefined in a dry run, and when nothing changed. */
  readonly serial: number | undefined;
  readonly zoneSerial: number;
  readonly addedCount: number;
  readonly removedCount: number;
  readonly added: readonly DifferenceRow[];
  readonly removed: readonly DifferenceRow[];
  readonly loss: { readonly lostCount: number; readonly recordCount: number; readonly isLarge: boolean };
  readonly warnings: readonly string[];
}

type RestRecord = Readonly<Record<"owner" | "type" | "ttl" | "rdata", string>>;

interface Body {
  readonly serial: number | null;
  readonly added: number;
  readonly removed: number;
  readonly added_records: readonly RestRecord[];
  readonly removed_records: readonly RestRecord[];
  readonly loss: { readonly lost: number; readonly records: number; readonly large: boolean };
  readonly warnings: readonly string[];
}

const rowsOf = (records: readonly RestRecord[]) => records.map((record) => ({ ...record, ttl: Number(record.ttl) }));

function resultOf(request: XMLHttpRequest): ImportResult {
  const body = JSON.parse(request.responseText) as Body;
  return {
    zoneSerial: Number(request.getResponseHeader("X-Zone-Serial")),
    serial: body.serial ?? undefined,
    addedCount: body.added,
    removedCount: body.removed,
    added: rowsOf(body.added_records),
    removed: rowsOf(body.removed_records),
    loss: { lostCount: body.loss.lost, recordCount: body.loss.records, isLarge: body.loss.large },
    warnings: body.warnings,
  };
}

/** The octets of a text in UTF-8, each as a character, as a header takes them. */
const octetsOf = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));

/**
 * Sends a file for a zone at a serial, or for a dry run, with a note for the journal. `onSent` is called with the share that is sent, from
 * 0 to 1. Throws Refused or Unreachable.
 */
export function upload(
  zone: string,
  { content, mode, skipsUnsupported }: ImportFile,
  expectedSerial: number | undefined,
  note: string,
  onSent: (share: number) => void,
  signal: AbortSignal,
): Promise<ImportResult> {
  const query = new URLSearchParams({ mode });
  if (expectedSerial === undefined) query.set("dry_run", "yes");
  else query.set("expected_serial", String(expectedSerial));
  if (skipsUnsupported) query.set("skip_unsupported", "yes");
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancel = () => request.abort();
    request.open("POST", `/api/domain/zonefile/${encodeURIComponent(zone)}?${query}`);
    for (const [name, value] of Object.entries(consoleHeaders)) request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", "text/dns");
    if (note !== "") request.setRequestHeader("X-Change-Note", octetsOf(note));
    request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total);
    request.upload.onload = () => onSent(1);
    request.onabort = () => reject(signal.reason);
    request.onerror = () => reject(new Unreachable("the connection broke"));
    request.onload = () => {
      if (request.status >= 300)
        return reject(
          noted(readRefusal(request.status, request.getResponseHeader("Retry-After"), request.responseText)),
        );
      resolve(resultOf(request));
    };
    request.onloadend = () => signal.removeEventListener("abort", cancel);
    signal.addEventListener("abort", cancel);
    request.send(content);
  });
}
