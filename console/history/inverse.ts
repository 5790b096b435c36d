/**
 * The edits that take a change back: what it added is removed, what it removed is added, and what it edited is as before.
 */
import type { ChangeRecordsInput } from "../api/generated/graphql.ts";
import type { DifferenceRow } from "./fold.ts";

/** The lists of edits of one changeRecords. */
export type Edits = Required<Pick<ChangeRecordsInput, "add" | "update" | "remove">>;

/** The inverse of a difference. The SOA is left out: its serial only increases. */
export function inverseOf(rows: readonly DifferenceRow[]): Edits {
  const add: NonNullable<Edits["add"]> = [];
  const update: NonNullable<Edits["update"]> = [];
  const remove: NonNullable<Edits["remove"]> = [];
  for (const row of rows) {
    if (row.kind === "removed") {
      const { owner, type, ttl, rdata } = row.before;
      if (type !== "SOA") add.push({ owner, type, ttl, rdata });
      continue;
    }
    const { recordId } = row.after;
    if (row.after.type === "SOA" || !recordId) continue;
    if (row.kind === "added") remove.push(recordId);
    else
      update.push({
        id: recordId,
        owner: row.before.owner,
        type: row.before.type,
        ttl: row.before.ttl,
        rdata: row.before.rdata,
      });
  }
  return { add, update, remove };
}

/** Whether every row has what its inverse needs: an addition of an import has no id of its record. */
export const isInvertible = (rows: readonly DifferenceRow[]) =>
  rows.every((row) => row.kind === "removed" || row.after.type === "SOA" || Boolean(row.after.recordId));
