/**
 * The SQL of an import. A master file is staged in a temporary table and compared with the zone by sets, so memory does not grow with its
 * size. The difference is staged too: zone/edit/finish-change.ts reads the resulting zone through it, and stores it. Only the import calls this
 * file, inside its transaction; both tables are dropped with the transaction.
 */

import { table } from "../../sql/columns.ts";
import { isBelow } from "../../sql/names-below.ts";
import { type Carrier, sql } from "../../sql/sql.ts";
import type { ShownRecord } from "../change-record.ts";
import type { MovedTtl } from "../edit/notice.ts";
import type { WorkingRecord } from "../edit/working-copy.ts";
import { ZoneRecord } from "../record.ts";

const r = table(ZoneRecord, "r");
const record = table(ZoneRecord);
/** The columns of stored or staged records other than the apex SOA. */
const recordColumns = sql`
  ${record.columns("id", "owner", "type", "ttl", "rdata", "wire")}, encode(${record.digest}, 'hex') as digest`;
const storedColumns = r.columns("id", "owner", "type", "ttl", "rdata", "wire", "digest");

export interface StagedRecord extends Omit<WorkingRecord, "id"> {
  readonly line: number;
}

/** Whether records that the file does not hold stay (MERGE) or are removed (REPLACE). */
export type ImportMode = "MERGE" | "REPLACE";

/**
 * Creates the staging table and sets the planner for it. Sets are compared by hash joins, on whole tables: PostgreSQL's statistics of a
 * table that has just grown are wrong, and a nested loop over two large sets would not end. Sorts and hashes use more memory than usual.
 * Larger portions go into the search index at a time, which costs two thirds.
 */
export async function createStaging(db: Carrier): Promise<void> {
  await sql`set local enable_nestloop = off`.run(db);
  await sql`set local enable_seqscan = on`.run(db);
  await sql`set local work_mem = '64MB'`.run(db);
  await sql`set local gin_pending_list_limit = '4MB'`.run(db);
  await sql`
    create temporary table staged (
      line int not null, owner text collate "C" not null, type text collate "C" not null, ttl int not null, rdata text not null,
      wire bytea not null, digest bytea not null, unique (owner, type, digest)
    ) on commit drop`.run(db);
}

/** Stages records; returns the lines of the new ones. A record equal to an earlier one is left out. */
export async function stage(db: Carrier, records: readonly StagedRecord[]): Promise<Set<number>> {
  // One JSON text costs the driver a fraction of what arrays of seven columns cost.
  const rows = JSON.stringify(
    records.map(({ wire, ...columns }) => ({ ...columns, wire: Buffer.from(wire).toString("hex") })),
  );
  const insert = sql<{ line: number }>`
    insert into staged (line, owner, type, ttl, rdata, wire, digest)
    select line, owner, type, ttl, rdata, decode(wire, 'hex'), decode(digest, 'hex')
    from json_to_recordset(${rows}::json) as e(line int, owner text, type text, ttl int, rdata text, wire text, digest text)
    on conflict do nothing returning line`;
  return new Set((await insert.run(db)).map(({ line }) => line));
}

type UnifiedTtl = Pick<StagedRecord, "line" | "owner" | "type" | "ttl">;

/** Gives every staged RRset the TTL of its first record (RFC 2181 §5.2); returns at most `limit` of the changed records. */
export async function settleStagedTtls(db: Carrier, limit: number): Promise<UnifiedTtl[]> {
  await sql`analyze staged`.run(db);
  const update = sql<UnifiedTtl>`
    with settled as (
      update staged s set ttl = f.ttl
      from (select distinct on (owner, type) owner, type, ttl from staged order by owner, type, line) f
      where s.owner = f.owner and s.type = f.type and s.ttl <> f.ttl returning s.line, s.owner, s.type, s.ttl
    ) select line, owner, type, ttl from settled order by line limit ${limit}`;
  return update.run(db);
}

export async function stagedRdata(db: Carrier, owner: string, type: string): Promise<string[]> {
  const query = sql<{ rdata: string }>`select rdata from staged where owner = ${owner} and type = ${type}`;
  return (await query.run(db)).map(({ rdata }) => rdata);
}

/** The first line of the file with a record of the owner; undefined without one. */
export async function lineOf(db: Carrier, owner: string): Promise<number | undefined> {
  const query = sql<{ line: number | null }>`select min(line) as line from staged where owner = ${owner} and line > 0`;
  return (await query.run(db))[0]?.line ?? undefined;
}

/**
 * Stages the difference between the stored zone and the staged file, without the SOA. A record that keeps its id and gets the new TTL of
 * its RRset is both removed and added. Returns whether there is a difference.
 */
