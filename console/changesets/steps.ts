/**
 * What is done with a change set.
 */
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
  mutation UpdateChangeSet($input: UpdateChangeSetInput!) {
    updateChangeSet(input: $input) { changeSet { id } }
  }
`);

const stage = graphql(`
  mutation StageChanges($input: StageChangesInput!) {
    stageChanges(input: $input) { changeSet { id } }
  }
`);

const submit = graphql(`
  mutation SubmitChangeSet($input: ChangeSetStepInput!) {
    submitChangeSet(input: $input) { changeSet { id } }
  }
`);

const withdraw = graphql(`
  mutation WithdrawChangeSet($input: ChangeSetStepInput!) {
    withdrawChangeSet(input: $input) { changeSet { id } }
  }
`);

const review = graphql(`
  mutation ReviewChangeSet($input: ReviewChangeSetInput!) {
    reviewChangeSet(input: $input) { changeSet { id } }
  }
`);

const schedule = graphql(`
  mutation ScheduleChangeSet($input: ScheduleChangeSetInput!) {
    scheduleChangeSet(input: $input) { changeSet { id } }
  }
`);

const unschedule = graphql(`
  mutation UnscheduleChangeSet($input: ChangeSetStepInput!) {
    unscheduleChangeSet(input: $input) { changeSet { id } }
  }
`);

const resolve = graphql(`
  mutation ResolveConflicts($input: ResolveConflictsInput!) {
    resolveConflicts(input: $input) { changeSet { id } }
  }
`);

const cancel = graphql(`
  mutation CancelChangeSet($input: ChangeSetStepInput!) {
    cancelChangeSet(input: $input) { changeSet { id } }
  }
`);

const comment = graphql(`
  mutation CommentChangeSet($input: CommentChangeSetInput!) {
    commentChangeSet(input: $input) { changeSet { id } }
  }
`);

const restage = graphql(`
  mutation RestageChangeSet($input: RestageChangeSetInput!) {
    restageChangeSet(input: $input) { changeSet { id } }
  }
`);

const apply = graphql(`
  mutation ApplyChangeSet($input: ApplyChangeSetInput!) {
    applyChangeSet(input: $input) { changeSet { id state } }
  }
`);

/** What is written about a set. */
export interface SetWords {
  readonly title: string;
  readonly description: string;
  readonly requestedApprovals: number;
}

/** Creates a set; returns its id and revision. */
export async function createSet(words: SetWords, zones: readonly StageZoneInput[] = []): Promise<SetAtRevision> {
  const { createChangeSet } = await run(create, { input: { ...words, zones: [...zones] } });
  if (!createChangeSet) throw new Error("The answer is not complete.");
  return createChangeSet.changeSet;
}

/** A set as a person sees it. */
export interface SetAtRevision {
  readonly id: string;
  readonly revision: number;
}

export const describeSet = ({ id, revision }: SetAtRevision, words: SetWords) =>
  run(update, { input: { changeSetId: id, expectedRevision: revision, ...words } });

/** Adds edits of a zone to what is staged in a set. */
export const stageIn = (id: string, part: StageZoneInput) =>
  // What a file makes of a zone is not added to edits, but takes their place.
  run(stage, { input: { changeSetId: id, zones: [part.edit ? { edit: { ...part.edit, append: true } } : part] } });

export const unstage = ({ id, revision }: SetAtRevision, zone: string) =>
  run(stage, { input: { changeSetId: id, expectedRevision: revision, unstage: [zone] } });

/** Applies a set; returns its state, since one whose zones change each for itself may take longer, or be refused in part. */
export const applySet = async (id: string, expectedFingerprint: string) =>
  (await run(apply, { input: { changeSetId: id, expectedFingerprint } })).applyChangeSet?.changeSet.state;

/** Stages again what was refused of a set; returns the id of the new set. */
export async function restageSet(id: string): Promise<string> {
  const { restageChangeSet } = await run(restage, { input: { changeSetId: id } });
  if (!restageChangeSet) throw new Error("The answer is not complete.");
  return restageChangeSet.changeSet.id;
}

export const scheduleSet = (input: ScheduleChangeSetInput) => run(schedule, { input });

/** Keeps what a set does to records that others changed since, or leaves it out. */
export const resolveIn = ({ id, revision }: SetAtRevision, choice: Omit<ResolveConflictsInput, "changeSetId">) =>
  run(resolve, { input: { changeSetId: id, expectedRevision: revision, ...choice } });

export const commentOn = (id: string, text: string) => run(comment, { input: { changeSetId: id, text } });

export const submitSet = ({ id, revision }: SetAtRevision, text = "") =>
  run(submit, { input: { changeSetId: id, expectedRevision: revision, text } });

/** The steps in which somebody says something. */
export type SpokenStep = Extract<
  ChangeSetAction,
  "SUBMIT" | "WITHDRAW" | "APPROVE" | "REQUEST_CHANGES" | "UNSCHEDULE" | "CANCEL"
>;

/** Takes a step with a set as it is seen; a verdict is on the effect that is seen. */
export async function takeStep(
  step: SpokenStep,
  { id, revision, fingerprint }: SetAtRevision & { readonly fingerprint: string },
  text: string,
): Promise<unknown> {
  const input = { changeSetId: id, expectedRevision: revision, text };
  if (step === "SUBMIT") return submitSet({ id, revision }, text);
  if (step === "WITHDRAW") return run(withdraw, { input });
  if (step === "UNSCHEDULE") return run(unschedule, { input });
  if (step === "CANCEL") return run(cancel, { input });
  return run(review, { input: { changeSetId: id, verdict: step, expectedFingerprint: fingerprint, text } });
}

/** Whether the set changed since the person saw it. */
export const isOutdated = (error: unknown): error is Refused =>
  error instanceof Refused &&
  ["STALE_CHANGE_SET", "WRONG_STATE", "CHANGE_CONFLICT", "STALE_SERIAL"].includes(error.code);
