/** The inverse of a change, as edits: what it added goes, what it removed comes back, and what it edited is as it was before. */
import type { DifferenceLine, DifferenceRow } from "./difference.ts";
import { add, type Draft, remove, writeMany } from "./draft.ts";
import type { Records } from "./records.ts";
import { type RowValues, rrsetOf, type StoredRow } from "./row.ts";

const valuesOf = ({ owner, type, ttl, rdata }: DifferenceRow): RowValues => ({ owner, type, ttl: String(ttl), rdata });

/**
 * Stages the inverse of a difference over a draft. What somebody changed since stays as it is, and so does the SOA, whose serial never
 * goes back.
 */
export function inverse(draft: Draft, records: Records, lines: readonly DifferenceLine[]): Draft {
  const find = (row: DifferenceRow): StoredRow | undefined =>
    records.rrset(rrsetOf(row, draft.zone)).find(({ rdata }) => rdata === row.rdata);
  const gone: string[] = [];
  const back: DifferenceRow[] = [];
  const edited: [string, RowValues][] = [];
  for (const line of lines.filter(({ row }) => row.type !== "SOA")) {
    const stored = line.kind === "remove" ? undefined : find(line.row);
    if (line.kind === "change" && stored) edited.push([stored.id, valuesOf(line.from)]);
    else if (line.kind === "add" && stored) gone.push(stored.id);
    else if (line.kind !== "add") {
      const row = line.kind === "change" ? line.from : line.row;
      if (!find(row)) back.push(row);
    }
  }
  const staged = writeMany(remove(draft, records, gone), records, edited);
  return back.reduce((next, row) => {
    const rows = [{ key: `back-${crypto.randomUUID()}`, values: valuesOf(row) }];
    return add(next, records, records.placeOf(row), rows);
  }, staged);
}
