/** Streams a master file of any size to or from the service; `export`. */
import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { type CommandRow, command } from "./command-rows/command-row.ts";
import { callRest, type Endpoint, type ReasonBody, RefusedError } from "./service/client.ts";
import { momentForms, momentParameter } from "./terminal/moment.ts";
import { print } from "./terminal/print.ts";
import { megabytes, Progress } from "./terminal/progress.ts";
import { isArchive } from "./zone-sources.ts";

/** The master file of a zone; `octets` is its length where that is known. */
export interface MasterFile {
  readonly zone: string;
  readonly open: () => Promise<{ readonly stream: Readable; readonly octets?: number }>;
  readonly warnings?: readonly string[];
  /** The e-mail address of the user who will own the zone if it is new, and is created if need be. */
  readonly user?: string;
  /** What follows an import that was no dry run. */
  readonly onImported?: () => Promise<void>;
}

/** A master file in memory, with a record on each line. */
export class RecordLines implements MasterFile {
  readonly zone: string;
  readonly user?: string;
  readonly onImported?: () => Promise<void>;
  readonly #read: () => Promise<string[]>;
  #lines: string[] | undefined;

  constructor(zone: string, read: () => Promise<string[]>, more: Pick<MasterFile, "user" | "onImported"> = {}) {
    this.zone = zone;
    this.#read = read;
    Object.assign(this, more);
  }

  readonly open = async () => {
    this.#lines ??= await this.#read();
    const file = Buffer.from(this.#lines.join(""));
    return { stream: Readable.from([file]), octets: file.length };
  };

  /** A message with the record that it is about in place of the number of its line. */
  named(message: string): string {
    return message.replace(/^line (\d+)/, (line, at) => this.#lines?.[at - 1]?.trim() || line);
  }

  /** Leaves the records of a refusal out of the file, and returns the reasons that had one; the numbers of the lines stay. */
  leaveOut(reasons: readonly ReasonBody[] = []): readonly ReasonBody[] {
    const lines = this.#lines ?? [];
    const refused = reasons.filter(({ line = 0 }) => (lines[line - 1] ?? "\n") !== "\n");
    for (const { line = 0 } of refused) lines[line - 1] = "\n";
    return refused;
  }
}

export interface ImportResult {
  readonly change_id: number | null;
  readonly serial: number | null;
  readonly added: number;
  readonly removed: number;
  readonly added_records: readonly ImportedRecord[];
  readonly removed_records: readonly ImportedRecord[];
  readonly warnings: readonly string[];
}

export interface ImportedRecord {
  readonly owner: string;
  readonly ttl: string;
  readonly type: string;
  readonly rdata: string;
}

/** Sends a file; `query` has the parameters of the path, `show` is called with each step. Throws RefusedError. */
async function sendFile(
  endpoint: Endpoint,
  { zone, open }: MasterFile,
  query: URLSearchParams,
  { note, show }: { readonly note?: string | undefined; readonly show: Progress["show"] },
): Promise<ImportResult> {
  const { stream: source, octets } = await open();
  const onBytes = (sent: number) => show(`sending ${zone}`, octets && sent / octets);
  const stream = Readable.toWeb(source.pipe(meter(onBytes))) as ReadableStream;
  try {
    const path = `/domain/zonefile/${encodeURIComponent(zone)}?${query}`;
    const response = await callRest(endpoint, "POST", path, { type: "text/dns", stream, accept: progressType, note });
    return await resultOf(response, ({ step, done = 0, of }) =>
      show(of || done === 0 ? `${step} ${zone}` : `${step} ${zone}: record ${done}`, of && done / of),
    );
  } finally {
    source.destroy();
  }
}

/** Sends a file, with `skipRefused` again without the records that are refused. Throws RefusedError. */
export async function sendAccepted(
  endpoint: Endpoint,
  file: MasterFile,
  query: URLSearchParams,
  { skipRefused, ...more }: Parameters<typeof sendFile>[3] & { readonly skipRefused?: boolean | undefined },
): Promise<ImportResult & { readonly left_out: readonly string[] }> {
  const leftOut: string[] = [];
  const named = (message: string) => (file instanceof RecordLines ? file.named(message) : message);
  const send = () => sendFile(endpoint, file, query, more);
  const sendRest = async (error: unknown): Promise<ImportResult> => {
    if (!(error instanceof RefusedError)) throw error;
    const { reasons } = error.body;
    const body = { ...error.body, reasons: reasons?.map((each) => ({ ...each, message: named(each.message) })) };
    const refused = skipRefused && file instanceof RecordLines ? file.leaveOut(body.reasons) : [];
    if (refused.length === 0) throw new RefusedError(body);
    leftOut.push(...refused.map(({ message }) => message));
    return send().catch(sendRest);
  };
  const sent = await send().catch(sendRest);
  const warnings = [...(file.warnings ?? []), ...sent.warnings.map(named)];
  return { ...sent, warnings, left_out: leftOut };
}

/** The media type of a response with progress, a JSON text on each line. */
const progressType = "application/x-ndjson";

interface ImportStep {
  readonly step: "reading" | "checking" | "storing";
  readonly done?: number;
  readonly of?: number;
}

/** The result of an import, after calls of `onProgress`; throws RefusedError. */
async function resultOf(response: Response, onProgress: (progress: ImportStep) => void): Promise<ImportResult> {
  if (!response.headers.get("content-type")?.startsWith(progressType)) return (await response.json()) as ImportResult;
  const text = Readable.fromWeb(response.body as ReadableStream);
  for await (const line of createInterface({ input: text, crlfDelay: Number.POSITIVE_INFINITY })) {
    const { progress, status, body } = JSON.parse(line);
    if (progress) onProgress(progress);
    else if (status === 200) return body;
    else throw new RefusedError(body);
  }
  throw new Error("The service ended the import without a result; look at its log, and try again.");
}

/** A stream that passes everything on and counts the bytes. */
const meter = (onBytes: (count: number) => void) => {
  let count = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      count += chunk.length;
      onBytes(count);
      done(null, chunk);
    },
  });
};

