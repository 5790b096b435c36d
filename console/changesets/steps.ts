/** What is done with a change set. */
import { graphql } from "../api/generated/gql.ts";
import type {
  ChangeSetAction,
  ResolveConflictsInput,
  ScheduleChangeSetInput,
  StageZoneInput,
} from "../api/generated/graphql.ts";
import { Refused } from "../api/refused.ts";
import { run } from "../api/run.ts";

const create = graphql(`
  mutation CreateChangeSet($input: CreateChangeSetInput!) {
    createChangeSet(input: $input) { changeSet { id revision } }
  }
`);
const update = graphql(`
  mutation UpdateChangeSet($input: UpdateChangeSetInput!) { updateChangeSet(input: $input) { __typename } }
`);
const stage = graphql(`
  mutation StageChanges($input: StageChangesInput!) { stageChanges(input: $input) { __typename } }
`);
const submit = graphql(`
  mutation SubmitChangeSet($input: ChangeSetStepInput!) { submitChangeSet(input: $input) { __typename } }
`);
const withdraw = graphql(`
  mutation WithdrawChangeSet($input: ChangeSetStepInput!) { withdrawChangeSet(input: $input) { __typename } }
`);
const unschedule = graphql(`
  mutation UnscheduleChangeSet($input: ChangeSetStepInput!) { unscheduleChangeSet(input: $input) { __typename } }
`);
const cancel = graphql(`
  mutation CancelChangeSet($input: ChangeSetStepInput!) { cancelChangeSet(input: $input) { __typename } }
`);
const review = graphql(`
  mutation ReviewChangeSet($input: ReviewChangeSetInput!) { reviewChangeSet(input: $input) { __typename } }
`);
const schedule = graphql(`
  mutation ScheduleChangeSet($input: ScheduleChangeSetInput!) { scheduleChangeSet(input: $input) { __typename } }
`);
const resolve = graphql(`
  mutation ResolveConflicts($input: ResolveConflictsInput!) { resolveConflicts(input: $input) { __typename } }
`);
const comment = graphql(`
  mutation CommentChangeSet($input: CommentChangeSetInput!) { commentChangeSet(input: $input) { __typename } }
`);
const apply = graphql(`
  mutation ApplyChangeSet($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { state } } }
`);

export interface SetWords {
  readonly title: string;
  readonly description: string;
  readonly requestedApprovals: number;
}

/** A set as a person sees it. */
export interface SetAtRevision {
  readonly id: string;
  readonly revision: number;
}

const seenAs = ({ id, revision }: SetAtRevision) => ({ changeSetId: id, expectedRevision: revision });

export async function createSet(words: SetWords, zones: StageZoneInput[]): Promise<SetAtRevision> {
  const { createChangeSet } = await run(create, { input: { ...words, zones } });
  if (!createChangeSet) throw new Error("The answer is not complete.");
  return createChangeSet.changeSet;
}

export const describeSet = (set: SetAtRevision, words: SetWords) =>
  run(update, { input: { ...seenAs(set), ...words } });

/** Adds edits of a zone to what is staged in a set. */
export const stageIn = (id: string, part: StageZoneInput) =>
  // What a file makes of a zone is not added to edits, but takes their place.
  run(stage, { input: { changeSetId: id, zones: [part.edit ? { edit: { ...part.edit, append: true } } : part] } });

export const unstage = (set: SetAtRevision, zone: string) => run(stage, { input: { ...seenAs(set), unstage: [zone] } });

/** Applies a set; returns its state, since one whose zones change each for itself may take longer, or be refused in part. */
export const applySet = async (id: string, expectedFingerprint: string) =>
  (await run(apply, { input: { changeSetId: id, expectedFingerprint } })).applyChangeSet?.changeSet.state;

export const scheduleSet = (input: ScheduleChangeSetInput) => run(schedule, { input });

/** Keeps what a set does to records that others changed since, or leaves it out. */
export const resolveIn = (set: SetAtRevision, choice: Omit<ResolveConflictsInput, "changeSetId">) =>
  run(resolve, { input: { ...seenAs(set), ...choice } });

export const commentOn = (id: string, text: string) => run(comment, { input: { changeSetId: id, text } });

export const submitSet = (set: SetAtRevision, text = "") => run(submit, { input: { ...seenAs(set), text } });

/** The steps in which somebody says something. */
export type SpokenStep = Extract<
  ChangeSetAction,
  "SUBMIT" | "WITHDRAW" | "APPROVE" | "REQUEST_CHANGES" | "UNSCHEDULE" | "CANCEL"
>;

/** Takes a step with a set as it is seen; a verdict is on the effect that is seen. */
export async function takeStep(
  step: SpokenStep,
  { fingerprint, ...set }: SetAtRevision & { readonly fingerprint: string },
  text: string,
): Promise<unknown> {
  const input = { ...seenAs(set), text };
  if (step === "SUBMIT") return run(submit, { input });
  if (step === "WITHDRAW") return run(withdraw, { input });
  if (step === "UNSCHEDULE") return run(unschedule, { input });
  if (step === "CANCEL") return run(cancel, { input });
  return run(review, { input: { changeSetId: set.id, verdict: step, expectedFingerprint: fingerprint, text } });
}

/** Whether the set changed since the person saw it. */
export const isOutdated = (error: unknown): error is Refused =>
  error instanceof Refused &&
  ["STALE_CHANGE_SET", "WRONG_STATE", "CHANGE_CONFLICT", "STALE_SERIAL"].includes(error.code);
