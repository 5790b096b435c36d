/** The queries of moments. A moment never changes, so what was read of it stays valid. */
import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from "@tanstack/react-query";
import type { MomentFragment, MomentInput, MomentsQuery } from "../../api/generated/graphql.ts";
import { nodesOf, noPage, paged, readMost } from "../../api/pages.ts";
import { graphql, run } from "../../api/run.ts";
import { changeLines, type DifferenceRow } from "../../difference/difference.ts";
import { rowsOf } from "../../difference/rrset-rows.ts";
import { compareOrder, ordered } from "../../sheet/records/natural-order.ts";
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

/** Records of a moment, and RRsets of a difference, that are read at most; beyond, they are shown in part. */
const maxRows = 5000;

/** The zone at a moment of an address, its records in the order of a sheet. */
export const momentOptions = (past: Past, text: string) =>
  queryOptions({
    queryKey: ["moment", past, text],
    queryFn: async ({ signal }) => {
      const readPage = async (moment: MomentInput | undefined, after: string | null) => {
        const variables = { by: selectorOf(past), moment: moment as MomentInput, after, isFirst: after === null };
        return (await run(zoneAt, variables, signal)).zoneHistory?.at as MomentFragment;
      };
      const first = await readPage(readMoment(text), null);
      const { change } = first;
      const { rows } = await readMost(maxRows, async (after) =>
        after === null ? first.records : (await readPage({ changeId: change.id }, after)).records,
      );
      const records = rows
        .map((record) => ({ ...ordered({ id: record.recordId, ...record }), ...record }))
        .sort(compareOrder);
      return { change, records, total: first.records?.totalCount ?? 0 };
    },
    staleTime: 60_000,
  });

const moments = graphql(`
  query Moments($by: DomainSelector!, $after: String) {
    zoneHistory(by: $by) {
      changes(first: 500, after: $after) {
        nodes { ...Author summary addedCount removedCount }
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
      const rrsets = await readMost(maxRows, async (after) =>
        after === null ? first.rrsets : (await readPage(after)).rrsets,
      );
      const blames = new Map<DifferenceRow, Author | null | undefined>();
      const lines = changeLines(rowsOf(rrsets.rows, (row, line) => blames.set(row, line.change)));
      return { from: first.from?.change ?? null, to: first.to.change, lines, blames, isWhole: rrsets.isWhole };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
