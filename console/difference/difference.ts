/** A difference as lines: an edited record is one line with before and after. */
export interface DifferenceRow {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
  /** The record's id; a new record does not have one yet. */
  readonly recordId?: string | null | undefined;
}

export interface ChangedRecords {
  readonly removed: readonly DifferenceRow[];
  readonly added: readonly DifferenceRow[];
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

/** The record before and the one after a line; one of them is missing where it removes or adds. */
export const sidesOf = (line: DifferenceLine) => ({
  from: line.kind === "change" ? line.from : line.kind === "remove" ? line.row : undefined,
  to: line.kind === "remove" ? undefined : line.row,
});

/** The records but the SOA, as texts to compare. */
export const contentsOf = (rows: readonly DifferenceRow[]) =>
  rows.filter(({ type }) => type !== "SOA").map(({ owner, type, ttl, rdata }) => `${owner} ${ttl} ${type} ${rdata}`);

/** A record without its TTL; a zone has one SOA. */
const identity = ({ owner, type, rdata }: DifferenceRow) => `${owner} ${type} ${type === "SOA" ? "" : rdata}`;

export const withoutSerial = (rdata: string) => rdata.split(" ").toSpliced(2, 1).join(" ");

/**
 * Pairs removed with added records: by id, or by equal data with another TTL. `isEdited` says whether the record of an id is edited
 * itself; by default every record is.
 */
export function differenceOf(
  removed: readonly DifferenceRow[],
  added: readonly DifferenceRow[],
  isEdited: (recordId: string) => boolean = () => true,
): DifferenceLine[] {
  const left = new Set(added);
  const byId = new Map(added.flatMap((row) => (row.recordId ? [[row.recordId, row] as const] : [])));
  const byIdentity = new Map(added.map((row) => [identity(row), row]));
  const lines = removed.map((from): DifferenceLine => {
    const row = (from.recordId && byId.get(from.recordId)) || byIdentity.get(identity(from));
    if (!row || !left.delete(row)) return { kind: "remove", row: from };
    return { kind: "change", from, row, moves: from.type !== "SOA" && !isEdited(from.recordId ?? "") };
  });
  return [...lines, ...[...left].map((row): DifferenceLine => ({ kind: "add", row }))];
}

const contentOf = ({ owner, type, ttl, rdata }: DifferenceRow) =>
  `${owner} ${ttl} ${type} ${type === "SOA" ? withoutSerial(rdata) : rdata}`;
const isSame = (line: DifferenceLine) => line.kind === "change" && contentOf(line.from) === contentOf(line.row);
const rankOf = ({ owner, type }: DifferenceRow) => (type === "SOA" ? 0 : owner === "@" ? 1 : 2);
const collator = new Intl.Collator("en", { numeric: true });

/** What a change did, the apex first. The SOA has a line only when more than its serial differs. */
export const changeLines = ({ removed, added }: ChangedRecords): DifferenceLine[] =>
  differenceOf(removed, added)
    .filter((line) => !isSame(line))
    .sort(
      ({ row: a }, { row: b }) =>
        rankOf(a) - rankOf(b) || collator.compare(a.owner, b.owner) || collator.compare(a.type, b.type),
    );

/** How many there are of each, without those that are zero: +2 −1 ~1. */
export const plusMinus = (added: number, removed: number, changed = 0) =>
  [added && `+${added}`, removed && `−${removed}`, changed && `~${changed}`].filter(Boolean).join(" ") ||
  "no difference";

export function countsText(lines: readonly DifferenceLine[]): string {
  const count = (kind: DifferenceLine["kind"]) => lines.filter((line) => line.kind === kind).length;
  return plusMinus(count("add"), count("remove"), count("change"));
}

const isMove = (line: DifferenceLine) => line.kind === "change" && line.moves;
const rrsetOf = ({ row: { owner, type } }: DifferenceLine) => `${owner} ${type}`;

/**
 * The lines in the order in which they are shown, the SOA last, each with how many records of its RRset have its new TTL without being
 * edited themselves (RFC 2181 §5.2): such a record is counted at the last edited one.
 */
export function withMoves(
  lines: readonly DifferenceLine[],
): { readonly line: DifferenceLine; readonly moved: number }[] {
  const causes = new Map(lines.filter((line) => !isMove(line)).map((line) => [rrsetOf(line), line]));
  const moves = Map.groupBy(lines.filter(isMove), (line) => causes.get(rrsetOf(line)) ?? line);
  return lines
    .filter((line) => !isMove(line) || moves.has(line))
    .sort((a, b) => Number(a.row.type === "SOA") - Number(b.row.type === "SOA"))
    .map((line) => ({ line, moved: isMove(line) ? 0 : (moves.get(line)?.length ?? 0) }));
}

/** From where to where a text differs from another. */
export function differingPart(text: string, other: string): readonly [start: number, end: number] {
  const most = Math.min(text.length, other.length);
  let start = 0;
  while (start < most && text[start] === other[start]) start++;
  let end = 0;
  while (end < most - start && text.at(-1 - end) === other.at(-1 - end)) end++;
  return [start, text.length - end];
}
