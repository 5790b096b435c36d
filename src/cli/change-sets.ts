/**
 * `changeset`: change sets from the command line. What is applied or approved is shown first, and is what was shown.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { changeSetRows } from "./change-set-rows.ts";
import { callGraphql } from "./client.ts";
import { addCommand, runRow } from "./command-row.ts";
import { confirm } from "./confirmation.ts";
import { colouredLine, printDifference, type RrsetDiff } from "./difference.ts";
import { exitCodes } from "./failure.ts";
import { aheadForms, readAhead } from "./moment.ts";
import type { Terminal } from "./terminal.ts";

/** Zones whose differences are shown: the limit of rows of an operation leaves room for so many. */
const shownZones = 15;

/** What is shown of a preview. */
export const previewFields = `fingerprint applicable changedZoneCount removedCount addedCount zones(first: ${shownZones}) { totalCount nodes {
    zone action removedCount addedCount rrsets(first: 50) { totalCount nodes { owner type lines { op ttl rdata } } }
    conflicts { message base mine theirs } refusals { code message } warnings dropped } }`;
export const previewDocument = `query ($id: ID!) { changeSetPreview(id: $id) { ${previewFields} } }`;
export const reviewDocument =
  "mutation ($input: ReviewChangeSetInput!) { reviewChangeSet(input: $input) { changeSet { id state approvalsGiven approvalsNeeded } } }";
export const applyDocument =
  "mutation ($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { id state appliedAt progress { zones applied refused } } } }";
export const progressDocument =
  "query ($id: ID!) { changeSet(id: $id) { id state appliedAt progress { zones applied refused } } }";
export const scheduleDocument =
  "mutation ($input: ScheduleChangeSetInput!) { scheduleChangeSet(input: $input) { changeSet { id state applyAt } } }";

