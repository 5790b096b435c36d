/**
 * Versions: the past content of records. A record has the change that began its present content; the journal has every ended version,
 * with the changes that began and ended it. So the zone at a moment is two index ranges, without a replay: the records that began by
 * then, and the ended versions that began by then and ended later.
 */

import { recordType } from "../../dns/rdata/record-type-registry.ts";
import { type Order, type Page, type PageRequest, page } from "../../lists/pagination.ts";
import { parseField } from "../../session/parse-field.ts";
import type { Session } from "../../session/session.ts";
import { Reference, type RowOf, table } from "../../sql/columns.ts";
import { rowStream } from "../../sql/row-stream.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { Change, type ChangeRow } from "../change.ts";
import { ChangeRecord } from "../change-record.ts";
import { Domain } from "../domain.ts";
import { positionIn, ZoneRecord } from "../record.ts";
import { RrsetNote } from "../rrset-note.ts";
import { dataWithSerial } from "../soa-data.ts";
import { writersOf } from "./blame.ts";
import type { Moments, Past } from "./moment.ts";

const r = table(ZoneRecord, "r");
const v = table(ChangeRecord, "v");
const c = table(Change, "c");
const d = table(Domain, "d");
const p = table(ZoneRecord, "p");
const n = table(RrsetNote, "n");

const content = ["owner", "type", "ttl"] as const;

export const positionOfVersion = sql.raw(positionIn(`${v.owner}`, `${v.type}`));

/** A point between two changes of a zone. */
export interface Instant {
  readonly domainId: number;
  /** The versions of the instant began by this change or earlier, and ended later. */
  readonly changeId: number;
}

/** The instants right after and right before a change; the ids of a zone's changes ascend. */
export const instantAfter = ({ domainId, id }: Pick<ChangeRow, "domainId" | "id">): Instant => ({
  domainId,
  changeId: id,
});
export const instantBefore = ({ domainId, id }: Pick<ChangeRow, "domainId" | "id">): Instant => ({
  domainId,
  changeId: id - 1,
});

export function instantsOf({ from, to }: Moments): readonly [Instant, Instant] {
  const beginning = { domainId: to.domainId, changeId: -1 };
  return [from ? instantAfter(from.change) : beginning, instantAfter(to.change)];
}

/**
 * The SQL of the serial that a change gave its zone. Without such a change it is the serial before the first change, or else the present
 * serial.
 */
const serialOf = (domainId: Sql | Reference<number>, ofChange: Sql) => sql`coalesce(
  (select ${c.serial} from ${c} where ${ofChange}),
  (select ${c.previousSerial} from ${c} where ${c.domainId} = ${domainId} order by ${c.id} limit 1),
  (select ${d.serial} from ${d} where ${d.id} = ${domainId}))`;

export function serialAt({ domainId, changeId }: Instant): Sql {
  const last = sql`${c.domainId} = ${domainId} and ${c.id} <= ${changeId} order by ${c.id} desc limit 1`;
  return sql`(select ${serialOf(sql`${domainId}`, last)})`;
}

/**
 * The SQL of the records of a zone at an instant, as a table with the columns of a record. `changeId` is the change that began each
 * record; `stored` is its data as searches use it. Conditions and orders of the outer query reach the indexes of both halves.
 */
function versionsAt(instant: Instant): Sql {
  const { domainId, changeId } = instant;
  const dataOf = (row: typeof r | typeof v) => sql`${dataWithSerial(row, serialAt(instant))}, ${row.rdata} as stored`;
  return sql`(
    select ${r.columns("id", "domainId", ...content)}, ${dataOf(r)}, ${r.changeId}, ${r.position} from ${r}
    where ${r.domainId} = ${domainId} and ${r.changeId} <= ${changeId}
    union all
    select ${v.recordId}, ${v.domainId}, ${v.columns(...content)}, ${dataOf(v)}, ${v.since}, ${positionOfVersion} from ${v}
    where ${v.domainId} = ${domainId} and ${v.changeId} > ${changeId} and ${v.since} <= ${changeId}
  )`;
}

export const present = (domainId: number): Instant => ({ domainId, changeId: Number.MAX_SAFE_INTEGER });

const pastColumns = p.columns("id", "owner", "type", "ttl", "rdata", "wire", "changeId", "position");

/** A version at an instant; `changeId` is the change that began it, 0 when it began before the journal. */
export type VersionAt = RowOf<typeof pastColumns>;

type NotedVersion = VersionAt & { readonly note: string | null };

/** A record at a moment; `changeId` is the change that gave it its content, 0 when that was before the journal. */
export interface PastRecordRow extends VersionAt {
  /** The last restoration of the zone that brought the record back; null without one. */
  readonly restoredBy: number | null;
}

