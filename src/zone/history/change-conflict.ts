/** Compares RRsets of a change by content to undo it. Serials do not count, so changes of other RRsets prevent nothing. */

import { type Reason, Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Change, ChangeKind, type ChangeRow, changesByIds } from "../change.ts";
import { ChangeRecord } from "../change-record.ts";
import { positionOf, ZoneRecord } from "../record.ts";
import type { PastRecords, Rrset } from "./past-records.ts";
import { contentOf, type ReturnLine } from "./return-plan.ts";
import { instantAfter, instantBefore } from "./versions.ts";

const c = table(Change, "c");
const r = table(ZoneRecord, "r");
const v = table(ChangeRecord, "v");

/** An RRset that a change edited, with its records before the change and after it. */
export interface EditedRrset extends Rrset {
  readonly before: Content;
  readonly after: Content;
}

export interface Undoing {
  readonly lines: readonly ReturnLine[];
  /** The RRsets that later changes changed again. */
  readonly changedSince: readonly EditedRrset[];
  /** The RRsets that are as they were before the change. */
  readonly undone: readonly EditedRrset[];
}

type RecordOfZone = Omit<ReturnLine, "removed" | "recordId"> & { readonly id: number };

export type RecordsAt = (owners: readonly string[]) => Promise<readonly RecordOfZone[]>;

/** Compares the change with the present zone. Reads at most `limit` owners, so lines of a larger change may be missing. */
export async function linesToUndo(
  past: PastRecords,
  at: RecordsAt,
  change: ChangeRow,
  limit: number,
): Promise<Undoing> {
  const owners = await past.touched(change, limit);
  const [before, after] = [await past.at(instantBefore(change), owners), await past.at(instantAfter(change), owners)];
  const [then, leftBehind, now] = [byRrset(before), byRrset(after), byRrset(await at(owners))];
  const lines: ReturnLine[] = [];
  const changedSince: EditedRrset[] = [];
  const undone: EditedRrset[] = [];
  for (const rrset of rrsetsOf([...before, ...after])) {
    const of = (records: ReadonlyMap<string, Content>): Content => records.get(nameOf(rrset)) ?? new Map();
    const [former, left, present] = [of(then), of(leftBehind), of(now)];
    if (isEqual(former, left)) continue;
    if (isEqual(present, former) || !isEqual(present, left)) {
      (isEqual(present, former) ? undone : changedSince).push({ ...rrset, before: former, after: left });
      continue;
    }
    for (const [key, record] of present) if (!former.has(key)) lines.push({ ...record, removed: true });
    for (const [key, record] of former) if (!present.has(key)) lines.push({ ...record, removed: false });
  }
  return { lines, changedSince, undone };
}

function rrsetsOf(records: readonly Rrset[]): Rrset[] {
  const rrsets = new Map(records.map(({ owner, type }) => [positionOf({ owner, type }), { owner, type }]));
  return [...rrsets].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, rrset]) => rrset);
}

/** The records of an RRset by content: TTL and data, an SOA without its serial. */
type Content = ReadonlyMap<string, Omit<ReturnLine, "removed">>;

export const nameOf = ({ owner, type }: Rrset) => `${owner} ${type}`;

function byRrset(records: readonly RecordOfZone[]): ReadonlyMap<string, Content> {
  const groups = Map.groupBy(
    records.map(({ id, ...record }) => ({ ...record, recordId: id })),
    nameOf,
  );
  return new Map([...groups].map(([name, group]) => [name, new Map(group.map((each) => [contentOf(each), each]))]));
}

export const isEqual = (a: Content, b: Content) => a.size === b.size && [...a.keys()].every((key) => b.has(key));

const maxChanges = 100;

export interface Overtaken {
  readonly change: ChangeRow;
  readonly rrsets: readonly Rrset[];
}

/**
 * The refusals of undoing these changes, each with the later changes of its RRsets, newest first. Later changes in `undone` do not count:
 * they are undone too. One statement looks up all of them.
 */
export async function conflictsOf(
  session: Session,
  overtaken: readonly Overtaken[],
  undone: ReadonlySet<number> = new Set(),
): Promise<Refusal[]> {
  if (overtaken.length === 0) return [];
  const named = overtaken.map(({ change, rrsets }) => ({ change, rrsets: rrsets.slice(0, maxChanges) }));
  const later = await laterChanges(session, named, undone);
  const newest = named.map(({ change, rrsets }) => {
    const all = new Set(rrsets.flatMap((rrset) => later(change, rrset)));
    return [...all].toSorted((a, b) => b - a).slice(0, maxChanges);
  });
  const byId = new Map((await changesByIds(session, [...new Set(newest.flat())])).map((each) => [each.id, each]));
  return named.map(({ change, rrsets }, at) => {
    const reasons = rrsets.map((rrset): Reason => {
      const last = byId.get(later(change, rrset)[0] ?? 0);
      const by = last ? `by ${last.actor}, ${last.createdAt.toISOString()} (change ${last.id})` : "since";
      const message = `${rrset.owner} ${rrset.type} was changed again ${by}; revert that first, or edit the records.`;
      return { code: "CHANGE_CONFLICT", message, owner: rrset.owner, type: rrset.type };
    });
    return Refusal.of(reasons, { changeIds: newest[at]?.map(String) });
  });
}

/**
 * Returns a function that returns the ids of the later edits of an RRset, newest first. The deletion and restoration of the zone do not
 * count.
 */
async function laterChanges(
  session: Session,
  overtaken: readonly Overtaken[],
  undone: ReadonlySet<number>,
): Promise<(change: ChangeRow, rrset: Rrset) => readonly number[]> {
  const wanted = overtaken.flatMap(({ change: { id, domainId }, rrsets }) =>
    rrsets.map(({ owner, type }) => ({ id, domain: domainId, owner, type })),
  );
  const ofRrset = (of: typeof r | typeof v) =>
    sql`where ${of.domainId} = w.domain and ${of.owner} = w.owner and ${of.type} = w.type`;
  const ofRecords = sql`
    select ${r.changeId} as id from ${r} ${ofRrset(r)}
    union select unnest(array[${v.since}, ${v.changeId}]) from ${v} ${ofRrset(v)}`;
  const query = sql<{ id: number; owner: string; type: string; later: number[] }>`
    select w.id, w.owner, w.type, to_json(array(
      select id from (${ofRecords}) changes
      where id > w.id and exists (select from ${c} where ${c.id} = changes.id and ${c.kind} = ${ChangeKind.EDIT})
      order by id desc limit ${maxChanges}
    )) as later
    from json_to_recordset(${JSON.stringify(wanted)}::json) as w(id bigint, domain bigint, owner text, type text)`;
  const rows = await query.run(session);
  const byRrset = new Map(rows.map(({ id, later, ...rrset }) => [`${id} ${nameOf(rrset)}`, later]));
  return ({ id }, rrset) => (byRrset.get(`${id} ${nameOf(rrset)}`) ?? []).filter((each) => !undone.has(each));
}
