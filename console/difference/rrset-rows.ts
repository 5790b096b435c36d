/**
 * The RRsets of a difference as rows that are removed and added.
 */
import { graphql } from "../api/generated/gql.ts";
import type { DifferenceRow } from "./difference.ts";
import type { ChangedRecords } from "./fold.ts";

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

interface RrsetLines<Line> {
  readonly owner: string;
  readonly type: string;
  readonly lines: readonly Line[];
}

interface RrsetLine {
  readonly op: "ADDED" | "REMOVED";
  readonly recordId?: string | null;
  readonly ttl: number;
  readonly rdata: string;
}

/** The rows of a difference; `onRow` is called with each and the line that it is of. */
export function rowsOf<Line extends RrsetLine>(
  rrsets: readonly RrsetLines<Line>[],
  onRow?: (row: DifferenceRow, line: Line) => void,
): ChangedRecords {
  const rows = { added: [] as DifferenceRow[], removed: [] as DifferenceRow[] };
  for (const { owner, type, lines } of rrsets)
    for (const line of lines) {
      const { op, recordId, ttl, rdata } = line;
      const row = { owner, type, recordId, ttl, rdata };
      rows[op === "ADDED" ? "added" : "removed"].push(row);
      onRow?.(row, line);
    }
  return rows;
}
