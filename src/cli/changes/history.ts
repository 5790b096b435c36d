/** `diff`, `revert` and `restore`. Those that write show first what they would do, and ask. */
import { closeSync, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import {
  type CommandRow,
  command,
  dryRunOption,
  type Given,
  noteOption,
  type Terminal,
  yesOption,
} from "../command-rows/command-row.ts";
import { idOption, timeOf } from "../command-rows/history-rows.ts";
import { callGraphql, callRest, RefusedError } from "../service/client.ts";
import { exitCodes } from "../service/failure.ts";
import { userId } from "../service/identify.ts";
import { carryOut } from "../terminal/confirmation.ts";
import { colouredLine, printDifference } from "../terminal/difference.ts";
import { momentForms, momentParameter, readMoment, timeForms } from "../terminal/moment.ts";
import { print } from "../terminal/print.ts";
import { wrapped } from "../terminal/table.ts";
import { applyBulk } from "./change-sets.ts";
import { lossText, previewFields } from "./preview.ts";

const momentHelp = wrapped(`A moment is ${momentForms}.`, 80).join("\n");

export const diffRow: CommandRow = {
  words: "diff <zone> <from> [to]",
  description: "show what differs between two moments, or since one, and who did it",
  help: momentHelp,
  run: async ({ args: [zone = "", from = "", to] }, { endpoint, isColoured }) => {
    const query = new URLSearchParams({ from: momentParameter(from), ...(to && { to: momentParameter(to) }) });
    const response = await callRest(endpoint, "GET", `/domain/diff/${encodeURIComponent(zone)}?${query}`);
    if (!response.body) throw new Error("The service sent no data; try again.");
    const warning = response.headers.get("X-Warning");
    if (warning !== null) console.error(`warning: ${warning}`);
    const input = Readable.fromWeb(response.body as ReadableStream);
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    for await (const line of lines) console.log(colouredLine(line, isColoured));
  },
};

const reverted =
  "notices { message } change { id serial } loss { lostCount recordCount isLarge } diff { owner type lines { op ttl rdata } }";
export const revertDomainDocument =
  `mutation ($input: RevertDomainInput!) { revertDomain(input: $input) { ${reverted} } }` as const;
export const revertChangeDocument =
  `mutation ($input: RevertChangeInput!) { revertChange(input: $input) { ${reverted} } }` as const;
export const serialDocument =
  "query ($zone: String!) { domain(by: { zone: $zone }) { zone serial review user { review } } }";
export const changeDocument = "query ($id: ID!) { change(id: $id) { zone } }";

const revertOptions = [
  noteOption,
  dryRunOption,
  yesOption,
  ["--change <id>", "undo this change instead, whatever came after it elsewhere in the zone"],
  ["--by <actor>", "undo all changes of this actor, with --since"],
  ["--changeset <id>", "undo the changes of this change set"],
  ["--since <time>", `with --by: the changes since ${timeForms}`],
  ["--zones <zone...>", "of these only those of these zones; * is any characters"],
  ["--skip-conflicts", "leave what was changed again since, instead of undoing nothing"],
  ["--draft", "leave the undoing of several as a change set, to be reviewed or applied later"],
] as const;
type RevertGiven = Given<(typeof revertOptions)[number][0]>;

export const revertRow: CommandRow = command({
  words: "revert [zone] [moment]",
  description: "make a zone what it was, or undo one change or many",
  help: momentHelp,
  options: revertOptions,
  run: (given, terminal) => {
    const { args, options, refuse } = given;
    const { change, by, changeset, since, zones, skipConflicts, draft } = options;
    if (by !== undefined || changeset !== undefined) {
      if (args.length > 0 || change !== undefined)
        refuse("--by and --changeset go without a zone and --change; write --zones");
      return revertMany(given, terminal);
    }
    if ((change === undefined) === (args[1] === undefined))
      refuse("write a zone and a moment, or --change and the id of a change");
    if (since !== undefined || zones !== undefined || skipConflicts || draft)
      refuse("--since, --zones, --skip-conflicts and --draft go with --by or --changeset");
    return revert(given, terminal);
  },
});

/** Returns a zone to an earlier moment, or undoes one change. Refused when the zone was changed after the difference was shown. */
async function revert({ args, options }: RevertGiven, { endpoint, isColoured }: Terminal): Promise<void> {
  const { change: id, note, dryRun = false, json = false } = options;
  const [zone, moment = ""] = args;
  const changed = id === undefined ? undefined : (await callGraphql(endpoint, changeDocument, { id })).change.zone;
  const { domain } = await callGraphql(endpoint, serialDocument, { zone: zone ?? changed ?? "" });
  const { zone: name, serial: expectedSerial } = domain;
  const review = domain.review ?? domain.user?.review ?? "NONE";
  if (changed !== undefined && changed !== name)
    throw new Error(`Change ${id} is of ${changed}, not of ${name}; leave out the zone, or write ${changed}.`);
  const run = async (more: { readonly dryRun?: boolean; readonly note?: string }) => {
    const terms = { ...more, expectedSerial };
    if (id !== undefined)
      return (await callGraphql(endpoint, revertChangeDocument, { input: { changeId: id, ...terms } })).revertChange;
    const input = { by: { zone: name }, to: readMoment(moment), ...terms };
    return (await callGraphql(endpoint, revertDomainDocument, { input })).revertDomain;
  };
  const planned = await run({ dryRun: true });
  if (!json) printDifference(planned.diff, isColoured);
  if (planned.diff.length === 0) {
    process.exitCode = exitCodes.nothingToDo;
    return print(json, planned, `${name} is so already; nothing was changed.`);
  }
  const { loss } = planned;
  if (dryRun && !json && loss?.isLarge) console.log(`! ${lossText(name, loss)}`);
  await carryOut(options, {
    planned,
    wouldDo: `${name} would be changed as shown; nothing was changed.${review === "NONE" ? "" : byChangeSet(name, review)}`,
    consequence: `This changes ${name} as shown.${loss?.isLarge ? ` ${lossText(name, loss)}` : ""}`,
    run: () => run({ note }),
    sentenceOf: ({ change }) => `${name} is at serial ${change?.serial} by change ${change?.id}.`,
  });
}

/** Says how a zone with a review policy is changed. */
const byChangeSet = (zone: string, review: string) =>
  ` It is changed by change sets alone (its review is ${review}): write zonesmith changeset create "TITLE" and, with the ID that it prints, zonesmith changeset stage ID ${zone} --revert-to MOMENT.`;

export const revertManyDocument =
  `mutation ($input: RevertChangesInput!, $isDry: Boolean!) { revertChanges(input: $input) {
  selectedCount alreadyRevertedCount conflicts { zone message }
  changeSet @skip(if: $isDry) { id } preview @include(if: $isDry) { ${previewFields} } } }` as const;

/** Undoes the changes of an actor since a time, or those of a change set. */
async function revertMany({ options, refuse }: RevertGiven, terminal: Terminal): Promise<void> {
  const { by: actor, changeset, since, zones, note: title, skipConflicts = false, dryRun = false, json } = options;
  if (actor !== undefined && (since === undefined || changeset !== undefined))
    refuse("--by goes with --since, and without --changeset");
  const by =
    actor === undefined ? { changeSetId: changeset ?? "" } : { filter: { actor, createdSince: timeOf(since) } };
  const input = { by, zones, title, skipConflicts, dryRun };
  const { revertChanges } = await callGraphql(terminal.endpoint, revertManyDocument, { input, isDry: dryRun }).catch(
    (error) => Promise.reject(withAdvice(error)),
  );
  const { selectedCount, alreadyRevertedCount, conflicts, changeSet, preview } = revertChanges;
  if (!json) {
    const undone = alreadyRevertedCount > 0 ? `; ${alreadyRevertedCount} of them undone already` : "";
    console.log(`${selectedCount} ${selectedCount === 1 ? "change is" : "changes are"} selected${undone}.`);
    for (const { zone, message } of conflicts) console.log(`left out: ${zone}: ${message}`);
  }
  await applyBulk(terminal, revertChanges, options);
  if (changeSet) return;
  if (preview ? !preview.applicable : conflicts.length > 0) process.exitCode = exitCodes.stale;
  else if (!preview) process.exitCode = exitCodes.nothingToDo;
}

/**
 * Adds the option `--skip-conflicts` as advice to a CHANGE_CONFLICT refusal (the records were changed again later); returns any other error
 * unchanged.
 */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof RefusedError) || error.body.error !== "CHANGE_CONFLICT") return error;
  return new RefusedError(error.body, ["--skip-conflicts leaves these as they are, and undoes the others."]);
}

