/**
 * What the pages of deleted zones ask of the service.
 */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { DeletedZoneFragment } from "../api/generated/graphql.ts";
import { run } from "../api/run.ts";
import { type Author, lifeOf } from "./moment.ts";
import { noChanges } from "./queries.ts";

graphql(`
  fragment DeletedZone on DeletedDomain {
    domainId
    zone
    zoneUnicode
    serial
    deletedAt
    user {
      email
    }
  }
`);

export type DeletedZone = DeletedZoneFragment;

const deletedZones = graphql(`
  query DeletedZoneList($zoneContains: String, $after: String) {
    deletedDomains(filter: { zoneContains: $zoneContains }, first: 100, after: $after) {
      nodes {
        ...DeletedZone
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** The deleted zones, those deleted last first. */
export const deletedZonesOptions = (part: string) =>
  infiniteQueryOptions({
    queryKey: ["deleted-zones", part],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) =>
      (await run(deletedZones, { zoneContains: part === "" ? null : part, after: pageParam }, signal))
        .deletedDomains ?? {
        nodes: [],
        pageInfo: { hasNextPage: false, endCursor: null },
      },
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
  });

const deletedZone = graphql(`
  query DeletedZone($id: ID!) {
    deletedDomain(by: { id: $id }) {
      ...DeletedZone
    }
  }
`);

const zonesOfName = graphql(`
  query ZonesOfName($zone: String!) {
    domains(filter: { zone: $zone }, first: 1) {
      nodes {
        id
      }
    }
    deletedDomain(by: { zone: $zone }) {
      domainId
    }
  }
`);

/** A deleted zone, and whether its name leads to it: no zone has the name again, and none was deleted later. */
export const deletedDomainOptions = (id: string) =>
  queryOptions({
    queryKey: ["deleted-zones", "one", id],
    queryFn: async ({ signal }) => {
      const zone = (await run(deletedZone, { id }, signal)).deletedDomain as DeletedZone;
      const { domains, deletedDomain } = await run(zonesOfName, { zone: zone.zone }, signal);
      return { zone, hasName: domains?.nodes.length === 0 && deletedDomain?.domainId === id };
    },
  });

const momentsOfName = graphql(`
  query MomentsOfName($zone: String!, $createdBefore: DateTime!, $after: String) {
    changes(filter: { zone: $zone, createdBefore: $createdBefore }, first: 500, after: $after) {
      nodes {
        ...Author
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

/** Later than the deletion, by which its change is found. */
const afterDeletionMs = 60_000;

/** The changes of the last life of a deleted zone, the newest first. */
export const momentsOfDeletedOptions = ({ domainId, zone, serial, deletedAt }: DeletedZone) =>
  queryOptions({
    queryKey: ["history", "moments-of-deleted", domainId],
    queryFn: async ({ signal }) => {
      const createdBefore = new Date(Date.parse(deletedAt) + afterDeletionMs).toISOString();
      const changes: Author[] = [];
      let after: string | null | undefined = null;
      while (after !== undefined && changes.length < maxMoments && !lifeOf(changes, serial).isWhole) {
        const page: Awaited<ReturnType<typeof readPage>> = await readPage(zone, createdBefore, after, signal);
        changes.push(...page.nodes);
        after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined;
      }
      return lifeOf(changes, serial).changes;
    },
  });

/** Changes of a deleted zone that are read at most. */
const maxMoments = 10_000;

const readPage = async (zone: string, createdBefore: string, after: string | null, signal: AbortSignal) =>
  (await run(momentsOfName, { zone, createdBefore, after }, signal)).changes ?? noChanges;
