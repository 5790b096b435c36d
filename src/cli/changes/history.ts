/**
 * `history`, `blame`, `deleted`, `diff`, `revert` and `restore`. What writes shows first what it would do, and asks.
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { Command } from "commander";
import { addCommand, type CommandRow, type Given, noteOption, runRow } from "../command-rows/command-row.ts";
import { allChangesRow, blameRow, changesRow, deletedRow, timeOf, versionsRow } from "../command-rows/history-rows.ts";
import { isBackupFile } from "../service/backup-file.ts";
import { callGraphql, callRest, type Endpoint, RefusedError } from "../service/client.ts";
import { exitCodes } from "../service/failure.ts";
import { userId } from "../service/identify.ts";
import { confirm } from "../terminal/confirmation.ts";
import { colouredLine, printDifference, type RrsetDiff } from "../terminal/difference.ts";
import { momentForms, momentParameter, readMoment, timeForms } from "../terminal/moment.ts";
import { print } from "../terminal/print.ts";
import { wrapped } from "../terminal/table.ts";
import { applyDraft } from "./apply-draft.ts";
import { type Loss, lossText, type Preview, previewFields, printPreview, type Terminal } from "./preview.ts";

/** The options of what goes back. */
interface ReturnOptions {
  readonly by?: string;
  readonly changeset?: string;
  readonly since?: string;
  readonly zones?: readonly string[];
  readonly skipConflicts?: boolean;
  readonly note?: string;
  readonly draft?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly change?: string;
  readonly id?: boolean;
  readonly user?: string;
  readonly anySecretKey?: boolean;
}

/** Restores the backup in a file. */
type RestoreFile = (file: string, options: Pick<ReturnOptions, "dryRun" | "anySecretKey">) => Promise<void>;

/** Adds the commands. */
export function historyCommands(program: Command, terminal: Terminal, restoreFile: RestoreFile): void {
  for (const row of [changesRow, blameRow, deletedRow])
    addCommand(
      program,
      row,
      (given) => runRow(row === changesRow ? changesRowOf(given) : row, given, terminal.endpoint()),
      row.words,
    );
  program
    .command("diff <zone> <from> [to]")
    .description("show what differs between two moments, or since one, and who did it")
    .addHelpText("after", `\n${wrapped(`A moment is ${momentForms}.`, 80).join("\n")}`)
    .action((zone: string, from: string, to: string | undefined) => printDiff(terminal, zone, from, to));
  const returning = (command: Command) =>
    command
      .option(...noteOption)
      .option("--dry-run", "show what would change, and change nothing")
      .option("--yes", "do not ask whether it is meant");
  returning(program.command("revert [zone] [moment]"))
    .description("make a zone what it was, or undo one change or many")
    .addHelpText("after", `\n${wrapped(`A moment is ${momentForms}.`, 80).join("\n")}`)
    .option("--change <id>", "undo this change instead, whatever came after it elsewhere in the zone")
    .option("--by <actor>", "undo all changes of this actor, with --since")
    .option("--changeset <id>", "undo the changes of this change set")
    .option("--since <time>", `with --by: the changes since ${timeForms}`)
    .option("--zones <zone...>", "of these only those of these zones; * is any characters")
    .option("--skip-conflicts", "leave what was changed again since, instead of undoing nothing")
    .option("--draft", "leave the undoing of several as a change set, to be reviewed or applied later")
    .action((zone: string | undefined, moment: string | undefined, _options: unknown, command: Command) =>
      revert(terminal, [zone, moment], command.optsWithGlobals<ReturnOptions>(), command),
    );
  returning(program.command("restore <zone-or-file>"))
    .description(
      "bring a deleted domain back with all its records; or restore a backup, a file that ends in .gz, into an empty database",
    )
    .option("--id", "what is written is the id of the domain, of several of one name")
    .option("--user <user>", "who will own it, by e-mail address or id (default: who did)")
    .option("--any-secret-key", "of a backup: also where SECRET_KEY does not open the TSIG secrets in it")
    .action((what: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ReturnOptions>();
      if (!isBackupFile(what)) return restore(terminal.endpoint(), what, options);
      const { id, user, note } = options;
      if (id !== undefined || user !== undefined || note !== undefined)
        command.error("error: --id, --user and --note are for a domain; a backup is restored without them", {
          exitCode: 2,
        });
      return restoreFile(what, options);
    });
}

/** The row that lists changes: those of an RRset, of a zone, of a type, or of all zones. */
function changesRowOf({ args, options }: Given): CommandRow {
  if (args.length === 0 || (options.type !== undefined && !args[2])) return allChangesRow;
  return args[2] ? versionsRow : changesRow;
}

