/**
 * What changes did to the records of a zone, taken together: what came and went between them is not shown, and what was edited is one row.
 */

/** A record as a change removed or added it. */
export interface ChangedRecord {
  readonly recordId?: string | null;
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
}

/** What one change did. */
export interface ChangedRecords {
  readonly removed: readonly ChangedRecord[];
  readonly added: readonly ChangedRecord[];
}

/** A row of a difference: a record that was added, removed, or edited from one form to another. */
export type DifferenceRow =
  | { readonly kind: "added"; readonly after: ChangedRecord }
  | { readonly kind: "removed"; readonly before: ChangedRecord }
  | { readonly kind: "changed"; readonly before: ChangedRecord; readonly after: ChangedRecord };

const contentOf = ({ owner, type, ttl, rdata }: ChangedRecord) => JSON.stringify([owner, type, ttl, rdata]);
/** Which record it is: by its id, or by what it says where the journal has none. */
const identityOf = (record: ChangedRecord) =>
  record.recordId ?? JSON.stringify([record.owner, record.type, record.rdata]);

/** The difference between before the first change and after the last; the oldest change comes first. */
export function fold(changes: readonly ChangedRecords[]): DifferenceRow[] {
  const before = new Map<string, ChangedRecord | undefined>();
  const after = new Map<string, ChangedRecord | undefined>();
  for (const { removed, added } of changes) {
    for (const record of removed) {
      const identity = identityOf(record);
      if (!before.has(identity)) before.set(identity, record);
      after.set(identity, undefined);
    }
    for (const record of added) {
      const identity = identityOf(record);
      if (!before.has(identity)) before.set(identity, undefined);
      after.set(identity, record);
    }
  }
  const rows = [...before].flatMap(([identity, first]) => rowOf(first, after.get(identity)));
  return rows.sort((a, b) => compare(recordOf(a), recordOf(b)));
}

function rowOf(before: ChangedRecord | undefined, after: ChangedRecord | undefined): DifferenceRow[] {
  if (!before) return after ? [{ kind: "added", after }] : [];
  if (!after) return [{ kind: "removed", before }];
  return contentOf(before) === contentOf(after) ? [] : [{ kind: "changed", before, after }];
}

/** The record that a row is about: as it is after, or was before. */
export const recordOf = (row: DifferenceRow): ChangedRecord => (row.kind === "removed" ? row.before : row.after);

/** Whether a row is an SOA whose serial alone differs, as in every change. */
export function isSerialOnly(row: DifferenceRow): boolean {
  if (row.kind !== "changed" || row.after.type !== "SOA" || row.before.ttl !== row.after.ttl) return false;
  const withoutSerial = ({ rdata }: ChangedRecord) => rdata.replace(/^(\S+ \S+) \d+/, "$1");
  return withoutSerial(row.before) === withoutSerial(row.after);
}

const collator = new Intl.Collator("en", { numeric: true });

/** The apex first, the SOA before all. */
function compare(a: ChangedRecord, b: ChangedRecord): number {
  const rank = ({ owner, type }: ChangedRecord) => (type === "SOA" ? 0 : owner === "@" ? 1 : 2);
  return rank(a) - rank(b) || collator.compare(a.owner, b.owner) || collator.compare(a.type, b.type);
}

/** How many rows of each kind there are; the SOA, which every change has, does not count. */
export function countsOf(rows: readonly DifferenceRow[]): {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
} {
  const counted = rows.filter((row) => recordOf(row).type !== "SOA");
  const count = (kind: DifferenceRow["kind"]) => counted.filter((row) => row.kind === kind).length;
  return { added: count("added"), removed: count("removed"), changed: count("changed") };
}

/** The counts as people write them: +2 −1 ~1. */
export function countsText({ added, removed, changed }: ReturnType<typeof countsOf>): string {
  const parts = [added && `+${added}`, removed && `−${removed}`, changed && `~${changed}`].filter(Boolean);
  return parts.join(" ") || "no records";
}
