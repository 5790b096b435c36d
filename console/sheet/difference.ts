/**
 * The difference that a dry run returned, as lines: records that were edited are one line with before and after. The SOA, whose serial
 * every change raises, is a line only when something else of it changes.
 */
import type { Draft } from "./draft.ts";

/** A record as a change removes or adds it. */
export interface DifferenceRow {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
}

export type DifferenceLine =
  | { readonly kind: "add" | "remove"; readonly row: DifferenceRow }
  | {
      readonly kind: "change";
      readonly from: DifferenceRow;
      readonly row: DifferenceRow;
      /** The record is not edited itself: its TTL moves with its RRset (RFC 2181 §5.2). */
      readonly moves: boolean;
    };

const rrset = ({ owner, type }: DifferenceRow) => `${owner} ${type}`;
const identity = (row: DifferenceRow) => `${rrset(row)} ${row.rdata}`;
const soaData = ({ rdata }: DifferenceRow) => rdata.split(" ").toSpliced(2, 1).join(" ");

/** Whether two SOA records differ in nothing but the serial. */
const isSerialOnly = (from: DifferenceRow, to: DifferenceRow) => from.ttl === to.ttl && soaData(from) === soaData(to);

export function differenceOf(
  removed: readonly DifferenceRow[],
  added: readonly DifferenceRow[],
  draft?: Draft,
): DifferenceLine[] {
  const left = new Set(added);
  const byIdentity = Map.groupBy(added, identity);
  const byRrset = Map.groupBy(added, rrset);
  const edited = new Map(
    [...(draft?.edits.values() ?? [])].flatMap((edit) =>
      edit.kind === "change" ? [[identity(edit.before), edit] as const] : [],
    ),
  );
  const take = (rows: readonly DifferenceRow[] | undefined): DifferenceRow | undefined => {
    const row = rows?.find((each) => left.has(each));
    if (row) left.delete(row);
    return row;
  };
  // Equal data first, so that what only moves is not taken for what was edited.
  const same = removed.map((row) => take(byIdentity.get(identity(row))));
  const lines = removed.map((from, at): DifferenceLine | undefined => {
    const edit = edited.get(identity(from));
    const sameSet =
      from.type === "SOA" || edit ? byRrset.get(rrset({ ...from, ...(edit && plain(edit.values)) })) : undefined;
    const row = same[at] ?? take(sameSet);
    if (!row) return { kind: "remove", row: from };
    if (from.type === "SOA" && isSerialOnly(from, row)) return undefined;
    return { kind: "change", from, row, moves: draft !== undefined && !edit && from.type !== "SOA" };
  });
  const rest = [...left].filter(({ type }) => type !== "SOA");
  return [...lines.flatMap((line) => line ?? []), ...rest.map((row): DifferenceLine => ({ kind: "add", row }))];
}

const plain = ({ owner, type }: { owner: string; type: string }) => ({ owner: owner.trim().toLowerCase(), type });

/** Removals that deserve a question: more than 30 % of the zone and more than 10 records. */
export function isLargeRemoval(lines: readonly DifferenceLine[], total: number): boolean {
  const count = removedCount(lines);
  return count > 10 && count > 0.3 * total;
}

export const removedCount = (lines: readonly DifferenceLine[]) => lines.filter(({ kind }) => kind === "remove").length;