interface Conflict {
  readonly message: string;
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

interface ZonePreview {
  readonly zone: string;
  readonly action: "EDIT" | "CREATE" | "DELETE" | "RESTORE";
  readonly removedCount: number;
  readonly rrsets: { readonly totalCount: number; readonly nodes: readonly RrsetDiff[] };
  readonly conflicts: readonly Conflict[];
  readonly refusals: readonly { readonly code: string; readonly message: string }[];
  readonly warnings: readonly string[];
  readonly dropped: readonly string[];
}

/** A preview as it is shown. */
export interface Preview {
  readonly fingerprint: string;
  readonly applicable: boolean;
  readonly changedZoneCount: number;
  readonly removedCount: number;
  readonly addedCount: number;
  readonly zones: { readonly totalCount: number; readonly nodes: readonly ZonePreview[] };
}

interface Options {
  readonly text?: string;
  readonly dryRun?: boolean;
  readonly skipMissed?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Adds the commands. */
export function changeSetCommands(program: Command, terminal: Terminal): void {
  const group = program.command("changeset").alias("changesets").description("edits of several zones, applied as one");
  for (const row of changeSetRows) addCommand(group, row, (given) => runRow(row, given, terminal.endpoint()));
  group
    .command("preview <id>")
    .description("show what a change set would do as things are now, and what is in its way")
    .action(async (id: string, _options: unknown, command: Command) => {
      const { json = false } = command.optsWithGlobals<Options>();
      const preview = await show(terminal, id, json);
      if (json) print(json, preview, "");
      const { applicable, zones } = preview;
      const isInConflict = zones.nodes.some(({ conflicts }) => conflicts.length > 0);
      if (!applicable && zones.totalCount > 0) process.exitCode = isInConflict ? exitCodes.stale : exitCodes.failed;
    });
  for (const [name, verdict, description] of verdicts)
    group
      .command(`${name} <id>`)
      .description(description)
      .option("--text <text>", "what its author should know")
      .option("--yes", "do not ask whether it is meant")
      .action((id: string, _options: unknown, command: Command) =>
        review(terminal, id, verdict, command.optsWithGlobals<Options>()),
      );
  group
    .command("wait <id>")
    .description("wait until all changes of an applied change set are LIVE: served by every required secondary")
    .option("--timeout <seconds>", "how long at most", "60")
    .action((id: string, _options: unknown, command: Command) =>
      wait(terminal, id, command.optsWithGlobals<WaitOptions>()),
    );
  group
    .command("apply <id>")
    .description(
      "apply a change set as it is shown: all its zones in one step, or one after the other in mode EACH_ZONE",
    )
    .option("--dry-run", "show what would change, and change nothing")
    .option("--yes", "do not ask whether it is meant")
    .action((id: string, _options: unknown, command: Command) =>
      apply(terminal, id, command.optsWithGlobals<Options>()),
    );
  group
    .command("schedule <id> <time>")
    .description(`apply a change set as it is shown at a time: ${aheadForms}`)
    .option("--skip-missed", "do not apply it when no service runs at that time")
    .option("--yes", "do not ask whether it is meant")
    .action((id: string, time: string, _options: unknown, command: Command) =>
      schedule(terminal, id, readAhead(time), command.optsWithGlobals<Options>()),
    );
}

const verdicts = [
  ["approve", "APPROVE", "approve what a change set would do, as it is shown"],
  ["request-changes", "REQUEST_CHANGES", "ask for changes of a change set; it is a draft again"],
] as const;

/** Reads and prints a preview. */
export async function show(terminal: Terminal, id: string, json: boolean): Promise<Preview> {
  const { changeSetPreview: preview } = await callGraphql<{ changeSetPreview: Preview }>(
    terminal.endpoint(),
    previewDocument,
    { id },
  );
  if (json) return preview;
  printPreview(preview, terminal);
  for (const { zone, conflicts } of preview.zones.nodes)
    if (conflicts.length > 0)
      console.log(`"changeset resolve ${id} ${zone} --mine" keeps the edits in conflict, "--theirs" leaves them out.`);
  return preview;
}

/** Prints what a change set would do. */
export function printPreview(preview: Preview, { isColoured }: Terminal): void {
  const { totalCount, nodes } = preview.zones;
  for (const zone of nodes) printZone(zone, isColoured);
  if (totalCount > nodes.length) console.log(`and ${totalCount - nodes.length} zones more`);
  const { changedZoneCount, removedCount, addedCount, applicable } = preview;
  console.log(`${changedZoneCount} of ${totalCount} zones change: ${removedCount} records go, ${addedCount} come.`);
  if (!applicable)
    console.log(totalCount === 0 ? "Nothing is staged." : "It cannot be applied: see what is in its way.");
}

function printZone({ zone, action, removedCount, rrsets, ...found }: ZonePreview, isColoured: boolean): void {
  const deleted = ` (deleted with ${removedCount} records)`;
  const what = { EDIT: "", CREATE: " (created)", DELETE: deleted, RESTORE: " (restored)" }[action];
  console.log(colouredLine(`+++ ${zone}${what}`, isColoured));
  printDifference(rrsets.nodes, isColoured);
  if (rrsets.totalCount > rrsets.nodes.length)
    console.log(`and ${rrsets.totalCount - rrsets.nodes.length} RRsets more`);
  for (const conflict of found.conflicts) printConflict(conflict);
  for (const { code, message } of found.refusals) console.log(`! ${code}: ${message}`);
  for (const sentence of found.dropped) console.log(`left out: ${sentence}`);
  for (const warning of found.warnings) console.log(`warning: ${warning}`);
}

function printConflict({ message, base, mine, theirs }: Conflict): void {
  console.log(`! ${message}`);
  // A conflict of a whole zone is about no record.
  if (base.length + mine.length + theirs.length === 0) return;
  console.log(`!   when staged: ${base.join("; ") || "nothing"}`);
  console.log(`!   this set:    ${mine.join("; ") || "nothing"}`);
  console.log(`!   now:         ${theirs.join("; ") || "nothing"}`);
}

async function review(
  terminal: Terminal,
  id: string,
  verdict: (typeof verdicts)[number][1],
  { text = "", yes = false, json = false }: Options,
): Promise<void> {
  const { fingerprint } = await show(terminal, id, json);
  const consequence =
    verdict === "APPROVE" ? "This approves what is shown." : "This asks for changes of what is shown.";
  if (!yes) await confirm({ consequence, expected: "yes", called: "yes" });
  const input = { id, verdict, fingerprint, text };
  const data = await callGraphql<{ reviewChangeSet: { changeSet: Reviewed } }>(terminal.endpoint(), reviewDocument, {
    input,
  });
  const { changeSet } = data.reviewChangeSet;
  const { state, approvalsGiven, approvalsNeeded } = changeSet;
  print(json, changeSet, `${id} is ${state} with ${approvalsGiven} of ${approvalsNeeded} approvals.`);
}

interface Reviewed {
  readonly state: string;
  readonly approvalsGiven: number;
  readonly approvalsNeeded: number;
}

interface WaitOptions {
  readonly timeout: string;
  readonly json?: boolean;
}

export const publicationDocument =
  "query ($id: ID!) { changeSet(id: $id) { state publication { state live pending late } } }";

interface SetPublication {
  readonly state: string;
  readonly live: number;
  readonly pending: number;
  readonly late: number;
}

/** Between two looks at a publication, ms. */
const pollMs = 500;

/** Waits until the changes of a set are served; throws when they are not in time. */
async function wait({ endpoint }: Terminal, id: string, { timeout, json = false }: WaitOptions): Promise<void> {
  const end = performance.now() + Number(timeout) * 1000;
  for (;;) {
    const { changeSet } = await callGraphql<{
      changeSet: { readonly state: string; readonly publication: SetPublication | null };
    }>(endpoint(), publicationDocument, { id });
    const { publication } = changeSet;
    const isDone = publication?.state === "LIVE" || publication?.state === "UNSERVED";
    const { live = 0, pending = 0, late = 0 } = publication ?? {};
    const sentence = publication
      ? `${publication.state}: ${live} of ${live + pending + late} changes are served by every required secondary.`
      : `Change set ${id} is ${changeSet.state} and has made no changes.`;
    if (isDone) return print(json, publication, sentence);
    if (!publication || performance.now() > end) throw new Error(sentence);
    await sleep(pollMs);
  }
}

/** Shows what a set would do, asks whether it is meant, and applies it so. */
export async function apply(terminal: Terminal, id: string, { dryRun = false, yes = false, json = false }: Options) {
  const preview = await show(terminal, id, json);
  if (dryRun) return print(json, preview, "Nothing was changed.");
  if (!yes) await confirm({ consequence: "This changes the zones as shown.", expected: "yes", called: "yes" });
  const input = { id, expectedFingerprint: preview.fingerprint };
  const data = await callGraphql<{ applyChangeSet: { changeSet: Applied } }>(terminal.endpoint(), applyDocument, {
    input,
  });
  const changeSet = await whenApplied(terminal, data.applyChangeSet.changeSet, json);
  const { refused, zones } = changeSet.progress;
  const more = refused > 0 ? `: ${refused} of ${zones} zones were refused; "changeset show ${id}" says why` : "";
  print(json, changeSet, `${id} is ${changeSet.state}${more}.`);
  if (changeSet.state === "PARTIAL") process.exitCode = exitCodes.failed;
}

interface Applied {
  readonly id: string;
  readonly state: string;
  readonly progress: { readonly zones: number; readonly applied: number; readonly refused: number };
}

/** Waits until the zones of a set that is being applied are done, and says how far it is. */
async function whenApplied({ endpoint }: Terminal, begun: Applied, json: boolean): Promise<Applied> {
  let set = begun;
  while (set.state === "APPLYING") {
    const { applied, refused, zones } = set.progress;
    if (!json) console.error(`${applied + refused} of ${zones} zones are done.`);
    await sleep(pollMs);
    set = (await callGraphql<{ changeSet: Applied }>(endpoint(), progressDocument, { id: begun.id })).changeSet;
  }
  return set;
}

async function schedule(
  terminal: Terminal,
  id: string,
  applyAt: string,
  { skipMissed = false, yes = false, json = false }: Options,
) {
  const { fingerprint } = await show(terminal, id, json);
  if (!yes)
    await confirm({ consequence: `This changes the zones as shown, at ${applyAt}.`, expected: "yes", called: "yes" });
  const input = { id, applyAt, onMissed: skipMissed ? "SKIP" : "APPLY", expectedFingerprint: fingerprint };
  const data = await callGraphql<{ scheduleChangeSet: { changeSet: { state: string; applyAt: string } } }>(
    terminal.endpoint(),
    scheduleDocument,
    { input },
  );
  const { changeSet } = data.scheduleChangeSet;
  print(json, changeSet, `${id} is ${changeSet.state} for ${changeSet.applyAt}.`);
}

/** Prints a result, as JSON or as a sentence. */
export function print(json: boolean, result: object, sentence: string): void {
  console.log(json ? JSON.stringify(result, null, 2) : sentence);
}
