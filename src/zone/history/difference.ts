/**
 * The difference between two instants of a zone, by RRset: the records that only one of them has, each with the change that removed or
 * added it. A record that both instants have is no difference, whatever happened between them; the SOA serial does not count.
 */

import { inSearch, listRows } from "../../lists/list-statement.ts";
import { between, limitOf, type Order, orderBy, type Page, type PageRequest, pageOf } from "../../lists/pagination.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { rowStream } from "../../sql/row-stream.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { ChangeRecord } from "../change-record.ts";
import { ZoneRecord } from "../record.ts";
import { dataWithSerial } from "../soa-data.ts";
import { removersOf, writersOf } from "./blame.ts";
import { type Instant, positionOfVersion, serialAt } from "./versions.ts";

const r = table(ZoneRecord, "r");
const v = table(ChangeRecord, "v");

export interface DifferenceLine {
  readonly removed: boolean;
  readonly recordId: number;
  readonly ttl: number;
  readonly rdata: string;
  readonly wire: Uint8Array;
  /** The change that removed or added the record. In a difference from a later to an earlier instant, the change did the opposite. */
  readonly changeId: number;
}

export interface RrsetDifference {
  readonly owner: string;
  readonly type: string;
  readonly position: string;
  readonly lines: readonly DifferenceLine[];
}

export type LineRow = DifferenceLine & Omit<RrsetDifference, "lines">;

const l = sql.raw("l.position");
const byPosition: Order<RrsetDifference> = {
  name: "difference.NAME",
  columns: [l],
  kinds: ["string"],
  descending: false,
  key: ({ position }) => [position],
};

/** A page of the RRsets that differ between two instants, in the order of the zone; `count` returns how many differ. */
export async function differingRrsets(
  session: Session,
  [from, to]: readonly [Instant, Instant],
  request: PageRequest,
  count: () => Promise<number>,
): Promise<Page<RrsetDifference>> {
  const sorting = orderBy(byPosition, request);
  const query = sql<LineRow>`
    with ${linesOf(from, to)}, page as (
      select l.position from lines l where ${sql.join(between(byPosition, request), sql` and `)}
      group by l.position order by ${sorting} limit ${limitOf(request)}
    )
    select l.* from page join lines l on l.position = page.position order by ${sorting}, l.removed desc, l.rdata, l.ttl`;
  const rows = await inSearch(session, (db) => listRows(db, query));
  return pageOf(rrsetsOf(await blamed(session, [from, to], rows)), request, byPosition, count);
}

async function blamed(
  session: Session,
  [from, to]: readonly [Instant, Instant],
  rows: readonly LineRow[],
): Promise<readonly LineRow[]> {
  const [earlier] = inTime(from, to);
  const isGone = ({ removed }: LineRow) => removed === (earlier === from);
  const writers = writersOf(
    session,
    rows.filter((row) => !isGone(row)),
  );
  const removers = removersOf(session, rows.filter(isGone));
  const changes = { written: [...(await writers)], removed: [...(await removers)] };
  return rows.map((row) => ({
    ...row,
    changeId: (isGone(row) ? changes.removed : changes.written).shift() as number,
  }));
}

const inTime = (from: Instant, to: Instant) =>
  (from.changeId > to.changeId ? [to, from] : [from, to]) as [Instant, Instant];

function rrsetsOf(rows: readonly LineRow[]): RrsetDifference[] {
  const groups = [...Map.groupBy(rows, ({ position }) => position).values()];
  return groups.map((group) => {
    const [{ owner, type, position }] = group as [LineRow, ...LineRow[]];
    const lines = group.map(({ removed, recordId, ttl, rdata, wire, changeId }) => ({
      removed,
      recordId,
      ttl,
      rdata,
      wire,
      changeId,
    }));
    return { owner, type, position, lines };
  });
}

export async function allLines(
  session: Session,
  [from, to]: readonly [Instant, Instant],
  limit: number,
): Promise<readonly LineRow[]> {
  const query = sql<LineRow>`with ${linesOf(from, to)} select * from lines order by position, removed desc, rdata limit ${limit}`;
  return query.run(session);
}

export async function* streamDifference(
  session: Session,
  [from, to]: readonly [Instant, Instant],
): AsyncGenerator<readonly RrsetDifference[]> {
  const query = sql<LineRow>`
    with ${linesOf(from, to)} select * from lines order by position, removed desc, rdata, ttl`;
  let pending: LineRow[] = [];
  for await (const rows of rowStream(session, query)) {
    pending = [...pending, ...rows];
    // The last RRset may continue in the next batch.
    const last = pending.at(-1)?.position;
    const whole = pending.findIndex(({ position }) => position === last);
    if (whole > 0) yield rrsetsOf(await blamed(session, [from, to], pending.slice(0, whole)));
    pending = pending.slice(whole);
  }
  if (pending.length > 0) yield rrsetsOf(await blamed(session, [from, to], pending));
}

export interface DifferenceCount {
  readonly removed: number;
  readonly added: number;
  readonly rrsets: number;
}

export async function countDifference(
  session: Session,
  [from, to]: readonly [Instant, Instant],
): Promise<DifferenceCount> {
  const query = sql<DifferenceCount>`
    with ${linesOf(from, to)}
    select count(*) filter (where removed) as removed, count(*) filter (where not removed) as added,
      count(distinct position) as rrsets from lines`;
  const [row] = await inSearch(session, (db) => listRows(db, query));
  return row as NonNullable<typeof row>;
}

/**
 * The SQL of the lines of a difference, as expressions of a `with`; the last is `lines`. `gone` are the versions of the earlier instant
 * that ended by the later one, `come` those of the later instant that began since the earlier one. Lines with equal content on both sides
 * are left out.
 */
function linesOf(from: Instant, to: Instant): Sql {
  const [earlier, later] = inTime(from, to);
  const isBackward = earlier !== from;
  const { domainId } = earlier;
  const within = (change: { toString(): string }) =>
    sql`${sql.raw(String(change))} > ${earlier.changeId} and ${sql.raw(String(change))} <= ${later.changeId}`;
  const content = ["owner", "type", "ttl"] as const;
  const ofRecord = sql`${r.id} as "recordId", ${r.columns(...content)}, ${dataWithSerial(r, serialAt(later))}, ${r.wire} as stored,
    ${r.changeId} as "changeId", ${r.position} as position`;
  const ofVersion = (
    change: typeof v.since,
    instant: Instant,
  ) => sql`${v.recordId} as "recordId", ${v.columns(...content)},
    ${dataWithSerial(v, serialAt(instant))}, ${v.wire} as stored, ${change} as "changeId", ${positionOfVersion} as position`;
  const isOther = (other: string) => sql`not exists (
    select from ${sql.raw(other)} o where o.position = s.position and o.ttl = s.ttl and o.stored = s.stored)`;
  return sql`gone as materialized (
      select ${ofVersion(v.changeId, earlier)} from ${v}
      where ${v.domainId} = ${domainId} and ${within(v.changeId)} and ${v.since} <= ${earlier.changeId}
    ), come as materialized (
      select ${ofRecord} from ${r} where ${r.domainId} = ${domainId} and ${within(r.changeId)}
      union all
      select ${ofVersion(v.since, later)} from ${v}
      where ${v.domainId} = ${domainId} and ${within(v.since)} and ${v.changeId} > ${later.changeId}
    ), lines as materialized (
      select ${!isBackward}::boolean as removed, s.* from gone s where ${isOther("come")}
      union all select ${isBackward}::boolean, s.* from come s where ${isOther("gone")}
    )`;
}
