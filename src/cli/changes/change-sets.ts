/**
 * The commands that apply or review change sets. They name the fingerprint of the preview that they showed. A command that creates a set
 * also applies it this way. It keeps the set with `--draft` or when others must approve it, and cancels the set when the question is
 * answered with no.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { codes } from "../../error-codes.ts";
import { type CommandRow, command, dryRunOption, type Terminal, yesOption } from "../command-rows/command-row.ts";
import { callGraphql, type DataOf, RefusedError } from "../service/client.ts";
import { exitCodes } from "../service/failure.ts";
import { carryOut, type Decision } from "../terminal/confirmation.ts";
import { aheadForms, readAhead } from "../terminal/moment.ts";
import { print } from "../terminal/print.ts";
import {
  approvalsText,
  consequenceOf,
  type Needs,
  type Preview,
  type PreviewOfSet,
  printPreview,
  show,
} from "./preview.ts";

export const reviewDocument =
  "mutation ($input: ReviewChangeSetInput!) { reviewChangeSet(input: $input) { changeSet { id state approvalCount requiredApprovals } } }";
export const applyDocument =
  "mutation ($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { id state appliedAt progress { zones applied refused } } } }";
export const progressDocument =
  "query ($id: ID!) { changeSet(id: $id) { id state appliedAt progress { zones applied refused } } }";
export const scheduleDocument =
  "mutation ($input: ScheduleChangeSetInput!) { scheduleChangeSet(input: $input) { changeSet { id state applyAt } } }";
export const publicationDocument =
  "query ($id: ID!) { changeSet(id: $id) { state publication { state live pending late } } }";

/** The exit code after a preview. Even an applicable set can have zones with problems; the command then fails. */
function exitCodeOf({ applicable, conflictCount, zones, problems, state }: PreviewOfSet): number {
  if (state === "APPLIED" || zones.totalCount === 0) return exitCodes.done;
  if (conflictCount > 0) return exitCodes.stale;
  return applicable && problems.totalCount === 0 ? exitCodes.done : exitCodes.failed;
}

const verdictRow = (name: string, verdict: "APPROVE" | "REQUEST_CHANGES", description: string, consequence: string) =>
  command({
    words: `changeset ${name} <id>`,
    description,
    options: [["--text <text>", "what its author should know"], yesOption],
    run: async ({ args: [id = ""], options }, terminal) => {
      const preview = await show(terminal, id, options);
      const { text = "" } = options;
      const input = { changeSetId: id, verdict, expectedFingerprint: preview.fingerprint, text };
      await carryOut(options, {
        planned: preview,
        consequence,
        run: async () => (await callGraphql(terminal.endpoint, reviewDocument, { input })).reviewChangeSet.changeSet,
        sentenceOf: ({ state, approvalCount, requiredApprovals }) =>
          `${id} is ${state} with ${approvalCount} of ${requiredApprovals} approvals.`,
      });
    },
  });

/** The time between two looks at a set, ms. */
const pollMs = 500;

async function apply(terminal: Terminal, id: string, options: Decision): Promise<void> {
  const preview = await show(terminal, id, options);
  if (options.dryRun) process.exitCode = exitCodeOf(preview);
  const input = { changeSetId: id, expectedFingerprint: preview.fingerprint };
  await carryOut(options, {
    planned: preview,
    consequence: consequenceOf(preview),
    run: async () => {
      const { applyChangeSet } = await callGraphql(terminal.endpoint, applyDocument, { input });
      return whenApplied(terminal, applyChangeSet.changeSet, options);
    },
    sentenceOf: ({ state, progress: { refused, zones } }) => {
      const more = refused > 0 ? `: ${refused} of ${zones} zones were refused; "changeset show ${id}" says why` : "";
      return `${id} is ${state}${more}.`;
    },
  });
}

type Applied = DataOf<typeof progressDocument>["changeSet"];

/** Waits until an application ends, and prints its progress. */
async function whenApplied({ endpoint }: Terminal, begun: Applied, { json }: Decision): Promise<Applied> {
  let set = begun;
  while (set.state === "APPLYING") {
    const { applied, refused, zones } = set.progress;
    if (!json) console.error(`${applied + refused} of ${zones} zones are done.`);
    await sleep(pollMs);
    set = (await callGraphql(endpoint, progressDocument, { id: begun.id })).changeSet;
  }
  if (set.state === "PARTIAL") process.exitCode = exitCodes.failed;
  return set;
}

export const needsDocument = "query ($id: ID!) { changeSet(id: $id) { requiredApprovals } }";
export const cancelDocument =
  "mutation ($input: ChangeSetStepInput!) { cancelChangeSet(input: $input) { changeSet { id } } }";

/**
 * The result of a mutation that edits many zones: the change set that it made, or the preview of a dry run. Both are missing when there is
 * nothing to do.
 */
interface Bulk {
  readonly changeSet?: { readonly id: string } | null;
  readonly preview?: Preview | null;
}

interface DraftOptions extends Decision {
  readonly draft?: boolean;
}