export const exportRow: CommandRow = command({
  words: "export [zone]",
  description: "write a zone as a master file, or all zones with their owners, labels and notes",
  options: [
    ["--at <moment>", `as it was: ${momentForms}`],
    ["--output <file>", "the file to write (default: standard output)"],
    ["--all <file>", "all zones into this folder, or into a file such as zones.tar.gz"],
  ],
  run: async ({ args: [zone], options: { at, output, all, json }, refuse }, { endpoint }) => {
    if (all !== undefined) {
      if (zone ?? at ?? output) refuse("--all writes all zones as they are; leave out the zone, --at and --output");
      if (/(^-|\.(zip|tar|gz|bz2|xz|zst|7z))$/i.test(all) && !isArchive(all))
        refuse("--all writes a folder, or a file whose name ends in .tar.gz; write such a name");
      return exportArchive(endpoint, all, json ?? false);
    }
    if (zone === undefined) return refuse("missing required argument: write a zone, or --all and a folder");
    const query = at === undefined ? "" : `?${new URLSearchParams({ at: momentParameter(at) })}`;
    const response = await callRest(endpoint, "GET", `/domain/zonefile/${encodeURIComponent(zone)}${query}`);
    if (!response.body) throw new Error("The service sent no data; try again.");
    const target = output === undefined ? process.stdout : createWriteStream(output);
    const progress = new Progress();
    const isRead = output === undefined && process.stdout.isTTY;
    const counted = meter((bytes) => isRead || progress.show(`${zone}: ${megabytes(bytes)}`));
    await pipeline(Readable.fromWeb(response.body as ReadableStream), counted, target, { end: output !== undefined })
      .catch(async (error: NodeJS.ErrnoException) => {
        // EPIPE: the reader closed the pipe, as `head` does. This is not an error.
        if (output === undefined && error.code === "EPIPE") return;
        const { notWritten } = await import("../whole-file.ts");
        throw notWritten(
          error,
          `The zone cannot be written to ${output}`,
          "write the name of a file in a folder of yours",
        );
      })
      .finally(() => progress.end());
  },
});

async function exportArchive(endpoint: Endpoint, target: string, json: boolean): Promise<void> {
  const { exportAll } = await import("./archive.ts");
  const progress = new Progress();
  const zones = await exportAll(endpoint, target, progress.show).finally(() => progress.end());
  print(json, { target, zones }, `${target} has ${zones === 1 ? "1 zone" : `${zones} zones`}.`);
}