export const restoreDocument = `mutation ($input: RestoreDomainInput!) { restoreDomain(input: $input) {
  notices { message } recordCount change { id serial } domain { zone id } } }`;

const restoreOptions = [
  noteOption,
  dryRunOption,
  yesOption,
  idOption,
  ["--user <user>", "who will own it, by e-mail address or id (default: who did)"],
  ["--any-secret-key", "of a backup: also where SECRET_KEY does not open the TSIG secrets in it"],
] as const;
type RestoreGiven = Given<(typeof restoreOptions)[number][0]>;

/** `restoreFile` restores a backup. */
export const restoreRow = (
  restoreFile: (file: string, options: RestoreGiven["options"]) => Promise<void>,
): CommandRow =>
  command({
    words: "restore <zone-or-file>",
    description:
      "bring a deleted domain back with all its records; or restore a backup, a file that ends in .gz, into an empty database",
    options: restoreOptions,
    run: (given, terminal) => {
      const [what = ""] = given.args;
      if (!isBackupFile(what)) return restore(what, given, terminal);
      const { id, user, note } = given.options;
      if (id !== undefined || user !== undefined || note !== undefined)
        given.refuse("--id, --user and --note are for a domain; a backup is restored without them");
      return restoreFile(what, given.options);
    },
  });