/** Applies the change set in the result of a mutation. Prints the result when it has no set. */
export async function applyBulk(
  terminal: Terminal,
  result: Bulk,
  options: DraftOptions,
  sentence = "Nothing was changed.",
): Promise<void> {
  const { changeSet, preview } = result;
  if (preview && !options.json) printPreview(preview, terminal);
  if (changeSet) return applyDraft(terminal, changeSet.id, options);
  print(options.json, result, sentence);
}

async function applyDraft(terminal: Terminal, id: string, { draft = false, json, yes }: DraftOptions): Promise<void> {
  if (draft) {
    const preview = await show(terminal, id, { json });
    return print(json, { id, preview }, `Change set ${id} is a draft; ${nextSteps(id, preview)}`);
  }
  const { changeSet } = await callGraphql(terminal.endpoint, needsDocument, { id });
  if (changeSet.requiredApprovals > 0) throw reviewRequired(id, await show(terminal, id, { json }));
  try {
    await apply(terminal, id, { json, yes });
  } catch (error) {
    await callGraphql(terminal.endpoint, cancelDocument, { input: { changeSetId: id } }).catch(() => undefined);
    throw error;
  }
}

function nextSteps(id: string, { requiredApprovals }: Needs): string {
  const applies = `"changeset apply ${id}" applies it.`;
  if (requiredApprovals === 0) return applies;
  const who = requiredApprovals === 1 ? "another person approves" : `${requiredApprovals} other persons approve`;
  return `"changeset submit ${id}" submits it to review, ${who} it by "changeset approve ${id}", and then ${applies}`;
}

function reviewRequired(id: string, needs: Needs): RefusedError {
  const without =
    needs.demandingZones.length > 0
      ? ` Or "changeset unstage ${id} ZONE" takes such zones out, and the others are applied without.`
      : "";
  const message = `Change set ${id} needs ${approvalsText(needs)}. It is kept as a draft: ${nextSteps(id, needs)}${without}`;
  return new RefusedError({ code: codes.REVIEW_REQUIRED.status, status: "error", error: "REVIEW_REQUIRED", message });
}

export const changeSetActionRows: readonly CommandRow[] = [
  command({
    words: "changeset preview <id>",
    description: "show what a change set would do as things are now, and what is in its way",
    options: [["--all", "show all its zones, not the first ones alone"]],
    run: async ({ args: [id = ""], options }, terminal) => {
      const preview = await show(terminal, id, options);
      if (options.json) print(true, preview, "");
      process.exitCode = exitCodeOf(preview);
    },
  }),
  verdictRow(
    "approve",
    "APPROVE",
    "approve what a change set would do, as it is shown",
    "This approves what is shown.",
  ),
  verdictRow(
    "request-changes",
    "REQUEST_CHANGES",
    "ask for changes of a change set; it is a draft again",
    "This asks for changes of what is shown.",
  ),
  command({
    words: "changeset wait <id>",
    description: "wait until all changes of an applied change set are LIVE: served by every required secondary",
    options: [["--timeout <seconds>", "how long at most", (option) => option.default("60")]],
    run: async ({ args: [id = ""], options: { timeout, json } }, { endpoint }) => {
      const end = performance.now() + Number(timeout) * 1000;
      for (;;) {
        const { publication, state } = (await callGraphql(endpoint, publicationDocument, { id })).changeSet;
        const { live = 0, pending = 0, late = 0 } = publication ?? {};
        const sentence = publication
          ? `${publication.state}: ${live} of ${live + pending + late} changes are served by every required secondary.`
          : `Change set ${id} is ${state} and has made no changes.`;
        if (publication?.state === "LIVE" || publication?.state === "UNSERVED")
          return print(json, publication, sentence);
        if (!publication || performance.now() > end) throw new Error(sentence);
        await sleep(pollMs);
      }
    },
  }),
  command({
    words: "changeset apply <id>",
    description:
      "apply a change set as it is shown: all its zones in one step, or one after the other in mode EACH_ZONE",
    options: [dryRunOption, yesOption],
    run: ({ args: [id = ""], options }, terminal) => apply(terminal, id, options),
  }),
  command({
    words: "changeset schedule <id> <time>",
    description: `apply a change set as it is shown at a time: ${aheadForms}`,
    options: [["--skip-missed", "do not apply it when no service runs at that time"], yesOption],
    run: async ({ args: [id = "", time = ""], options }, terminal) => {
      const applyAt = readAhead(time);
      const preview = await show(terminal, id, options);
      const onMissed: "SKIP" | "APPLY" = options.skipMissed ? "SKIP" : "APPLY";
      const input = { changeSetId: id, applyAt, onMissed, expectedFingerprint: preview.fingerprint };
      await carryOut(options, {
        planned: preview,
        consequence: consequenceOf(preview, `, at ${applyAt}`),
        run: async () =>
          (await callGraphql(terminal.endpoint, scheduleDocument, { input })).scheduleChangeSet.changeSet,
        sentenceOf: (set) => `${id} is ${set.state} for ${set.applyAt}.`,
      });
    },
  }),
];
