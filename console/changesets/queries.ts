/**
 * What the pages of change sets read: the list, one set with its zones and what happened to it, and what it would do.
 */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type {
  ChangeSetFilter,
  ChangeSetPreviewQuery,
  ChangeSetQuery,
  ChangeSetState,
} from "../api/generated/graphql.ts";
import { nextPage, noPage, paged } from "../api/pages.ts";
import { queries, readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";

graphql(`
  fragment StreamedSet on ChangeSet {
    id title state author updatedAt applyAt appliedBy approvalCount requiredApprovals requestedApprovals
    publication { state live pending late }
    zones(first: 2) {
      totalCount
      nodes { zone }
    }
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
    queryKey: ["change-sets", filter],
    ...paged,
    queryFn: async ({ pageParam, signal }) => {
      const { changeSets } = await run(listQuery, { filter, after: pageParam }, signal);
      return changeSets ?? noPage;
    },
    refetchInterval: listMs,
  });

const setQuery = graphql(`
  query ChangeSet($id: ID!, $zones: Int!) {
    changeSet(id: $id) {
      id title description state revision author createdAt updatedAt appliedAt appliedBy requestedApprovals
      requiredApprovals approvalCount applyAt onMissed
      failure {
        at message
        reasons { message }
      }
      publication { state live pending late }
      progress { zones applied refused }
      refused: zones(first: $zones, outcome: REFUSED) {
        nodes {
          zone
          domain { id }
          reasons { message }
        }
      }
      availableActions
      user { id email }
      reviews { actor user { email } verdict fingerprint valid }
      timeline(first: 200) { nodes { kind actor user { email } createdAt text } }
      zones(first: $zones) {
        totalCount
        nodes {
          zone action outcome
          change {
            id kind serial
            undoneBy { id }
            publication { state }
            domain { id zoneUnicode }
          }
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

export type SetZone = NonNullable<ShownSet["zones"]>["nodes"][number];

const maxZones = 200;

/** How often a set is read again while its changes are on their way, ms; its events say whatever else happens to it. */
const publishedMs = 1000;

const onTheirWay: readonly unknown[] = ["PENDING", "LATE"];

export const changeSetOptions = (id: string) =>
  queryOptions({
    queryKey: ["change-set", id],
    queryFn: async ({ signal }) => (await run(setQuery, { id, zones: maxZones }, signal)).changeSet as ShownSet,
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
