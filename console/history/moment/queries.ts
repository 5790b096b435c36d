/**
 * The queries of moments. A moment never changes, so what was read of it stays valid.
 */
import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { graphql } from "../../api/generated/gql.ts";
import type { MomentFragment, MomentInput, MomentsQuery } from "../../api/generated/graphql.ts";
import { nextPage, nodesOf, noPage, paged } from "../../api/pages.ts";
import { run } from "../../api/run.ts";
import type { DifferenceRow } from "../../difference/difference.ts";
import { fold } from "../../difference/fold.ts";
import { rowsOf } from "../../difference/rrset-rows.ts";
import { type Author, type Past, readMoment } from "./moment.ts";

graphql(`
  fragment Author on Change {
    id kind serial createdAt actor
    user { id email }
    appliedBy source note
  }
`);

graphql(`
  fragment Moment on ZoneMoment {
    change { ...Author }
    records(first: 1000, after: $after) {
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
  query ZoneAt($by: DomainSelector!, $moment: MomentInput!, $after: String, $isFirst: Boolean!) {
    zoneHistory(by: $by) { at(moment: $moment) { ...Moment } }
  }
`);

/** How the service selects a zone, or a deleted one. */
const selectorOf = (past: Past) => ("zone" in past ? { zone: past.zone } : { id: past.deleted });

export type PastRecord = NonNullable<MomentFragment["records"]>["nodes"][number];

/** Records of a moment, and of one side of a difference, that are read at most; beyond, they are shown in part. */
const maxRows = 5000;

/** The zone at a moment of an address. */
export const momentOptions = (past: Past, text: string) =>
  queryOptions({
    queryKey: ["moment", past, text],
    queryFn: async ({ signal }) => {
      const readPage = async (moment: MomentInput, after: string | null) => {
        const variables = { by: selectorOf(past), moment, after, isFirst: after === null };
        return (await run(zoneAt, variables, signal)).zoneHistory?.at as MomentFragment;
      };
      let page = await readPage(readMoment(text) as MomentInput, null);
      const { change } = page;
      const total = page.records?.totalCount ?? 0;
      const records = [...(page.records?.nodes ?? [])];
      for (let after = nextPage(page.records); after && records.length < maxRows; after = nextPage(page.records)) {
        page = await readPage({ changeId: change.id }, after);
        records.push(...(page.records?.nodes ?? []));
      }
      return { change, records, total };
    },
    staleTime: 60_000,
  });

const moments = graphql(`
  query Moments($by: DomainSelector!, $after: String) {
    zoneHistory(by: $by) {
      changes(first: 500, after: $after) {
        nodes { ...Author summary }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

/** A change that left the zone at a moment. */
export type MomentChange = NonNullable<NonNullable<MomentsQuery["zoneHistory"]>["changes"]>["nodes"][number];

/** The changes of a zone, the newest first. */
const momentsOptions = (past: Past) =>
  infiniteQueryOptions({
    queryKey: ["history", "moments", past],
    ...paged,
    queryFn: async ({ pageParam, signal }) =>
      (await run(moments, { by: selectorOf(past), after: pageParam }, signal)).zoneHistory?.changes ?? noPage,
  });

/** The query of a zone's changes. `changes` are those that are read, the newest first, without deletions, which leave no zone. */
export function useMoments(past: Past) {
  const query = useInfiniteQuery(momentsOptions(past));
  return { ...query, changes: nodesOf(query).filter(({ kind }) => kind !== "DELETE") };
}

export type Moments = ReturnType<typeof useMoments>;

const difference = graphql(`
  query Comparison($zone: String!, $from: MomentInput!, $to: Serial!, $after: String) {
    domain(by: { zone: $zone }) {
      diff(from: $from, to: { serial: $to }) {
        from { change { ...Author } }
        to { change { ...Author } }
        rrsets(first: 200, after: $after) {
          nodes {
            owner type
            lines {
              op recordId ttl rdata
              change { ...Author }
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
`);

/**
 * What a zone differs by from a moment to a serial, up to a limit, with the change that removed or added each row. The moment is null where
 * the zone was not created then yet.
 */
export const comparisonOptions = (zone: string, from: MomentInput, to: number) =>
  queryOptions({
    queryKey: ["comparison", zone, from, to],
    queryFn: async ({ signal }) => {
      const readPage = async (after: string | null) => {
        const { domain } = await run(difference, { zone, from, to, after }, signal);
        return domain?.diff as NonNullable<NonNullable<typeof domain>["diff"]>;
      };
      const first = await readPage(null);
      const blames = new Map<DifferenceRow, Author | null | undefined>();
      const added: DifferenceRow[] = [];
      const removed: DifferenceRow[] = [];
      let page = first.rrsets;
      for (;;) {
        const rows = rowsOf(page?.nodes ?? [], (row, line) => blames.set(row, line.change));
        added.push(...rows.added);
        removed.push(...rows.removed);
        const after = nextPage(page);
        if (after == null || Math.max(added.length, removed.length) >= maxRows) {
          const lines = fold([{ added, removed }]);
          return { from: first.from?.change ?? null, to: first.to.change, lines, blames, isWhole: after == null };
        }
        page = (await readPage(after)).rrsets;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
