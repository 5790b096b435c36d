/**
 * What the pages of zones ask of the service.
 */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { DomainFilter, DomainOrder, PublicationState, ZoneListQuery } from "../api/generated/graphql.ts";
import { noPage, paged } from "../api/pages.ts";
import { run } from "../api/run.ts";
import { labelsOf, labelText } from "../labels/labels.tsx";
import { userIdOf } from "../users/queries.ts";

const zoneListQuery = graphql(`
  query ZoneList($filter: DomainFilter, $orderBy: DomainOrder!, $after: String) {
    domains(filter: $filter, orderBy: $orderBy, first: 100, after: $after) {
      nodes {
        id zone zoneUnicode serial
        labels { name value }
        user { id email }
        publication {
          state since
          secondaries { state name isJoining }
        }
        changes(first: 1) {
          nodes {
            id createdAt actor
            user { id email }
            appliedBy source note summary
          }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** A zone of the list. */
export type ListedZone = NonNullable<ZoneListQuery["domains"]>["nodes"][number];

/** What the list of zones is filtered and sorted by. */
export interface ZoneSelection {
  readonly q?: string | undefined;
  /** A state, or those that the viewer edits. */
  readonly state?: PublicationState | "EDITED" | undefined;
  /** The e-mail address of the user who owns them. */
  readonly owner?: string | undefined;
  /** Labels, such as `env=prod team`; a zone has all of them. */
  readonly label?: string | undefined;
  readonly sort?: DomainOrder | undefined;
}

/** How often zones are counted, and those of one state listed, again, ms. */
const countsMs = 20_000;

/** `edited` are the zones that the viewer edits. */
export const zoneListOptions = ({ q, state, owner, label, sort }: ZoneSelection, edited: readonly string[]) =>
  infiniteQueryOptions({
    queryKey: ["zones", { q, state, owner, label, sort }, ...(state === "EDITED" ? edited : [])],
    ...paged,
    queryFn: async ({ pageParam, signal }) => {
      // An address that no user has selects no zone: 0 is the id of no user.
      const userId = owner && ((await userIdOf(owner, signal)) ?? "0");
      const filter: DomainFilter = {
        ...(q && { zoneContains: q }),
        ...(state === "EDITED" ? { zones: [...edited] } : state && { state }),
        ...(userId && { userId }),
        ...(label && { labels: labelsOf(label).map(labelText) }),
      };
      const { domains } = await run(zoneListQuery, { filter, orderBy: sort ?? "EXCEPTION", after: pageParam }, signal);
      return domains ?? noPage;
    },
    // A zone comes into a state, or leaves it, also without an event, as by the time alone.
    refetchInterval: state ? countsMs : false,
  });

const zoneCountsQuery = graphql(`
  query ZoneCounts {
    all: domains(first: 1) { totalCount }
    live: domains(filter: { state: LIVE }, first: 1) { totalCount }
    late: domains(filter: { state: LATE }, first: 1) { totalCount }
    pending: domains(filter: { state: PENDING }, first: 1) { totalCount }
    unserved: domains(filter: { state: UNSERVED }, first: 1) { totalCount }
    changes(first: 1) { nodes { createdAt } }
  }
`);

export const zoneCountsOptions = queryOptions({
  queryKey: ["zone-counts"],
  queryFn: async ({ signal }) => {
    const { all, live, late, pending, unserved, changes } = await run(zoneCountsQuery, {}, signal);
    return {
      ALL: all?.totalCount,
      LIVE: live?.totalCount,
      LATE: late?.totalCount,
      PENDING: pending?.totalCount,
      UNSERVED: unserved?.totalCount,
      changedAt: changes?.nodes[0]?.createdAt,
    };
  },
  refetchInterval: countsMs,
});
