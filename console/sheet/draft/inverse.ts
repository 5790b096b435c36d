/** The inverse of a change, as edits: what it added goes, what it removed comes back, and what it edited is as it was before. */
import type { DifferenceLine } from "../../difference/difference.ts";
import type { Records } from "../records/records.ts";
import { columns, type RowValues, type StoredRow, valuesOf } from "../records/row.ts";
import { add, type Draft, remove, writeMany } from "./draft.ts";

export interface TakenBack {
  /** The change's id, where the service may undo it as a whole. */
  readonly id?: string;
  readonly serial: number;
  /** What the change is called that takes it back. */
  readonly note: string;
  readonly lines: readonly DifferenceLine[];
}

/**
 * Stages the inverse of a difference over a draft; also returns how many records somebody changed since, which stay as they are. The SOA
 * stays, whose serial never goes back.
 */
export function inverse(draft: Draft, records: Records, lines: readonly DifferenceLine[]) {
  const gone = new Set<string>();
  const edited = new Map<string, RowValues>();
  let skipped = 0;
  for (const line of lines.filter(({ row }) => row.type !== "SOA")) {
    const { row } = line;
    // What an import added has no id in the journal.
    const stored = row.recordId ? records.get(row.recordId) : records.withData(row);
    if (line.kind === "change") {
      const { from } = line;
      const changed = columns.filter((column) => from[column] !== row[column]);
      if (stored && changed.every((column) => stored[column] === row[column])) {
        const former = Object.fromEntries(changed.map((column) => [column, String(from[column])]));
        edited.set(stored.id, { ...valuesOf(stored), ...former });
      } else if (!records.withData(from)) skipped++;
    } else if (line.kind === "add" && stored) {
      const isSame = stored.owner === row.owner && stored.type === row.type && stored.rdata === row.rdata;
      if (isSame) gone.add(stored.id);
      else skipped++;
    }
  }
  const stays = (stored: StoredRow | undefined) => stored && !edited.has(stored.id) && !gone.has(stored.id);
  const back = lines.flatMap(({ kind, row }) => (kind === "remove" && !stays(records.withData(row)) ? [row] : []));
  if (gone.size + edited.size + back.length === 0) return { draft, skipped };
  const staged = writeMany(remove(draft, records, gone), records, [...edited]);
  const whole = back.reduce((next, row) => {
    const rows = [{ key: `back-${crypto.randomUUID()}`, values: valuesOf(row) }];
    return add(next, records, records.placeOf(row), rows);
  }, staged);
  return { draft: whole, skipped };
}

export function ownersOf(lines: readonly DifferenceLine[]): string[] {
  return lines.flatMap((line) => [line.row.owner, ...(line.kind === "change" ? [line.from.owner] : [])]);
}

export function skippedText(skipped: number): string | undefined {
  if (skipped === 0) return undefined;
  const records = skipped === 1 ? "One record of it was" : `${skipped} records of it were`;
  return `${records} changed since, and will stay as now.`;
}
