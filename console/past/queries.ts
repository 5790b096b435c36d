/**
 * What the pages of the past ask of the service. A moment never changes, so that what was read of it stays.
 */
import { infiniteQueryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { MomentFragment, MomentInput, RrsetVersionsFragment } from "../api/generated/graphql.ts";
import { noPage } from "../api/no-page.ts";
import { run } from "../api/run.ts";
import { type Past, readMoment } from "./moment.ts";

graphql(`
  fragment Author on Change {
    id
    kind
    serial
    createdAt
    actor
    user {
      id
      email
    }
    appliedBy
    source
    note
  }
`);

graphql(`
  fragment Authors on ChangeConnection {
    nodes {
      ...Author
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
`);

graphql(`
  fragment Moment on ZoneMoment {
    zone
    serial
    change {
      ...Author
    }
    endedBy {
      ...Author
    }
    records(first: 200, after: $after, owner: $owner, types: $types, rdataContains: $data) {
      totalCount @include(if: $isFirst)
      nodes {
        recordId
        owner
        type
        ttl
        rdata
        blame {
          ...Author
        }
        restoredBy {
          ...Author
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

const zoneAt = graphql(`
  query ZoneAt(
    $zone: String!
    $serial: Serial
    $changeId: ID
    $time: DateTime
    $owner: String
    $types: [RecordType!]
    $data: String
    $after: String
    $isFirst: Boolean!
  ) {
    domain(by: { zone: $zone }) {
      id
      at(serial: $serial, changeId: $changeId, time: $time) {
        ...Moment
      }
    }
  }
`);

const deletedZoneAt = graphql(`
  query DeletedZoneAt(
    $id: ID!
    $serial: Serial
    $changeId: ID
    $time: DateTime
    $owner: String
    $types: [RecordType!]
    $data: String
    $after: String
    $isFirst: Boolean!
  ) {
    deletedDomain(by: { id: $id }) {
      domainId
      at(serial: $serial, changeId: $changeId, time: $time) {
        ...Moment
      }
    }
  }
`);

/** What records of a moment are selected by. */
export interface PastFilter {
  readonly owner?: string | undefined;
  readonly type?: string | undefined;
  /** A part of the data. */
  readonly data?: string | undefined;
}

export type PastRecord = NonNullable<MomentFragment["records"]>["nodes"][number];

/** The zone at a moment of an address, some of its records at a time. */
export const momentOptions = (past: Past, text: string, { owner, type, data }: PastFilter) =>
  infiniteQueryOptions({
    queryKey: ["moment", past, text, { owner, type, data }],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }): Promise<MomentFragment> => {
      const { serial = null, changeId = null, time = null } = readMoment(text) as MomentInput;
      const variables = {
        ...{ serial, changeId, time },
        owner: owner ?? null,
        types: type === undefined ? null : [type],
        data: data ?? null,
        after: pageParam,
        isFirst: pageParam === null,
      };
      const result =
        "zone" in past
          ? (await run(zoneAt, { ...variables, zone: past.zone }, signal)).domain
          : (await run(deletedZoneAt, { ...variables, id: past.deleted }, signal)).deletedDomain;
      return result?.at as MomentFragment;
    },
    getNextPageParam: ({ records }) => (records?.pageInfo.hasNextPage ? records.pageInfo.endCursor : undefined),
    staleTime: 60_000,
  });

const momentsOfZone = graphql(`
  query Moments($zone: String!, $after: String) {
    domain(by: { zone: $zone }) {
      id
      changes(first: 500, after: $after) {
        ...Authors
      }
    }
  }
`);

/** The changes of a zone, the newest first. */
export const momentsOptions = (zone: string) =>
  infiniteQueryOptions({
    queryKey: ["history", "moments", zone],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) =>
      (await run(momentsOfZone, { zone, after: pageParam }, signal)).domain?.changes ?? noPage,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
  });

graphql(`
  fragment RrsetVersions on RecordVersionConnection {
    nodes {
      recordId
      ttl
      rdata
      from {
        ...Author
      }
      until {
        ...Author
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
`);

export type RrsetVersion = RrsetVersionsFragment["nodes"][number];

const versionsOfZone = graphql(`
  query Versions($zone: String!, $owner: String!, $type: RecordType!, $after: String) {
    domain(by: { zone: $zone }) {
      id
      recordVersions(owner: $owner, type: $type, first: 200, after: $after) {
        ...RrsetVersions
      }
    }
  }
`);

const versionsOfDeleted = graphql(`
  query VersionsOfDeleted($id: ID!, $owner: String!, $type: RecordType!, $after: String) {
    deletedDomain(by: { id: $id }) {
      domainId
      recordVersions(owner: $owner, type: $type, first: 200, after: $after) {
        ...RrsetVersions
      }
    }
  }
`);

/** The versions of the records of one RRset, those that began last first. */
export const versionsOptions = (past: Past, owner: string, type: string) =>
  infiniteQueryOptions({
    queryKey: ["history", "versions", past, owner, type],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam: after, signal }): Promise<RrsetVersionsFragment> => {
      const result =
        "zone" in past
          ? (await run(versionsOfZone, { zone: past.zone, owner, type, after }, signal)).domain
          : (await run(versionsOfDeleted, { id: past.deleted, owner, type, after }, signal)).deletedDomain;
      return result?.recordVersions as RrsetVersionsFragment;
    },
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
  });
