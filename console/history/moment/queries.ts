/**
 * The queries of moments. A moment never changes, so what was read of it stays valid.
 */
import { infiniteQueryOptions } from "@tanstack/react-query";
import { graphql } from "../../api/generated/gql.ts";
import type { MomentFragment, MomentInput, RrsetVersionsFragment } from "../../api/generated/graphql.ts";
import { nextPage, noPage, paged } from "../../api/pages.ts";
import { run } from "../../api/run.ts";
import { type Past, readMoment } from "./moment.ts";

graphql(`
  fragment Author on Change {
    id kind serial createdAt actor
    user { id email }
    appliedBy source note
  }
`);

graphql(`
  fragment Authors on ChangeConnection {
    nodes { ...Author }
    pageInfo { hasNextPage endCursor }
  }
`);

graphql(`
  fragment Moment on ZoneMoment {
    zone serial
    change { ...Author }
    endedBy { ...Author }
    records(first: 200, after: $after, owner: $owner, types: $types, rdataContains: $data) {
      totalCount @include(if: $isFirst)
      nodes {
        recordId owner type ttl rdata
        blame { ...Author }
        restoredBy { ...Author }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const zoneAt = graphql(`
  query ZoneAt(
    $by: DomainSelector!
    $moment: MomentInput!
    $owner: String
    $types: [RecordType!]
    $data: String
    $after: String
    $isFirst: Boolean!
  ) {
    zoneHistory(by: $by) { at(moment: $moment) { ...Moment } }
  }
`);

/** How the service selects a zone, or a deleted one. */
const selectorOf = (past: Past) => ("zone" in past ? { zone: past.zone } : { id: past.deleted });

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
      const variables = {
        moment: readMoment(text) as MomentInput,
        owner: owner ?? null,
        types: type === undefined ? null : [type],
        data: data ?? null,
        after: pageParam,
        isFirst: pageParam === null,
      };
      const { zoneHistory } = await run(zoneAt, { ...variables, by: selectorOf(past) }, signal);
      return zoneHistory?.at as MomentFragment;
    },
    getNextPageParam: ({ records }) => nextPage(records),
    staleTime: 60_000,
  });

const moments = graphql(`
  query Moments($by: DomainSelector!, $after: String) {
    zoneHistory(by: $by) { changes(first: 500, after: $after) { ...Authors } }
  }
`);

/** The changes of a zone, the newest first. */
export const momentsOptions = (past: Past) =>
  infiniteQueryOptions({
    queryKey: ["history", "moments", past],
    ...paged,
    queryFn: async ({ pageParam, signal }) =>
      (await run(moments, { by: selectorOf(past), after: pageParam }, signal)).zoneHistory?.changes ?? noPage,
  });

graphql(`
  fragment RrsetVersions on RecordVersionConnection {
    nodes {
      recordId ttl rdata
      from { ...Author }
      until { ...Author }
    }
    pageInfo { hasNextPage endCursor }
  }
`);

export type RrsetVersion = RrsetVersionsFragment["nodes"][number];

const versions = graphql(`
  query Versions($by: DomainSelector!, $owner: String!, $type: RecordType!, $after: String) {
    zoneHistory(by: $by) {
      recordVersions(owner: $owner, type: $type, first: 200, after: $after) { ...RrsetVersions }
    }
  }
`);

/** The versions of the records of one RRset, those that began last first. */
export const versionsOptions = (past: Past, owner: string, type: string) =>
  infiniteQueryOptions({
    queryKey: ["history", "versions", past, owner, type],
    ...paged,
    queryFn: async ({ pageParam: after, signal }): Promise<RrsetVersionsFragment> => {
      const { zoneHistory } = await run(versions, { by: selectorOf(past), owner, type, after }, signal);
      return zoneHistory?.recordVersions as RrsetVersionsFragment;
    },
  });
