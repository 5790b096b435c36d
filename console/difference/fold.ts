/**
 * The effect of several changes on the records of a zone. A record that one adds and a later one removes is left out; an edit is one line.
 */
import { type DifferenceLine, type DifferenceRow, withoutSerial } from "./difference.ts";

/** What one change did. */
export interface ChangedRecords {
  readonly removed: readonly DifferenceRow[];
  readonly added: readonly DifferenceRow[];
}

const contentOf = ({ owner, type, ttl, rdata }: DifferenceRow) => JSON.stringify([owner, type, ttl, rdata]);
/** Identifies a record: by its id, or by its content when the journal has no id. */
const identityOf = (record: DifferenceRow) =>
  record.recordId ?? JSON.stringify([record.owner, record.type, record.rdata]);

/** The difference from before the first change to after the last; `changes` begins with the oldest. */
export function fold(changes: readonly ChangedRecords[]): DifferenceLine[] {
  const before = new Map<string, DifferenceRow | undefined>();
  const after = new Map<string, DifferenceRow | undefined>();
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
  const lines = [...before].flatMap(([identity, first]) => lineOf(first, after.get(identity)));
  return lines.sort((a, b) => compare(a.row, b.row));
}

/** Whether two SOA records differ in the serial alone. */
const isSerialOnly = (from: DifferenceRow, to: DifferenceRow) =>
  from.type === "SOA" &&
  to.type === "SOA" &&
  from.ttl === to.ttl &&
  withoutSerial(from.rdata) === withoutSerial(to.rdata);

function lineOf(from: DifferenceRow | undefined, row: DifferenceRow | undefined): DifferenceLine[] {
  if (!from) return row ? [{ kind: "add", row }] : [];
  if (!row) return [{ kind: "remove", row: from }];
  if (contentOf(from) === contentOf(row) || isSerialOnly(from, row)) return [];
  return [{ kind: "change", from, row, moves: false }];
}

const collator = new Intl.Collator("en", { numeric: true });

/** The apex first, the SOA before all. */
function compare(a: DifferenceRow, b: DifferenceRow): number {
  const rank = ({ owner, type }: DifferenceRow) => (type === "SOA" ? 0 : owner === "@" ? 1 : 2);
  return rank(a) - rank(b) || collator.compare(a.owner, b.owner) || collator.compare(a.type, b.type);
}

/** How many there are of each, none of which is said to be zero: +2 −1 ~1. */
export const plusMinus = (added: number, removed: number, changed = 0) =>
  [added && `+${added}`, removed && `−${removed}`, changed && `~${changed}`].filter(Boolean).join(" ") || "no records";

/** The number of lines of each kind. */
export function countsText(lines: readonly DifferenceLine[]): string {
  const count = (kind: DifferenceLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return plusMinus(count("add"), count("remove"), count("change"));
}
