/**
 * `changeset`: change sets from the command line. What is applied or approved is shown first, and is what was shown.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { changeSetRows } from "../command-rows/change-set-rows.ts";
import { addCommand, runRow } from "../command-rows/command-row.ts";
import { callGraphql } from "../service/client.ts";
import { exitCodes } from "../service/failure.ts";
import { confirm } from "../terminal/confirmation.ts";
import { aheadForms, readAhead } from "../terminal/moment.ts";
import { print } from "../terminal/print.ts";
import { consequenceOf, type PreviewOfSet, show, type Terminal } from "./preview.ts";

export const reviewDocument =
  "mutation ($input: ReviewChangeSetInput!) { reviewChangeSet(input: $input) { changeSet { id state approvalCount requiredApprovals } } }";
export const applyDocument =
  "mutation ($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { id state appliedAt progress { zones applied refused } } } }";
export const progressDocument =
  "query ($id: ID!) { changeSet(id: $id) { id state appliedAt progress { zones applied refused } } }";
export const scheduleDocument =
  "mutation ($input: ScheduleChangeSetInput!) { scheduleChangeSet(input: $input) { changeSet { id state applyAt } } }";

interface Options {
  readonly text?: string;
  readonly all?: boolean;
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
    .option("--all", "show all its zones, not the first ones alone")
    .action(async (id: string, _options: unknown, command: Command) => {
      const { json = false, all = false } = command.optsWithGlobals<Options>();
      const preview = await show(terminal, id, { json, all });
      if (json) print(json, preview, "");
      process.exitCode = exitCodeOf(preview);
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

/** How a command ends that shows what a set would do: something may be in the way in zones of a set that can be applied in others. */
function exitCodeOf({ applicable, conflictCount, zones, problems, state }: PreviewOfSet): number {
  if (state === "APPLIED" || zones.totalCount === 0) return exitCodes.done;
  if (conflictCount > 0) return exitCodes.stale;
  return applicable && problems.totalCount === 0 ? exitCodes.done : exitCodes.failed;
}

const verdicts = [
  ["approve", "APPROVE", "approve what a change set would do, as it is shown"],
  ["request-changes", "REQUEST_CHANGES", "ask for changes of a change set; it is a draft again"],
] as const;

async function review(
  terminal: Terminal,
  id: string,
  verdict: (typeof verdicts)[number][1],
  { text = "", yes = false, json = false }: Options,
): Promise<void> {
  const { fingerprint } = await show(terminal, id, { json });
  const consequence =
    verdict === "APPROVE" ? "This approves what is shown." : "This asks for changes of what is shown.";
  if (!yes) await confirm({ consequence, expected: "yes", called: "yes" });
  const input = { changeSetId: id, verdict, expectedFingerprint: fingerprint, text };
  const data = await callGraphql<{ reviewChangeSet: { changeSet: Reviewed } }>(terminal.endpoint(), reviewDocument, {
    input,
  });
  const { changeSet } = data.reviewChangeSet;
  const { state, approvalCount, requiredApprovals } = changeSet;
  print(json, changeSet, `${id} is ${state} with ${approvalCount} of ${requiredApprovals} approvals.`);
}

interface Reviewed {
  readonly state: string;
  readonly approvalCount: number;
  readonly requiredApprovals: number;
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
  const preview = await show(terminal, id, { json });
  if (dryRun) {
    process.exitCode = exitCodeOf(preview);
    return print(json, preview, "Nothing was changed.");
  }
  if (!yes) await confirm({ consequence: consequenceOf(preview), expected: "yes", called: "yes" });
  const input = { changeSetId: id, expectedFingerprint: preview.fingerprint };
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
  const preview = await show(terminal, id, { json });
  const consequence = consequenceOf(preview, `, at ${applyAt}`);
  if (!yes) await confirm({ consequence, expected: "yes", called: "yes" });
  const { fingerprint: expectedFingerprint } = preview;
  const input = { changeSetId: id, applyAt, onMissed: skipMissed ? "SKIP" : "APPLY", expectedFingerprint };
  const data = await callGraphql<{ scheduleChangeSet: { changeSet: { state: string; applyAt: string } } }>(
    terminal.endpoint(),
    scheduleDocument,
    { input },
  );
  const { changeSet } = data.scheduleChangeSet;
  print(json, changeSet, `${id} is ${changeSet.state} for ${changeSet.applyAt}.`);
}
