/** The RRsets of a difference as rows that are removed and added. */
import { graphql } from "../api/generated/gql.ts";
import type { RrsetDifferenceFragment } from "../api/generated/graphql.ts";
import type { ChangedRecords, DifferenceRow } from "./difference.ts";

graphql(`
  fragment RrsetDifference on RRsetDiff {
    owner type
    lines { op recordId ttl rdata }
  }
`);

graphql(`
  fragment RrsetDifferences on RRsetDiffConnection {
    nodes { ...RrsetDifference }
    pageInfo { hasNextPage endCursor }
  }
`);

type RrsetLine = RrsetDifferenceFragment["lines"][number];

/** The rows of a difference; `onRow` is called with each and the line that it is of. */
export function rowsOf<Line extends RrsetLine>(
  rrsets: readonly (Omit<RrsetDifferenceFragment, "lines"> & { readonly lines: readonly Line[] })[],
  onRow?: (row: DifferenceRow, line: Line) => void,
): ChangedRecords {
  const rows = { ADDED: [] as DifferenceRow[], REMOVED: [] as DifferenceRow[] };
  for (const { owner, type, lines } of rrsets)
    for (const line of lines) {
      const { op, recordId, ttl, rdata } = line;
      const row = { owner, type, recordId, ttl, rdata };
      rows[op].push(row);
      onRow?.(row, line);
    }
  return { added: rows.ADDED, removed: rows.REMOVED };
}