/** A filter of records of a moment; a record must match every field. The owner is canonical, types are in any spelling. */
interface PastRecordFilter {
  readonly owner?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly rdataContains?: string | undefined;
}

const byPosition: Order<VersionAt> = {
  name: "moment.NAME",
  columns: [p.position, p.id],
  kinds: ["string", "number"],
  descending: false,
  key: (row) => [row.position as string, row.id],
};

export async function recordsAt(
  session: Session,
  instant: Instant,
  filter: PastRecordFilter,
  request: PageRequest,
): Promise<Page<PastRecordRow>> {
  const { owner, types, rdataContains } = filter;
  const conditions = [sql`true`];
  if (owner !== undefined) conditions.push(sql`${p.owner} = ${owner}`);
  if (types !== undefined) {
    const mnemonics = types.map((type, at) => parseField(`types.${at}`, () => recordType(type).mnemonic));
    conditions.push(sql`${p.type} = any(${mnemonics})`);
  }
  if (rdataContains !== undefined) conditions.push(sql`strpos(lower(p.stored), ${rdataContains.toLowerCase()}) > 0`);
  const list = { columns: pastColumns, from: sql`${versionsAt(instant)} p`, conditions, order: byPosition };
  const versions = await page(session, list, request);
  const changes = await writersOf(
    session,
    versions.rows.map((row) => ({ ...row, recordId: row.id })),
  );
  const rows = versions.rows.map((row, at): PastRecordRow => {
    const changeId = changes[at] as number;
    return { ...row, changeId, restoredBy: changeId === row.changeId ? null : row.changeId };
  });
  return { ...versions, rows };
}

/** At most `limit` records of a zone at an instant, in order, with the present notes of their RRsets. */
export async function readAt(
  session: Pick<Session, "em">,
  instant: Instant,
  limit: number,
): Promise<readonly NotedVersion[]> {
  return sql<NotedVersion>`${inOrder(instant)} limit ${limit}`.run(session);
}

export function streamAt(session: Session, instant: Instant): AsyncGenerator<readonly NotedVersion[]> {
  return rowStream(session, inOrder(instant));
}

const inOrder = (instant: Instant) => sql<NotedVersion>`
  select ${pastColumns}, ${n.text} as note from ${versionsAt(instant)} p
  left join ${n} on ${n.domainId} = ${instant.domainId} and ${n.owner} = ${p.owner} and ${n.type} = ${p.type}
  order by ${p.position}, ${p.id}`;

export async function recordsOfOwners(
  session: Session,
  instant: Instant,
  owners: readonly string[],
): Promise<readonly VersionAt[]> {
  const query = sql<VersionAt>`select ${pastColumns} from ${versionsAt(instant)} p where ${p.owner} = any(${owners})`;
  return query.run(session);
}

/** A version of a record of one RRset; `until` is the change that ended it, null for the present one. */
export interface VersionRow {
  readonly recordId: number;
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
  /** The change that began the version; 0 when it began before the journal. */
  readonly since: number;
  readonly until: number | null;
}

const life = {
  columns: new Reference<VersionRow>(`l."recordId", l.owner, l.type, l.ttl, l.rdata, l.since, l."until"`),
  order: {
    name: "versions.NEWEST",
    columns: [sql`l.since`, sql`l."recordId"`],
    kinds: ["number", "number"],
    descending: true,
    key: (row: VersionRow) => [row.since, row.recordId],
  } satisfies Order<VersionRow>,
};

function dataAtBegin(row: typeof r | typeof v, since: Reference<number>): Sql {
  return dataWithSerial(row, serialOf(row.domainId, sql`${c.id} = ${since}`));
}

export function versionsOfRrset(
  session: Session,
  { id }: Past,
  { owner, type }: { readonly owner: string; readonly type: string },
  request: PageRequest,
): Promise<Page<VersionRow>> {
  const mnemonic = parseField("type", () => recordType(type).mnemonic);
  const isOfRrset = (of: typeof r | typeof v) =>
    sql`${of.domainId} = ${id} and ${of.owner} = ${owner} and ${of.type} = ${mnemonic}`;
  const from = sql`(
    select ${r.id} as "recordId", ${r.columns("owner", "type", "ttl")}, ${dataAtBegin(r, r.changeId)}, ${r.changeId} as since,
      null::bigint as "until"
    from ${r} where ${isOfRrset(r)}
    union all
    select ${v.recordId}, ${v.columns("owner", "type", "ttl")}, ${dataAtBegin(v, v.since)}, ${v.since}, ${v.changeId}
    from ${v} where ${isOfRrset(v)}
  ) l`;
  const list = { columns: life.columns, from, conditions: [sql`true`], order: life.order };
  return page(session, list, request);
}