export async function stageDifference(db: Carrier, domainId: number, mode: ImportMode): Promise<boolean> {
  const isSame = sql`s.owner = ${r.owner} and s.type = ${r.type} and s.digest = ${r.digest}`;
  const replaces = mode === "REPLACE";
  const columns = sql`owner, type, rdata, wire, digest`;
  await sql`
    create temporary table staged_difference on commit drop as
    with stored as (
      select ${storedColumns}, exists (select from staged s where ${isSame}) as is_in_file
      from ${r} where ${r.domainId} = ${domainId} and not (${r.owner} = '@' and ${r.type} = 'SOA')
    ), gone as (select * from stored where ${replaces}::boolean and not is_in_file),
    moved as (
      select o.*, f.ttl as new_ttl from stored o join (select distinct owner, type, ttl from staged) f using (owner, type)
      where o.ttl <> f.ttl and (not ${replaces}::boolean or o.is_in_file)
    ), difference as (
      select true as removed, id, ttl, null::int as line, ${columns} from gone
      union all select true, id, ttl, null, ${columns} from moved
      union all select false, id, new_ttl, null, ${columns} from moved
      union all select false, null, ttl, line, ${columns} from staged s
        where not exists (select from ${r} where ${r.domainId} = ${domainId} and ${isSame})
    )
    select row_number() over (order by not removed, owner, type, rdata)::int as ordinal, d.* from difference d`.run(db);
  await sql`create index on staged_difference (owner)`.run(db);
  await sql`analyze staged_difference`.run(db);
  const query = sql<{ differs: boolean }>`select exists (select from staged_difference) as differs`;
  return (await query.run(db))[0]?.differs ?? false;
}

/** At most `limit` RRsets with stored records that are not in the file and whose TTL changes to that of the file. */
export async function movedTtls(db: Carrier, limit: number): Promise<readonly MovedTtl[]> {
  const query = sql<MovedTtl>`
    select o.owner, o.type, o.ttl as "from", n.ttl as "to", count(*)::int as count
    from staged_difference o join staged_difference n on n.id = o.id and not n.removed
    where o.removed and not exists (
      select from staged s where s.owner = o.owner and s.type = o.type and s.digest = o.digest)
    group by o.owner, o.type, o.ttl, n.ttl order by o.owner, o.type limit ${limit}`;
  return query.run(db);
}

export async function differingOwners(db: Carrier, after: string, limit: number): Promise<string[]> {
  const query = sql<{ owner: string }>`
    select distinct owner from staged_difference where owner > ${after} order by owner limit ${limit}`;
  return (await query.run(db)).map(({ owner }) => owner);
}

export async function countOwners(db: Carrier): Promise<number> {
  const query = sql<{ owners: number }>`select count(distinct owner)::int as owners from staged_difference`;
  return (await query.run(db))[0]?.owners ?? 0;
}

/** A removed or added record; an edited record is two lines with the same id. */
export type FileLine = WorkingRecord & { readonly removed: boolean };

export async function differenceLines(db: Carrier, owners?: readonly string[]): Promise<readonly FileLine[]> {
  const isWanted = owners ? sql`owner = any(${owners})` : sql`true`;
  return sql<FileLine>`
    select ${recordColumns}, removed from staged_difference where ${isWanted} order by ordinal`.run(db);
}

/** Indexes the difference for searches below owners, which only zones with DNAME records need. */
export async function indexBelow(db: Carrier): Promise<void> {
  await sql`create index if not exists staged_below on staged_difference (reverse(owner) collate "C")`.run(db);
  await sql`create index if not exists staged_removed on staged_difference (id) where removed`.run(db);
}

/** A record below an owner after the import; undefined without one. Needs indexBelow. */
export async function anyBelow(db: Carrier, domainId: number, owner: string): Promise<WorkingRecord | undefined> {
  const below = owner === "@" ? sql`${record.owner} <> '@'` : isBelow(record.owner, owner);
  const isRemoved = sql`
    coalesce((select true from staged_difference e where e.removed and e.id = ${r.id} limit 1), false)`;
  const query = sql<WorkingRecord>`
    (select ${recordColumns} from ${r} where ${r.domainId} = ${domainId} and ${below} and not ${isRemoved} limit 1)
    union all (select ${recordColumns} from staged_difference where ${below} and not removed limit 1) limit 1`;
  return (await query.run(db))[0];
}

/** The numbers of removed, added and lost records; a record that only changes its TTL is not lost. */
export async function countDifference(db: Carrier): Promise<Record<"removed" | "added" | "lost", number>> {
  const query = sql<Record<"removed" | "added" | "moved", number>>`
    select count(*) filter (where removed) as removed, count(*) filter (where not removed) as added,
      count(*) filter (where not removed and id is not null) as moved from staged_difference`;
  const { moved, ...counts } = (await query.run(db))[0] as Record<"removed" | "added" | "moved", number>;
  return { ...counts, lost: counts.removed - moved };
}

export async function showDifference(db: Carrier, isRemoved: boolean, limit: number): Promise<ShownRecord[]> {
  const query = sql<ShownRecord>`
    select id as "recordId", owner, type, ttl, rdata from staged_difference where removed = ${isRemoved} order by ordinal limit ${limit}`;
  return query.run(db);
}