/** The first octets of a file of gzip (RFC 1952 §2.3.1). */
const gzipMark = Buffer.from([0x1f, 0x8b]);

/**
 * Whether the argument names a backup file rather than a zone: an existing gzip file, or a name that ends in .gz (no zone does, since .gz
 * is not a top-level domain).
 */
function isBackupFile(word: string): boolean {
  if (/\.gz$/i.test(word)) return true;
  try {
    const file = openSync(word, "r");
    try {
      const start = Buffer.alloc(gzipMark.length);
      readSync(file, start);
      return start.equals(gzipMark);
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

async function restore(zone: string, { options }: RestoreGiven, { endpoint }: Terminal): Promise<void> {
  const { id: isId, user, note } = options;
  const target = { by: isId ? { id: zone } : { zone }, userId: user && (await userId(endpoint, user)) };
  const run = async (more: { readonly dryRun?: boolean; readonly note?: string }) =>
    (await callGraphql(endpoint, restoreDocument, { input: { ...target, ...more } })).restoreDomain;
  const planned = await run({ dryRun: true }).catch((error) => {
    if (isId || !/^\d+$/.test(zone) || !(error instanceof RefusedError)) throw error;
    throw new RefusedError(error.body, [`If ${zone} is the id of a domain, write --id.`]);
  });
  await carryOut(options, {
    planned,
    wouldDo: `${zone} would come back with ${planned.recordCount} records.`,
    consequence: `This brings ${zone} back with ${planned.recordCount} records.`,
    run: () => run({ note }),
    sentenceOf: ({ domain, change, recordCount }) =>
      `${domain?.zone} is back with ${recordCount} records, at serial ${change?.serial}.`,
  });
}
