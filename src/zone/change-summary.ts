/**
 * What a change did, in a few words, for lists of changes: `www A 192.0.2.1 → 192.0.2.2`, or `+4 −2 in 3 RRsets: www A, @ MX, …`. Of each
 * change a few records are read, however many it has.
 */
import type { Session } from "../session/session.ts";
import { ChangeKind } from "./change.ts";
import { type ChangeRecordRow, recordsOfChanges } from "./change-record.ts";

/** Records that are read of each side of a change, the SOA with them. */
export const summaryRecords = 9;

/** RRsets that are named at most, and characters of data. */
const [maxNamed, maxData] = [3, 80];

type Side = Pick<Awaited<ReturnType<typeof recordsOfChanges>>[number], "rows" | "hasNextPage" | "count">;

const wholeZone = { CREATE: "created", RESTORE: "restored", DELETE: "deleted" } as const;

/** The summaries of changes of one kind, in the order of their ids. */
export async function summariesOf(session: Session, kind: ChangeKind, ids: readonly number[]): Promise<string[]> {
  const read = (isRemoved: boolean, first: number): Promise<Side[]> =>
    recordsOfChanges(session, ids, isRemoved, { first, order: "ORDINAL" });
  if (kind !== ChangeKind.EDIT) {
    const counts = await Promise.all((await read(kind === ChangeKind.DELETE, 1)).map((side) => side.count()));
    return counts.map((count) => `${wholeZone[kind]} with ${count} ${count === 1 ? "record" : "records"}`);
  }
  const [removed, added] = [await read(true, summaryRecords), await read(false, summaryRecords)];
  return Promise.all(ids.map((_, at) => summaryOf({ removed: removed[at] as Side, added: added[at] as Side })));
}

async function summaryOf({ removed, added }: Record<keyof Edited, Side>): Promise<string> {
  const edited = besidesSerial(removed.rows, added.rows);
  const count = async (side: Side, shown: number) =>
    (side.hasNextPage ? await side.count() : side.rows.length) - side.rows.length + shown;
  const counts = {
    removed: await count(removed, edited.removed.length),
    added: await count(added, edited.added.length),
  };
  return editText(edited, counts, removed.hasNextPage || added.hasNextPage);
}

/** What an edit removed and added. */
interface Edited {
  readonly removed: readonly ChangeRecordRow[];
  readonly added: readonly ChangeRecordRow[];
}

const isSoa = ({ type }: ChangeRecordRow) => type === "SOA";

/** The records without the SOA where nothing of it but the serial is another. */
function besidesSerial(removed: readonly ChangeRecordRow[], added: readonly ChangeRecordRow[]): Edited {
  const contents = [...removed, ...added]
    .filter(isSoa)
    .map(({ ttl, rdata }) => `${ttl} ${rdata.replace(/^(\S+ \S+) \d+/, "$1")}`);
  if (new Set(contents).size > 1) return { removed, added };
  return { removed: removed.filter((row) => !isSoa(row)), added: added.filter((row) => !isSoa(row)) };
}

function editText({ removed, added }: Edited, counts: Record<keyof Edited, number>, isPart: boolean): string {
  const [[before, ...othersBefore], [after, ...othersAfter]] = [removed, added];
  if (!before && !after) return "the serial alone";
  if (!isPart && othersBefore.length + othersAfter.length === 0) {
    if (before && after && isSame(before, after)) return editedText(before, after);
    if (!before || !after) return after ? `+ ${recordText(after)}` : `− ${recordText(before as ChangeRecordRow)}`;
  }
  const names = [...new Set([...added, ...removed].map(nameOf))];
  const amounts = [counts.added > 0 && `+${counts.added}`, counts.removed > 0 && `−${counts.removed}`];
  const amount = amounts.filter(Boolean).join(" ");
  if (names.length === 1 && !isPart) return `${names[0]} ${amount}`;
  const shown = [...names.slice(0, maxNamed), ...(isPart || names.length > maxNamed ? ["…"] : [])].join(", ");
  const rrsets = `${names.length}${isPart ? " or more" : ""} ${names.length === 1 ? "RRset" : "RRsets"}`;
  return `${amount} in ${rrsets}: ${shown}`;
}

/** Whether a record became another, or one of its RRset came in its place. */
const isSame = (before: ChangeRecordRow, after: ChangeRecordRow) =>
  before.recordId === after.recordId || nameOf(before) === nameOf(after);

/** A record that became another, or that was replaced by one. */
function editedText(before: ChangeRecordRow, after: ChangeRecordRow): string {
  if (nameOf(before) !== nameOf(after)) return `${recordText(before)} → ${recordText(after)}`;
  const ttl = before.ttl === after.ttl ? "" : `TTL ${before.ttl} → ${after.ttl}`;
  const data = before.rdata === after.rdata ? "" : `${dataText(before)} → ${dataText(after)}`;
  return [nameOf(before), data, ttl].filter(Boolean).join(" ");
}

const nameOf = ({ owner, type }: ChangeRecordRow) => `${owner} ${type}`;
const recordText = (row: ChangeRecordRow) => `${nameOf(row)} ${dataText(row)}`;
const dataText = ({ rdata }: ChangeRecordRow) => (rdata.length > maxData ? `${rdata.slice(0, maxData - 1)}…` : rdata);
