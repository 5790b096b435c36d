/**
 * What is read of change sets: the list, one set with its zones and what happened to it, and what it would do; and what is done with one.
 */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  ChangeSetAction,
  ChangeSetFilter,
  ChangeSetPreviewQuery,
  ChangeSetQuery,
  ChangeSetState,
  ResolveConflictsInput,
  ScheduleChangeSetInput,
  StageZoneInput,
} from "../api/generated/graphql.ts";
import { nextPage, noPage } from "../api/pages.ts";
import { listOptions, queries, readAgain, readOptions } from "../api/queries.ts";
import { act, graphql, Refused, run } from "../api/run.ts";

graphql(`
  fragment StreamedSet on ChangeSet {
    id title state author updatedAt applyAt appliedBy approvalCount requiredApprovals requestedApprovals
    publication { state live pending late }
    zones(first: 2) { totalCount nodes { zone } }
  }
`);

const listQuery = graphql(`
  query ChangeSetList($filter: ChangeSetFilter, $after: String) {
    changeSets(filter: $filter, first: 50, after: $after) {
      nodes { ...StreamedSet }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const stateWords: Readonly<Record<ChangeSetState, string>> = {
  DRAFT: "draft",
  IN_REVIEW: "in review",
  APPROVED: "approved",
  SCHEDULED: "scheduled",
  APPLYING: "being applied",
  APPLIED: "applied",
  PARTIAL: "applied in part",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
};

/** The states of sets that can still be edited or applied. */
export const openStates: readonly ChangeSetState[] = ["DRAFT", "IN_REVIEW", "APPROVED", "SCHEDULED"];

/** How often a list of sets is read again, ms. */
export const listMs = 20_000;

export const changeSetsOptions = (filter: ChangeSetFilter) =>
  infiniteQueryOptions({
    ...listOptions(["change-sets", filter], listQuery, { filter }, ({ changeSets }) => changeSets ?? noPage),
    refetchInterval: listMs,
  });

const setQuery = graphql(`
  query ChangeSet($id: ID!, $zones: Int!) {
    changeSet(id: $id) {
      id title description state revision author createdAt updatedAt appliedAt appliedBy requestedApprovals
      requiredApprovals approvalCount applyAt onMissed
      failure { at message reasons { message } }
      publication { state live pending late }
      progress { zones applied refused }
      refused: zones(first: $zones, outcome: REFUSED) { nodes { zone domain { id } reasons { message } } }
      availableActions
      user { id email }
      reviews { actor user { email } verdict fingerprint valid }
      timeline(first: 200) { nodes { kind actor user { email } createdAt text } }
      zones(first: $zones) {
        totalCount
        nodes {
          zone action outcome
          change { id kind serial undoneBy { id } publication { state } domain { id zoneUnicode } }
        }
      }
    }
  }
`);

export type ShownSet = NonNullable<ChangeSetQuery["changeSet"]>;
/** Returns a function that says whether the viewer may take an action with a set. */
export const actionsOf =
  ({ availableActions }: Pick<ShownSet, "availableActions">) =>
  (action: NonNullable<ShownSet["availableActions"]>[number]): boolean =>
    availableActions?.includes(action) === true;

/** How many approvals a set needs: what its zones demand, or else what its author wants. */
export const neededApprovals = (set: Pick<ShownSet, "requiredApprovals" | "requestedApprovals">) =>
  set.requiredApprovals ?? set.requestedApprovals;

export type SetZone = NonNullable<ShownSet["zones"]>["nodes"][number];

const maxZones = 200;

/** How often a set is read again while its changes are on their way, ms; its events say whatever else happens to it. */
const publishedMs = 1000;

const onTheirWay: readonly unknown[] = ["PENDING", "LATE"];

export const changeSetOptions = (id: string) =>
  queryOptions({
    ...readOptions(["change-set", id], setQuery, { id, zones: maxZones }, ({ changeSet }) => changeSet as ShownSet),
    refetchInterval: ({ state: { data } }) =>
      data?.state === "APPLYING" || onTheirWay.includes(data?.publication?.state) ? publishedMs : false,
  });

const previewQuery = graphql(`
  query ChangeSetPreview($id: ID!, $after: String) {
    changeSetPreview(id: $id) {
      fingerprint applicable changedZoneCount addedCount removedCount deletedZoneCount largeLossCount
      largeLosses { ...ZoneLoss }
      zones(first: 10, after: $after) {
        edges {
          cursor
          node {
            zone action serial addedCount removedCount dropped
            notices { message }
            conflicts { message owner type base mine theirs change { id actor createdAt user { email } } }
            refusals { message owner type }
            rrsets(first: 50) { ...RrsetDifferences }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

export type SetPreview = NonNullable<ChangeSetPreviewQuery["changeSetPreview"]>;

export interface PreviewedZone {
  readonly preview: NonNullable<SetPreview["zones"]>["edges"][number]["node"];
  /** The cursor of the zone before it; null of the first one. */
  readonly after: string | null;
}

export const previewOptions = (id: string, revision: number) =>
  infiniteQueryOptions({
    queryKey: ["change-set-preview", id, revision],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) =>
      (await run(previewQuery, { id, after: pageParam }, signal)).changeSetPreview as SetPreview,
    getNextPageParam: ({ zones }) => nextPage(zones),
    // Approvals and applications are of the effect on the screen: it is not replaced under its reader.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export function zonesOf(pages: readonly SetPreview[]): PreviewedZone[] {
  const edges = pages.flatMap(({ zones }) => zones?.edges ?? []);
  return edges.map(({ node }, at) => ({ preview: node, after: edges[at - 1]?.cursor ?? null }));
}

/** Reads a set and what it would do again, and the lists that it is in. */
export async function lookAgain(id: string): Promise<void> {
  readAgain("change-sets", "servers-of-change");
  // In this order, so that what an older revision would do is not shown in between.
  await queries.invalidateQueries({ queryKey: ["change-set", id] });
  await queries.invalidateQueries({ queryKey: ["change-set-preview", id] });
}

const create = graphql(`
  mutation CreateChangeSet($input: CreateChangeSetInput!) {
    createChangeSet(input: $input) { changeSet { id revision } }
  }
`);
const apply = graphql(`
  mutation ApplyChangeSet($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { state } } }
`);

/** What is written of a set. */
interface SetWords {
  readonly title: string;
  readonly description: string;
  /** A number. */
  readonly requestedApprovals: string;
}

const inputOf = ({ requestedApprovals, ...words }: SetWords) => ({
  ...words,
  requestedApprovals: Number(requestedApprovals),
});

/** A set as a person sees it. */
export interface SetAtRevision {
  readonly id: string;
  readonly revision: number;
}

const seenAs = ({ id, revision }: SetAtRevision) => ({ changeSetId: id, expectedRevision: revision });

export async function createSet(words: SetWords, zones: StageZoneInput[]): Promise<SetAtRevision> {
  const { createChangeSet } = await run(create, { input: { ...inputOf(words), zones } });
  if (!createChangeSet) throw new Error("The answer is not complete.");
  return createChangeSet.changeSet;
}

export const describeSet = (set: SetAtRevision, words: SetWords) =>
  act("updateChangeSet", { ...seenAs(set), ...inputOf(words) });

/** Adds edits of a zone to what is staged in a set. */
export const stageIn = (id: string, part: StageZoneInput) =>
  // What a file makes of a zone is not added to edits, but takes their place.
  act("stageChanges", { changeSetId: id, zones: [part.edit ? { edit: { ...part.edit, append: true } } : part] });

export const unstage = (set: SetAtRevision, zone: string) => act("stageChanges", { ...seenAs(set), unstage: [zone] });

/** Applies a set; returns its state, since one whose zones change each for itself may take longer, or be refused in part. */
export const applySet = async (id: string, expectedFingerprint: string) =>
  (await run(apply, { input: { changeSetId: id, expectedFingerprint } })).applyChangeSet?.changeSet.state;

export const scheduleSet = (input: ScheduleChangeSetInput) => act("scheduleChangeSet", input);

/** Keeps what a set does to records that others changed since, or leaves it out. */
export const resolveIn = (set: SetAtRevision, choice: Omit<ResolveConflictsInput, "changeSetId">) =>
  act("resolveConflicts", { ...seenAs(set), ...choice });

export const commentOn = (id: string, text: string) => act("commentChangeSet", { changeSetId: id, text });

export const submitSet = (set: SetAtRevision, text = "") => act("submitChangeSet", { ...seenAs(set), text });

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
  if (step === "SUBMIT") return act("submitChangeSet", input);
  if (step === "WITHDRAW") return act("withdrawChangeSet", input);
  if (step === "UNSCHEDULE") return act("unscheduleChangeSet", input);
  if (step === "CANCEL") return act("cancelChangeSet", input);
  return act("reviewChangeSet", { changeSetId: set.id, verdict: step, expectedFingerprint: fingerprint, text });
}

/** Whether the set changed since the person saw it. */
export const isOutdated = (error: unknown): error is Refused =>
  error instanceof Refused &&
  ["STALE_CHANGE_SET", "WRONG_STATE", "CHANGE_CONFLICT", "STALE_SERIAL"].includes(error.code);