/** Prints a difference as it arrives. */
async function printDiff(
  { endpoint, isColoured }: Terminal,
  zone: string,
  from: string,
  to: string | undefined,
): Promise<void> {
  const query = new URLSearchParams({ from: momentParameter(from), ...(to && { to: momentParameter(to) }) });
  const response = await callRest(endpoint(), "GET", `/domain/diff/${encodeURIComponent(zone)}?${query}`);
  if (!response.body) throw new Error("The service sent no data; try again.");
  const warning = response.headers.get("X-Warning");
  if (warning !== null) console.error(`warning: ${warning}`);
  const lines = createInterface({
    input: Readable.fromWeb(response.body as ReadableStream),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) console.log(colouredLine(line, isColoured));
}

const reverted =
  "notices { message } change { id serial } loss { lostCount recordCount isLarge } diff { owner type lines { op ttl rdata } }";
export const revertDomainDocument = `mutation ($input: RevertDomainInput!) { revertDomain(input: $input) { ${reverted} } }`;
export const revertChangeDocument = `mutation ($input: RevertChangeInput!) { revertChange(input: $input) { ${reverted} } }`;
export const restoreDocument = `mutation ($input: RestoreDomainInput!) { restoreDomain(input: $input) {
  notices { message } recordCount change { id serial } domain { zone id } } }`;
export const serialDocument = "query ($zone: String!) { domain(by: { zone: $zone }) { zone serial } }";
export const changeDocument = "query ($id: ID!) { change(id: $id) { zone } }";

interface Reverted {
  readonly notices: readonly { readonly message: string }[];
  readonly change: { readonly id: string; readonly serial: number } | null;
  readonly diff: readonly RrsetDiff[];
  /** What it takes away from the zone. */
  readonly loss: Loss & { readonly isLarge: boolean };
}

/** Goes back to a moment, or behind one change: shows the difference, asks, and does it if the zone is still what was shown. */
async function revert(
  terminal: Terminal,
  [zone, moment]: readonly [string | undefined, string | undefined],
  options: ReturnOptions,
  command: Command,
): Promise<void> {
  const { change: id, note, dryRun = false, yes = false, json = false } = options;
  if (options.by !== undefined || options.changeset !== undefined) {
    if (zone !== undefined || id !== undefined)
      command.error("error: --by and --changeset go without a zone and --change; write --zones", { exitCode: 2 });
    return revertMany(terminal, options, command);
  }
  if ((id === undefined) === (moment === undefined))
    command.error("error: write a zone and a moment, or --change and the id of a change", { exitCode: 2 });
  const { since, zones, skipConflicts, draft } = options;
  if (since !== undefined || zones !== undefined || skipConflicts || draft)
    command.error("error: --since, --zones, --skip-conflicts and --draft go with --by or --changeset", { exitCode: 2 });
  const { isColoured } = terminal;
  const endpoint = terminal.endpoint();
  const changed = id === undefined ? undefined : await zoneOfChange(endpoint, id);
  const { domain } = await callGraphql<{ domain: { zone: string; serial: number } }>(endpoint, serialDocument, {
    zone: zone ?? changed,
  });
  const name = domain.zone;
  if (changed !== undefined && changed !== name)
    throw new Error(`Change ${id} is of ${changed}, not of ${name}; leave out the zone, or write ${changed}.`);
  const run = async (terms: Record<string, unknown>) => {
    const input =
      id === undefined ? { by: { zone }, to: readMoment(moment as string), ...terms } : { changeId: id, ...terms };
    const document = id === undefined ? revertDomainDocument : revertChangeDocument;
    return Object.values(await callGraphql<Record<string, Reverted>>(endpoint, document, { input }))[0] as Reverted;
  };
  const planned = await run({ dryRun: true, expectedSerial: domain.serial });
  if (!json) printDifference(planned.diff, isColoured);
  if (planned.diff.length === 0) {
    process.exitCode = exitCodes.nothingToDo;
    return print(json, planned, `${name} is so already; nothing was changed.`);
  }
  const { loss } = planned;
  const consequence = `This changes ${name} as shown.${loss.isLarge ? ` ${lossText(name, loss)}` : ""}`;
  if (dryRun && !json && loss.isLarge) console.log(`! ${lossText(name, loss)}`);
  if (dryRun) return print(json, planned, `${name} would be changed as shown; nothing was changed.`);
  if (!yes) await confirm({ consequence, expected: "yes", called: "yes" });
  const result = await run({ note, expectedSerial: domain.serial });
  for (const { message } of result.notices) console.error(`warning: ${message}`);
  print(json, result, `${name} is at serial ${result.change?.serial} by change ${result.change?.id}.`);
}

/** The zone that a change changed. */
async function zoneOfChange(endpoint: Endpoint, id: string): Promise<string> {
  return (await callGraphql<{ change: { zone: string } }>(endpoint, changeDocument, { id })).change.zone;
}

interface Restored extends Omit<Reverted, "diff" | "loss"> {
  readonly recordCount: number;
  readonly domain: { readonly zone: string; readonly id: string } | null;
}

/** Brings a deleted domain back, after a question. */
async function restore(endpoint: Endpoint, zone: string, options: ReturnOptions): Promise<void> {
  const { id: isId, user, note, dryRun = false, yes = false, json = false } = options;
  const by = isId ? { id: zone } : { zone };
  const target = { by, ...(user !== undefined && { userId: await userId(endpoint, user) }) };
  const run = async (terms: Record<string, unknown>) =>
    (await callGraphql<{ restoreDomain: Restored }>(endpoint, restoreDocument, { input: { ...target, ...terms } }))
      .restoreDomain;
  const planned = await run({ dryRun: true }).catch((error) => {
    if (isId || !/^\d+$/.test(zone) || !(error instanceof RefusedError)) throw error;
    throw new RefusedError(error.body, [`If ${zone} is the id of a domain, write --id.`]);
  });
  if (dryRun) return print(json, planned, `${zone} would come back with ${planned.recordCount} records.`);
  const consequence = `This brings ${zone} back with ${planned.recordCount} records.`;
  if (!yes) await confirm({ consequence, expected: "yes", called: "yes" });
  const result = await run({ note });
  for (const { message } of result.notices) console.error(`warning: ${message}`);
  const { domain, change, recordCount } = result;
  print(json, result, `${domain?.zone} is back with ${recordCount} records, at serial ${change?.serial}.`);
}

const revertedMany = "selectedCount alreadyRevertedCount conflicts { zone message }";
export const revertManyDocument = `mutation ($input: RevertChangesInput!) { revertChanges(input: $input) { ${revertedMany} changeSet { id } } }`;
export const dryRevertManyDocument = `mutation ($input: RevertChangesInput!) { revertChanges(input: $input) { ${revertedMany} preview { ${previewFields} } } }`;

interface RevertedMany {
  readonly selectedCount: number;
  readonly alreadyRevertedCount: number;
  readonly conflicts: readonly { readonly zone: string; readonly message: string }[];
  readonly changeSet?: { readonly id: string } | null;
  readonly preview?: Preview | null;
}

/** A refusal because of later changes, with the option that leads past it. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof RefusedError) || error.body.error !== "CHANGE_CONFLICT") return error;
  return new RefusedError(error.body, ["--skip-conflicts leaves these as they are, and undoes the others."]);
}

/** Undoes the changes of an actor since a time, or those of a change set. */
async function revertMany(terminal: Terminal, options: ReturnOptions, command: Command): Promise<void> {
  const { by, changeset, since, zones, note, skipConflicts = false, dryRun = false, json = false } = options;
  if (by !== undefined && (since === undefined || changeset !== undefined))
    command.error("error: --by goes with --since, and without --changeset", { exitCode: 2 });
  const selection =
    by === undefined ? { changeSetId: changeset } : { filter: { actor: by, createdSince: timeOf(since as string) } };
  const input = { by: selection, zones, title: note, skipConflicts, dryRun };
  const { revertChanges } = await callGraphql<{ revertChanges: RevertedMany }>(
    terminal.endpoint(),
    dryRun ? dryRevertManyDocument : revertManyDocument,
    { input },
  ).catch((error) => Promise.reject(withAdvice(error)));
  const { selectedCount, alreadyRevertedCount, conflicts, changeSet, preview } = revertChanges;
  if (!json) {
    const undone = alreadyRevertedCount > 0 ? `; ${alreadyRevertedCount} of them undone already` : "";
    console.log(`${selectedCount} ${selectedCount === 1 ? "change is" : "changes are"} selected${undone}.`);
    for (const { zone, message } of conflicts) console.log(`left out: ${zone}: ${message}`);
    if (preview) printPreview(preview, terminal);
  }
  if (changeSet) return applyDraft(terminal, changeSet.id, options);
  print(json, revertChanges, "Nothing was changed.");
  if (preview ? !preview.applicable : conflicts.length > 0) process.exitCode = exitCodes.stale;
  else if (!preview) process.exitCode = exitCodes.nothingToDo;
}
