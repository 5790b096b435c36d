/** `import` of files, of an export, of what a name server transfers and of a RESTKnot, and `compare`. */
import { createReadStream, existsSync, type Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { type CommandRow, command, type Given, noteOption } from "./command-rows/command-row.ts";
import { type ImportedRecord, type ImportResult, type MasterFile, sendAccepted } from "./master-files.ts";
import { callGraphql, type Endpoint, type ReasonBody, type RefusalBody, RefusedError } from "./service/client.ts";
import { exitCodes } from "./service/failure.ts";
import { userId, userIdOrNew } from "./service/identify.ts";
import { colouredLine } from "./terminal/difference.ts";
import { Progress } from "./terminal/progress.ts";
import {
  isArchive,
  type ZoneSource,
  type ZoneSources,
  zoneOfFileName,
  zonesOfFolder,
  zonesOfNamedConf,
} from "./zone-sources.ts";

const serverForms = "the name server, such as 192.0.2.1 or 192.0.2.1:5353";
const transferOptions = [
  ["--catalog <zone>", "the members of this catalog zone of the name server"],
  ["--zones <file>", "the zones of this file, one a line (- is standard input)"],
  ["--tsig <file>", "the TSIG key of the transfers: what tsig-keygen prints, or algorithm:name:secret"],
] as const;

const importOptions = [
  ["--zone <zone>", "the zone (default: the file's name without .zone)"],
  ["--user <email>", "create the zone if it does not exist, for this user (e-mail address or id)"],
  ["--replace", "remove records that the file does not hold; it needs exactly one SOA"],
  ["--dry-run", "check the file and show the difference, change nothing"],
  ["--skip-unsupported", "leave out lines that no zone can hold, such as an ALIAS, and name them"],
  ["--from <server>", `transfer zones from a name server: ${serverForms}`],
  ...transferOptions,
  ["--skip-refused", "with --from and restknot: leave out the records that are refused, and name them"],
  ["--key <file>", "with restknot: the file of its API key"],
  ["--ids <file>", "with restknot: the table of ids to write (default: restknot-ids.tsv)"],
  noteOption,
] as const;
type ImportGiven = Given<(typeof importOptions)[number][0]>;
type ImportOptions = ImportGiven["options"];
/** Where the zones come from, and how the results are printed. */
type Source = Pick<ImportOptions, "zones" | "catalog" | "key" | "json">;
type TransferGiven = Given<(typeof transferOptions)[number][0]>;

/** The number of zones that are transferred and imported at the same time. */
const transfersAtATime = 4;

export const importRow: CommandRow = command({
  words: "import [file...]",
  description:
    "import a master file (- is standard input), those of a folder, of an export or a named.conf, or zones of a name server or a RESTKnot (restknot URL), each all or nothing",
  options: importOptions,
  run: async (given, { endpoint }) => {
    const { args, options, refuse } = given;
    if (options.from !== undefined) {
      if (options.zone !== undefined) refuse("--zone goes with a file; with --from, write the zones themselves");
      return importAll(endpoint, await zonesOfServer(given, "--from", options.from), options, transfersAtATime);
    }
    const [file, ...more] = args;
    if (file === "restknot") return importRestknot(given, endpoint);
    if (file === undefined) return refuse("missing required argument: write a file, or --from and the zones");
    if (more.length > 0) refuse("too many arguments: name a folder for several files, or a name server with --from");
    if (options.catalog ?? options.zones ?? options.tsig ?? options.skipRefused)
      refuse("--catalog, --zones, --tsig and --skip-refused need --from");
    if (options.key ?? options.ids) refuse("--key and --ids go with restknot");
    const stats = file === "-" ? undefined : await statsOf(file);
    if (stats?.isDirectory()) await importFolder(endpoint, file, options);
    else if (isArchive(file)) {
      const { withUnpacked } = await import("./archive.ts");
      await withUnpacked(file, (folder) => importFolder(endpoint, folder, options));
    } else if (file.endsWith(".conf") && options.zone === undefined)
      await importFiles(endpoint, await zonesOfNamedConf(file), options);
    else await importAlone(endpoint, masterFile({ zone: options.zone ?? namedZone(file), file }), options);
  },
});

/** The zones of a name server that are named, listed in a file, or members of a catalog zone; `option` names the server. */
async function zonesOfServer({ args, options, refuse }: TransferGiven, option: string, place: string) {
  const { catalog, zones: list, tsig } = options;
  if ([args.length > 0, catalog !== undefined, list !== undefined].filter(Boolean).length !== 1)
    refuse(`with ${option}, write the zones, or --catalog, or --zones, and only one of them`);
  const { membersOf, nameServerOf, transferredZone } = await import("./transfers.ts");
  const server = await nameServerOf(option, place, tsig);
  const zones = list !== undefined ? await zonesIn(list) : args;
  return (catalog !== undefined ? await membersOf(server, catalog) : zones).map((each) =>
    transferredZone(server, each),
  );
}

/** Imports what a RESTKnot has; its zones replace those of the same name. */
async function importRestknot({ args: [, url, more], options, refuse }: ImportGiven, endpoint: Endpoint) {
  const { key, ids = "restknot-ids.tsv", dryRun } = options;
  if (url === undefined || key === undefined || more !== undefined)
    return refuse("write restknot, its URL, and --key with the file of its API key");
  const { readRestknot } = await import("./restknot.ts");
  const bar = new Progress();
  const source = await readRestknot(endpoint, url, key, bar.show).finally(() => bar.end());
  const run = () => importAll(endpoint, source.zones, { ...options, replace: true }, transfersAtATime);
  if (dryRun) return run();
  await source.createUsers();
  await run().finally(() => source.writeIds(ids));
  if (!options.json) console.error(`${ids} has the ids of RESTKnot, and those of now.`);
}

/** The zones in a file, one a line, with empty lines and comments (# or ;). */
async function zonesIn(file: string): Promise<string[]> {
  const { parseZoneName } = await import("../dns/name.ts");
  const content = file === "-" ? text(process.stdin) : readFile(file, "utf8");
  const lines = (await content.catch(cannotBeRead(`--zones: ${file}`))).split("\n").map((line) => line.trim());
  const parsed = (line: string, at: number) => {
    try {
      return parseZoneName(line);
    } catch (error) {
      throw new Error(`--zones: line ${at + 1}: ${(error as Error).message}`);
    }
  };
  return lines.flatMap((line, at) => (/^([#;]|$)/.test(line) ? [] : parsed(line, at)));
}

const cannotBeRead = (what: string) => (error: NodeJS.ErrnoException) => {
  throw new Error(`${what} cannot be read (${error.code}); check its path.`);
};

/** Imports the zones of an export with their owners, labels and notes, or those that the files of a folder are named after. */
async function importFolder(endpoint: Endpoint, folder: string, options: ImportOptions): Promise<void> {
  const { annotate, archivedZones } = await import("./archive.ts");
  const zones = await archivedZones(folder);
  if (!zones) return importFiles(endpoint, await zonesOfFolder(folder), options);
  const files = zones.map((archived) => ({
    ...masterFile({ zone: archived.zone, file: join(folder, basename(archived.file)) }),
    user: archived.user,
    onImported: () => annotate(endpoint, archived),
  }));
  return importAll(endpoint, files, options, transfersAtATime);
}

async function importFiles(endpoint: Endpoint, { sources, skipped }: ZoneSources, options: ImportOptions) {
  const nameSkipped = () => {
    if (!options.json) for (const line of skipped) console.error(`skipped ${line}`);
  };
  await importAll(endpoint, sources.map(masterFile), options, 1).finally(nameSkipped);
}

/** Why there is nothing to do. */
function noZone({ zones, catalog, key }: Source): string {
  if (key !== undefined) return "RESTKnot has no zone; there is nothing to import.";
  if (zones !== undefined) return `--zones: ${zones} has no zone; write one a line.`;
  if (catalog !== undefined) return `--catalog: ${catalog} has no member; check its name.`;
  return "There is no zone to import; name the files example.com.zone or db.example.com.";
}

/** Imports `atATime` zones at the same time. */
async function importAll(endpoint: Endpoint, files: readonly MasterFile[], options: ImportOptions, atATime: number) {
  if (options.zone !== undefined) throw new Error("--zone names one zone; leave it out where there are several.");
  const ownerId = ownersOf(endpoint, options);
  // Fails once, not for each zone.
  if (options.user !== undefined || options.dryRun) await ownerId(files[0]?.user);
  const run: ZoneWork = (file, show) => importZone(endpoint, file, options, { ownerId, show });
  await forEachZone(files, options, { atATime, run, verb: "imported" });
}

/** Returns what prints the result. */
type ZoneWork = (file: MasterFile, show: Progress["show"]) => Promise<() => void>;

interface Work {
  readonly atATime: number;
  readonly run: ZoneWork;
  readonly verb: "imported" | "compared";
}

/** Runs the work for each zone, and prints the results in the order of the zones. Throws in the end when one failed. */
async function forEachZone(files: readonly MasterFile[], options: Source, { atATime, run, verb }: Work) {
  if (files.length === 0) throw new Error(noZone(options));
  const bar = new Progress();
  const waiting = files.entries();
  const reports: (() => void)[] = [];
  let [done, failures, printed] = [0, 0, 0];
  const show = (step: string) => bar.show(`${done} of ${files.length} zones, ${step}`, done / files.length);
  const runWaiting = async () => {
    for (const [at, file] of waiting) {
      reports[at] = await run(file, show).catch((error) => {
        failures += 1;
        return () => printRefusal(file.zone, error, options);
      });
      done += 1;
      bar.end();
      for (; printed in reports; printed += 1) {
        reports[printed]?.();
        delete reports[printed];
      }
    }
  };
  await Promise.all(Array.from({ length: atATime }, runWaiting));
  if (failures > 0) throw new Error(`${failures} of ${files.length} zones were not ${verb}; see above.`);
}

function printRefusal(zone: string, error: unknown, { json }: Source): void {
  if (json && error instanceof RefusedError) console.log(JSON.stringify({ ...(error.body as object), zone }));
  else for (const line of (error as Error).message.split("\n")) console.error(`${zone}: ${line}`);
}

async function importAlone(endpoint: Endpoint, file: MasterFile, options: ImportOptions): Promise<void> {
  const bar = new Progress();
  const steps = { ownerId: ownersOf(endpoint, options), show: bar.show };
  const report = await importZone(endpoint, file, options, steps).finally(() => bar.end());
  report();
}

interface Steps {
  readonly ownerId: ReturnType<typeof ownersOf>;
  readonly show: Progress["show"];
}

async function importZone(endpoint: Endpoint, file: MasterFile, options: ImportOptions, { ownerId, show }: Steps) {
  const { zone } = file;
  const query = new URLSearchParams({ mode: options.replace ? "replace" : "merge" });
  const owner = await ownerId(file.user);
  if (owner !== undefined) query.set("user_id", owner);
  if (options.dryRun) query.set("dry_run", "yes");
  if (options.skipUnsupported) query.set("skip_unsupported", "yes");
  const result = await sendAccepted(endpoint, file, query, { ...options, show }).catch((error) => {
    throw error instanceof RefusedError ? new RefusedError(error.body, adviceOn(error.body, options)) : error;
  });
  if (!options.dryRun) await file.onImported?.();
  if (options.json) return () => console.log(JSON.stringify({ zone, ...result }));
  return () => {
    console.log(report(zone, result, options.dryRun ?? false));
    for (const message of result.left_out) console.log(`left out: ${message}`);
  };
}

/** Sentences about the options that help against a refusal. */
function adviceOn({ error, reasons = [] }: RefusalBody, options: ImportOptions): string[] {
  const { user, skipUnsupported, skipRefused, from, key } = options;
  const advice: string[] = [];
  if (error === "NOT_FOUND" && user === undefined)
    advice.push("To create the zone, say for whom: --user you@example.com.");
  const isLeftOut = ({ code, owner, type }: ReasonBody) =>
    code === "UNSUPPORTED_TYPE" || (code === "RECORD_CONFLICT" && owner === "@" && type === "CNAME");
  if ((from ?? key) !== undefined) {
    if (!skipRefused && reasons.some(({ line }) => line !== undefined))
      advice.push("--skip-refused leaves out the records that are refused, and names them.");
  } else if (!skipUnsupported && reasons.some(isLeftOut))
    advice.push("--skip-unsupported leaves out the lines that no zone can hold, and names them.");
  return advice;
}

/** BIND writes dynamic updates into a journal first. */
const journalWarning = (file: string) =>
  `${file}.jnl has changes that the file may lack; run rndc sync -clean first, or import with --from.`;

const masterFile = ({ zone, file, warning }: ZoneSource): MasterFile => ({
  zone,
  warnings: [...(existsSync(`${file}.jnl`) ? [journalWarning(file)] : []), ...(warning ? [warning] : [])],
  open: async () =>
    file === "-" ? { stream: process.stdin } : { octets: (await statsOf(file)).size, stream: createReadStream(file) },
});

function namedZone(file: string): string {
  const zone = file === "-" ? undefined : zoneOfFileName(file);
  if (zone !== undefined) return zone;
  throw new Error("The file's name does not contain the zone's; name it with --zone example.com.");
}

/**
 * Returns a function that returns the id of the owner of a new zone, and reads each once: of --user, or of the user in an archive, who is
 * created if need be.
 */
function ownersOf(endpoint: Endpoint, { user, dryRun }: ImportOptions) {
  const ids = new Map<string, Promise<string>>();
  // An id from version 0.1 is shorter, and REST takes it.
  const readNamed = async (named: string) => (/^\d+$/.test(named) ? named : userId(endpoint, named));
  return async (archived: string | undefined): Promise<string | undefined> => {
    const owner = user ?? archived;
    if (owner === undefined) return undefined;
    const id =
      ids.get(owner) ?? (user === undefined ? userIdOrNew(endpoint, owner, dryRun ?? false) : readNamed(owner));
    ids.set(owner, id);
    return id;
  };
}

const statsOf = (file: string): Promise<Stats> => stat(file).catch(cannotBeRead(file));

function report(zone: string, result: ImportResult, dryRun: boolean): string {
  const difference = dryRun ? differenceOf(result) : [];
  const changesSoa = result.added_records.some(({ type }) => type === "SOA");
  const counts = (add: string, remove: string, change: string) =>
    `${add} ${result.added} and ${remove} ${result.removed} records${changesSoa ? `, and ${change} the SOA` : ""}`;
  const head = dryRun
    ? `${zone}: would ${counts("add", "remove", "change")}`
    : result.change_id === null
      ? `${zone}: nothing to change`
      : `${zone}: ${counts("added", "removed", "changed")}, serial ${result.serial}`;
  return [head, ...result.warnings.map((warning) => `warning: ${warning}`), ...difference].join("\n");
}

const differenceOf = ({ added_records, removed_records }: Pick<ImportResult, "added_records" | "removed_records">) => [
  ...removed_records.map(lineOf("-")),
  ...added_records.map(lineOf("+")),
];

const lineOf =
  (sign: string) =>
  ({ owner, ttl, type, rdata }: ImportedRecord) =>
    `${sign} ${owner} ${ttl} ${type} ${rdata}`;

/** A record as `compare` shows it: a dry run gives the SOA a serial that no server has. */
const withoutSerial = (record: ImportedRecord): ImportedRecord =>
  record.type === "SOA" ? { ...record, rdata: record.rdata.replace(/ \d+ /, " 0 ") } : record;

export const adoptDocument = `mutation ($input: CreateChangeSetInput!) {
  createChangeSet(input: $input) { changeSet { id } } }`;

/** Stages the records of a name server, but for those of signing, as a change set of the zone; returns its id. */
async function adopted(endpoint: Endpoint, { zone, open }: MasterFile, place: string): Promise<string> {
  const { isSigning } = await import("./transfers.ts");
  const lines = (await text((await open()).stream)).split("\n");
  const kept = lines.filter((line) => !isSigning(line.split(" ")[3] ?? "")).join("\n");
  const staged = { zone, text: kept, mode: "REPLACE" as const, skipUnsupported: true };
  const input = { title: `${zone} as ${place} has it`, zones: [{ import: staged }] };
  return (await callGraphql(endpoint, adoptDocument, { input })).createChangeSet.changeSet.id;
}

export const compareRow: CommandRow = command({
  words: "compare [zone...]",
  description: "show what differs between zones and the copies of a name server: - is only here, + is only there",
  help: `Serials are not compared, and are shown as 0; records that signing adds are left out. The exit code is ${exitCodes.failed} when something differs.`,
  options: [
    ["--with <server>", serverForms, (option) => option.makeOptionMandatory()],
    ...transferOptions,
    ["--adopt", "stage what differs there, as a change set for each zone"],
  ],
  run: async (given, { endpoint, isColoured }) => {
    const { options } = given;
    const { with: place = "" } = options;
    const { isSigning } = await import("./transfers.ts");
    const query = new URLSearchParams({ mode: "replace", dry_run: "yes" });
    const compared = (records: readonly ImportedRecord[]) =>
      records.filter(({ type }) => !isSigning(type)).map(withoutSerial);
    const run: ZoneWork = async (file, show) => {
      const { left_out, ...result } = await sendAccepted(endpoint, file, query, { skipRefused: true, show });
      const [only_here, only_there] = [compared(result.removed_records), compared(result.added_records)];
      const lines = differenceOf({ removed_records: only_here, added_records: only_there });
      const difference = [...lines, ...left_out.map((message) => `+ ${message}`)];
      if (difference.length > 0) process.exitCode = exitCodes.failed;
      const change_set = options.adopt && lines.length > 0 ? await adopted(endpoint, file, place) : undefined;
      if (options.json)
        return () => console.log(JSON.stringify({ zone: file.zone, only_here, only_there, left_out, change_set }));
      return () => {
        console.log(`${file.zone}: ${place} has ${difference.length > 0 ? "other" : "the same"} records`);
        for (const line of difference) console.log(colouredLine(line, isColoured));
        if (change_set) console.log(`Change set ${change_set} adopts it: zonesmith changeset preview ${change_set}`);
      };
    };
    const files = await zonesOfServer(given, "--with", place);
    await forEachZone(files, options, { atATime: transfersAtATime, run, verb: "compared" });
  },
});
