/**
 * Summaries of changes for lists, such as `www A 192.0.2.1 → 192.0.2.2` or `+4 −2 in 3 RRsets: www A, @ MX, …`. At most `summaryRecords`
 * records are read of each side.
 */

import type { Session } from "../session/session.ts";
import { Reference, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Change, ChangeKind } from "./change.ts";
import { ChangeRecord, type ChangeRecordRow, changedRecords } from "./change-record.ts";

export const summaryRecords = 8;

const [maxNamed, maxData] = [3, 80];

const c = table(Change, "c");
const v = table(ChangeRecord, "v");

type Summarized = Pick<ChangeRecordRow, "recordId" | "owner" | "type" | "ttl" | "rdata">;

/** The first records of a side of a change, and the count of all its records. The count is null for an edit whose records are all here. */
type Side = readonly [rows: readonly Summarized[], count: number | null];

/** The SQL of the two sides of change `c` as JSON: removed, then added. */
export const sidesOfChange = new Reference<string>(`json_build_array(${sideOf(true)}, ${sideOf(false)})`);

function sideOf(isRemoved: boolean): string {
  const ofSide = `from ${changedRecords} v
    where ${v.domainId} = ${c.domainId} and ${v.changeId} = ${c.id} and ${isRemoved ? "v.removed" : "not v.removed"}`;
  const record = `json_build_object('recordId', ${v.recordId}, 'owner', ${v.owner}, 'type', ${v.type}, 'ttl', ${v.ttl}, 'rdata', ${v.rdata})`;
  const rows = `select json_agg(first.record order by first.ordinal) from (
    select ${v.ordinal} as ordinal, ${record} as record ${ofSide} order by ${v.ordinal} limit ${summaryRecords}) first`;
  const isCounted = `case ${c.kind} when '${ChangeKind.EDIT}' then exists (select ${ofSide} offset ${summaryRecords})
    when '${ChangeKind.DELETE}' then ${isRemoved} else ${!isRemoved} end`;
  return `json_build_array(case when ${c.kind} = '${ChangeKind.EDIT}' then (${rows}) end,
    case when ${isCounted} then (select count(*) ${ofSide}) end)`;
}

const wholeZone = { CREATE: "created", RESTORE: "restored", DELETE: "deleted" } as const;

/** What a change did: for people, and counted. An edited record counts as removed and as added. */
interface ChangeSummary {
  readonly text: string;
  readonly removedCount: number;
  readonly addedCount: number;
}

export async function summariesOf(session: Session, ids: readonly number[]): Promise<ChangeSummary[]> {
  const query = sql<{ id: number; kind: ChangeKind; sides: string }>`
    select ${c.id}, ${c.kind}, (${sidesOfChange})::text as sides from ${c} where ${c.id} = any(${ids}::bigint[])`;
  const rows = await query.run(session);
  const summaries = new Map(rows.map(({ id, kind, sides }) => [id, summaryOf(kind, sides)]));
  return ids.map((id) => summaries.get(id) as ChangeSummary);
}

export function summaryOf(kind: ChangeKind, sides: string): ChangeSummary {
  const [removed, added] = (JSON.parse(sides) as [rows: Summarized[] | null, count: number | null][]).map(
    ([rows, count]): Side => [rows ?? [], count],
  ) as [Side, Side];
  const count = ([rows, all]: Side) => all ?? rows.length;
  const counts = { removedCount: count(removed), addedCount: count(added) };
  const isPart = removed[1] !== null || added[1] !== null;
  if (kind === ChangeKind.EDIT)
    return { ...counts, text: editText({ removed: removed[0], added: added[0] }, counts, isPart) };
  const all = counts.removedCount + counts.addedCount;
  return { ...counts, text: `${wholeZone[kind]} with ${all} ${all === 1 ? "record" : "records"}` };
}

interface Edited {
  readonly removed: readonly Summarized[];
  readonly added: readonly Summarized[];
}

function editText(
  { removed, added }: Edited,
  { removedCount, addedCount }: Omit<ChangeSummary, "text">,
  isPart: boolean,
): string {
  const [[before, ...othersBefore], [after, ...othersAfter]] = [removed, added];
  if (!before && !after) return "the serial alone";
  if (!isPart && othersBefore.length + othersAfter.length === 0) {
    if (before && after && isSame(before, after)) return editedText(before, after);
    if (!before || !after) return after ? `+ ${recordText(after)}` : `− ${recordText(before as Summarized)}`;
  }
  const names = [...new Set([...added, ...removed].map(nameOf))];
  const amounts = [addedCount > 0 && `+${addedCount}`, removedCount > 0 && `−${removedCount}`];
  const amount = amounts.filter(Boolean).join(" ");
  if (names.length === 1 && !isPart) return `${names[0]} ${amount}`;
  const shown = [...names.slice(0, maxNamed), ...(isPart || names.length > maxNamed ? ["…"] : [])].join(", ");
  const rrsets = `${names.length}${isPart ? " or more" : ""} ${names.length === 1 ? "RRset" : "RRsets"}`;
  return `${amount} in ${rrsets}: ${shown}`;
}

/** Whether `after` is the edited record `before`, or replaces it in the same RRset. */
const isSame = (before: Summarized, after: Summarized) =>
  before.recordId === after.recordId || nameOf(before) === nameOf(after);

function editedText(before: Summarized, after: Summarized): string {
  if (nameOf(before) !== nameOf(after)) return `${recordText(before)} → ${recordText(after)}`;
  const ttl = before.ttl === after.ttl ? "" : `TTL ${before.ttl} → ${after.ttl}`;
  const data = before.rdata === after.rdata ? "" : `${dataText(before)} → ${dataText(after)}`;
  return [nameOf(before), data, ttl].filter(Boolean).join(" ");
}

const nameOf = ({ owner, type }: Summarized) => `${owner} ${type}`;
const recordText = (row: Summarized) => `${nameOf(row)} ${dataText(row)}`;
const dataText = ({ rdata }: Summarized) => (rdata.length > maxData ? `${rdata.slice(0, maxData - 1)}…` : rdata);
