/**
 * What two moments of a zone differ by, as the service says it.
 */
import { queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { MomentInput } from "../api/generated/graphql.ts";
import { run } from "../api/run.ts";
import type { DifferenceRow } from "../difference/difference.ts";
import { fold } from "../difference/fold.ts";
import { rowsOf } from "../difference/rrset-rows.ts";
import type { Author } from "../past/moment.ts";

const difference = graphql(`
  query Comparison($zone: String!, $from: MomentInput!, $to: Serial!, $after: String) {
    domain(by: { zone: $zone }) {
      diff(from: $from, to: { serial: $to }) {
        from {
          change {
            ...Author
          }
        }
        to {
          change {
            ...Author
          }
        }
        rrsets(first: 200, after: $after) {
          nodes {
            owner
            type
            lines {
              op
              recordId
              ttl
              rdata
              change {
                ...Author
              }
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
`);

/** Rows of one side that are read at most; beyond, the difference is shown in part. */
const maxRows = 5000;

const readPage = async (
  variables: { readonly zone: string; readonly from: MomentInput; readonly to: number; readonly after: string | null },
  signal: AbortSignal,
) => {
  const { domain } = await run(difference, variables, signal);
  return domain?.diff as NonNullable<NonNullable<typeof domain>["diff"]>;
};

/**
 * What a zone differs by from a moment to a serial, up to a limit, with the change that removed or added each row. The moment is null where
 * the zone was not created then yet.
 */
export const comparisonOptions = (zone: string, from: MomentInput, to: number) =>
  queryOptions({
    queryKey: ["comparison", zone, from, to],
    queryFn: async ({ signal }) => {
      const first = await readPage({ zone, from, to, after: null }, signal);
      const blames = new Map<DifferenceRow, Author | null | undefined>();
      const added: DifferenceRow[] = [];
      const removed: DifferenceRow[] = [];
      let page = first.rrsets;
      for (;;) {
        const rows = rowsOf(page?.nodes ?? [], (row, line) => blames.set(row, line.change));
        added.push(...rows.added);
        removed.push(...rows.removed);
        const after = page?.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
        if (after === null || Math.max(added.length, removed.length) >= maxRows) {
          const lines = fold([{ added, removed }]);
          return { from: first.from?.change ?? null, to: first.to.change, lines, blames, isWhole: after === null };
        }
        page = (await readPage({ zone, from, to, after }, signal)).rrsets;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
