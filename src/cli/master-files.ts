/** `import` and `export` stream master files of any size to and from the service. */
import { createReadStream, createWriteStream, type Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { type CommandRow, command, type Given, noteOption } from "./command-rows/command-row.ts";
import { callRest, type Endpoint, type ReasonBody, type RefusalBody, RefusedError } from "./service/client.ts";
import { userId } from "./service/identify.ts";
import { momentForms, momentParameter } from "./terminal/moment.ts";
import { megabytes, Progress } from "./terminal/progress.ts";
import { type ZoneSource, type ZoneSources, zoneOfFileName, zonesOfFolder, zonesOfNamedConf } from "./zone-sources.ts";

const importOptions = [
  ["--zone <zone>", "the zone (default: the file's name without .zone)"],
  ["--user <email>", "create the zone if it does not exist, for this user (e-mail address or id)"],
  ["--replace", "remove records that the file does not hold; it needs exactly one SOA"],
  ["--dry-run", "check the file and show the difference, change nothing"],
  ["--skip-unsupported", "leave out lines that no zone can hold, such as an ALIAS, and name them"],
  noteOption,
] as const;
type ImportOptions = Given<(typeof importOptions)[number][0]>["options"];

interface ImportResult {
  readonly change_id: number | null;
  readonly serial: number | null;
  readonly added: number;
  readonly removed: number;
  readonly added_records: readonly ImportedRecord[];
  readonly removed_records: readonly ImportedRecord[];
  readonly warnings: readonly string[];
}

interface ImportedRecord {
  readonly owner: string;
  readonly ttl: string;
  readonly type: string;
  readonly rdata: string;
}

export const importRow: CommandRow = command({
  words: "import <file>",
  description: "import a master file (- is standard input), or those of a folder or a named.conf, each all or nothing",
  options: importOptions,
  run: async ({ args: [file = ""], options }, { endpoint }) => {
    const stats = file === "-" ? undefined : await statsOf(file);
    if (stats?.isDirectory()) await importAll(endpoint, await zonesOfFolder(file), options);
    else if (file.endsWith(".conf") && options.zone === undefined)
      await importAll(endpoint, await zonesOfNamedConf(file), options);
    else await importZone(endpoint, { zone: options.zone ?? namedZone(file), file }, options);
  },
});

/** Imports zones one after the other, also after a refused one. Throws when one was refused. */
async function importAll(endpoint: Endpoint, { sources, skipped }: ZoneSources, options: ImportOptions): Promise<void> {
  if (options.zone !== undefined) throw new Error("--zone names one zone; leave it out for a folder or a named.conf.");
  let failures = 0;
  for (const source of sources) {
    try {
      await importZone(endpoint, source, options);
    } catch (error) {
      failures += 1;
      if (options.json && error instanceof RefusedError)
        console.log(JSON.stringify({ ...(error.body as object), zone: source.zone }));
      else for (const line of (error as Error).message.split("\n")) console.error(`${source.zone}: ${line}`);
    }
  }
  if (!options.json) for (const line of skipped) console.error(`skipped ${line}`);
  if (failures > 0) throw new Error(`${failures} of ${sources.length} zones were not imported; see above.`);
  if (sources.length === 0)
    throw new Error("There is no zone to import; name the files example.com.zone or db.example.com.");
}

async function importZone(endpoint: Endpoint, { zone, file }: ZoneSource, options: ImportOptions): Promise<void> {
  const query = new URLSearchParams({ mode: options.replace ? "replace" : "merge" });
  if (options.user) query.set("user_id", await ownerId(endpoint, options.user));
  if (options.dryRun) query.set("dry_run", "yes");
  if (options.skipUnsupported) query.set("skip_unsupported", "yes");
  const size = file === "-" ? undefined : (await statsOf(file)).size;
  const bar = new Progress();
  const source = file === "-" ? process.stdin : createReadStream(file);
  const onBytes = (sent: number) => bar.show(`sending ${zone}`, size === undefined ? undefined : sent / size);
  const stream = Readable.toWeb(source.pipe(meter(onBytes))) as ReadableStream;
  try {
    const response = await callRest(endpoint, "POST", `/domain/zonefile/${encodeURIComponent(zone)}?${query}`, {
      type: "text/dns",
      stream,
      accept: progressType,
      note: options.note,
    });
    const result = await resultOf(response, ({ step, done = 0, of }) =>
      bar.show(of || done === 0 ? `${step} ${zone}` : `${step} ${zone}: record ${done}`, of && done / of),
    );
    bar.end();
    console.log(options.json ? JSON.stringify({ zone, ...result }) : report(zone, result, options.dryRun ?? false));
  } catch (error) {
    throw error instanceof RefusedError ? new RefusedError(error.body, adviceOn(error.body, options)) : error;
  } finally {
    bar.end();
    source.destroy();
  }
}

/** Sentences about the options that help against a refusal. */
function adviceOn({ error, reasons = [] }: RefusalBody, { user, skipUnsupported }: ImportOptions): string[] {
  const advice: string[] = [];
  if (error === "NOT_FOUND" && user === undefined)
    advice.push("To create the zone, say for whom: --user you@example.com.");
  const isLeftOut = ({ code, owner, type }: ReasonBody) =>
    code === "UNSUPPORTED_TYPE" || (code === "RECORD_CONFLICT" && owner === "@" && type === "CNAME");
  if (!skipUnsupported && reasons.some(isLeftOut))
    advice.push("--skip-unsupported leaves out the lines that no zone can hold, and names them.");
  return advice;
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

function namedZone(file: string): string {
  const zone = file === "-" ? undefined : zoneOfFileName(file);
  if (zone !== undefined) return zone;
  throw new Error("The file's name does not contain the zone's; name it with --zone example.com.");
}

/** The id of a user; an id from before version 0.2 is shorter, and REST takes it. */
const ownerId = (endpoint: Endpoint, user: string) => (/^\d+$/.test(user) ? user : userId(endpoint, user));

async function statsOf(file: string): Promise<Stats> {
  try {
    return await stat(file);
  } catch (error) {
    throw new Error(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}); check its path.`);
  }
}

function report(zone: string, result: ImportResult, dryRun: boolean): string {
  const line = (sign: string) => (record: ImportedRecord) =>
    `${sign} ${record.owner} ${record.ttl} ${record.type} ${record.rdata}`;
  const difference = dryRun ? [...result.removed_records.map(line("-")), ...result.added_records.map(line("+"))] : [];
  const changesSoa = result.added_records.some(({ type }) => type === "SOA");
  const counts = (add: string, remove: string, change: string) =>
    `${add} ${result.added} and ${remove} ${result.removed} records${changesSoa ? `, and ${change} the SOA` : ""}`;
  const summary = dryRun
    ? `${zone}: would ${counts("add", "remove", "change")}`
    : result.change_id === null
      ? `${zone}: nothing to change`
      : `${zone}: ${counts("added", "removed", "changed")}, serial ${result.serial}`;
  return [...result.warnings.map((warning) => `warning: ${warning}`), ...difference, summary].join("\n");
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
  words: "export <zone>",
  description: "write a zone as a master file",
  options: [
    ["--at <moment>", `as it was: ${momentForms}`],
    ["--output <file>", "the file to write (default: standard output)"],
  ],
  run: async ({ args: [zone = ""], options: { at, output } }, { endpoint }) => {
    const query = at === undefined ? "" : `?${new URLSearchParams({ at: momentParameter(at) })}`;
    const response = await callRest(endpoint, "GET", `/domain/zonefile/${encodeURIComponent(zone)}${query}`);
    if (!response.body) throw new Error("The service sent no data; try again.");
    const target = output === undefined ? process.stdout : createWriteStream(output);
    const progress = new Progress();
    const isRead = output === undefined && process.stdout.isTTY;
    const counted = meter((bytes) => isRead || progress.show(`${zone}: ${megabytes(bytes)}`));
    await pipeline(Readable.fromWeb(response.body as ReadableStream), counted, target, { end: output !== undefined })
      .catch((error: NodeJS.ErrnoException) => {
        // EPIPE: the reader closed the pipe, as `head` does. This is not an error.
        if (output !== undefined || error.code !== "EPIPE") throw error;
      })
      .finally(() => progress.end());
  },
});
