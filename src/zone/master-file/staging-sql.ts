/**
 * The SQL of an import: a whole master file is staged in a temporary table and compared with the zone by sets, so that its size does
 * not matter to memory. Only zone-import.ts calls it, inside its transaction.
 */
import { type RawBuilder, sql } from "kysely";
import type { Connection } from "../../session/session.ts";
import type { ChangeRecordRow } from "../change.ts";
import type { WorkingRecord } from "../edit/working-copy.ts";

/** A record of a master file, canonical, with the line it begins on. */
export interface StagedRecord extends Omit<WorkingRecord, "id"> {
  readonly line: number;
}

/** Whether records that the file does not hold go. */
export type ImportMode = "MERGE" | "REPLACE";

/**
 * Makes the staging table of a transaction; it goes with it. Comparing by sets is joining by hash: what PostgreSQL believes of a
 * table that just grew is wrong, and a nested loop over two large sets would never end.
 */
export async function createStaging(db: Connection): Promise<void> {
  await sql`set local enable_nestloop = off`.execute(db);
  await sql`
    create temporary table staged (
      line int not null, owner text collate "C" not null, type text collate "C" not null, ttl int not null, rdata text not null,
      wire bytea not null, digest bytea not null, unique (owner, type, digest)
    ) on commit drop`.execute(db);
}

/** Stages records; answers the lines of those that were new, for a record equal to an earlier one is left out. */
export async function stage(db: Connection, records: readonly StagedRecord[]): Promise<Set<number>> {
  const column = <V>(value: (record: StagedRecord) => V): V[] => records.map(value);
  const insert = sql<{ line: number }>`
    insert into staged (line, owner, type, ttl, rdata, wire, digest)
    select line, owner, type, ttl, rdata, wire, decode(digest, 'hex') from unnest(
      ${column(({ line }) => line)}::int[], ${column(({ owner }) => owner)}::text[], ${column(({ type }) => type)}::text[],
      ${column(({ ttl }) => ttl)}::int[], ${column(({ rdata }) => rdata)}::text[], ${column(({ wire }) => Buffer.from(wire))}::bytea[],
      ${column(({ digest }) => digest)}::text[]
    ) as e(line, owner, type, ttl, rdata, wire, digest)
    on conflict do nothing returning line`;
  return new Set((await insert.execute(db)).rows.map(({ line }) => line));
}

/** Gives every staged RRset the TTL of its first record (RFC 2181 §5.2); answers the lines that were mended, `limit` at most. */
export async function settleStagedTtls(db: Connection, limit: number): Promise<{ line: number; ttl: number }[]> {
  await sql`analyze staged`.execute(db);
  const update = sql<{ line: number; ttl: number }>`
    with mended as (
      update staged s set ttl = f.ttl
      from (select distinct on (owner, type) owner, type, ttl from staged order by owner, type, line) f
      where s.owner = f.owner and s.type = f.type and s.ttl <> f.ttl returning s.line, s.ttl
    ) select line, ttl from mended order by line limit ${limit}`;
  return (await update.execute(db)).rows;
}

/** Whether the staged records hold one of this owner and type. */
export async function isStaged(db: Connection, owner: string, type: string): Promise<boolean> {
  const query = sql<{
    found: boolean;
  }>`select exists (select from staged where owner = ${owner} and type = ${type}) as found`;
  return (await query.execute(db)).rows[0]?.found ?? false;
}

/** The first line that an owner stands on in the file; undefined when it is not in it. */
export async function lineOf(db: Connection, owner: string): Promise<number | undefined> {
  const query = sql<{ line: number | null }>`select min(line) as line from staged where owner = ${owner} and line > 0`;
  return (await query.execute(db)).rows[0]?.line ?? undefined;
}

const same = sql`s.owner = r.owner and s.type = r.type and s.digest = r.digest`;

/** The stored records that go: in a replacement, those that the file does not hold. The SOA never goes. */
const going = (domainId: number, mode: ImportMode): RawBuilder<unknown> => sql`
  select r.* from zone_record r where r.domain_id = ${domainId} and ${mode === "REPLACE"} and r.type <> 'SOA'
  and not exists (select from staged s where ${same})`;

/** The stored records that stay with another TTL: that of their RRset in the file. */
const moving = (domainId: number, mode: ImportMode): RawBuilder<unknown> => sql`
  select r.*, f.ttl as new_ttl from zone_record r join (select distinct owner, type, ttl from staged) f using (owner, type)
  where r.domain_id = ${domainId} and r.ttl <> f.ttl and r.type <> 'SOA'
  and (${mode === "MERGE"} or exists (select from staged s where ${same}))`;

/** The staged records that the zone does not hold. */
const coming = (domainId: number): RawBuilder<unknown> => sql`
  select s.* from staged s where not exists (select from zone_record r where r.domain_id = ${domainId} and ${same})`;

/** Whether the file changes any record but the SOA. */
export async function differs(db: Connection, domainId: number, mode: ImportMode): Promise<boolean> {
  const query = sql<{ found: boolean }>`
    select exists (${going(domainId, mode)}) or exists (${moving(domainId, mode)}) or exists (${coming(domainId)}) as found`;
  return (await query.execute(db)).rows[0]?.found ?? false;
}

/** Makes the zone's records those of the file and writes what that removes and adds under the change. The SOA is the caller's. */
export async function storeImport(db: Connection, domainId: number, changeId: number, mode: ImportMode): Promise<void> {
  const journal = (removed: boolean, rows: RawBuilder<unknown>, ttl: RawBuilder<unknown>) => sql`
    insert into change_record (change_id, ordinal, removed, owner, type, ttl, rdata, wire)
    select ${changeId}, row_number() over (order by owner, type, rdata) + (select coalesce(max(ordinal), 0) from change_record where change_id = ${changeId}),
      ${removed}, owner, type, ${ttl}, rdata, wire from (${rows}) x`;
  const bare = sql`select owner, type, ttl, rdata, wire`;
  const gone = sql`${bare} from (${going(domainId, mode)}) g union all ${bare} from (${moving(domainId, mode)}) m`;
  await journal(true, gone, sql`ttl`).execute(db);
  const moved = sql`select owner, type, new_ttl as ttl, rdata, wire from (${moving(domainId, mode)}) m`;
  await journal(false, sql`${bare} from (${coming(domainId)}) c union all ${moved}`, sql`ttl`).execute(db);
  await sql`delete from zone_record where id in (select id from (${going(domainId, mode)}) g)`.execute(db);
  await sql`update zone_record r set ttl = m.new_ttl from (${moving(domainId, mode)}) m where r.id = m.id`.execute(db);
  await sql`
    insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
    select ${domainId}, owner, type, ttl, rdata, wire, digest from (${coming(domainId)}) c order by line`.execute(db);
}

/** How many records a change removed and added, SOA aside. */
export async function countChange(db: Connection, changeId: number): Promise<{ removed: number; added: number }> {
  const query = sql<{ removed: number; added: number }>`
    select count(*) filter (where removed) as removed, count(*) filter (where not removed) as added
    from change_record where change_id = ${changeId} and type <> 'SOA'`;
  return (await query.execute(db)).rows[0] as { removed: number; added: number };
}

/** The first records that a change removed, or added, SOA aside. */
export async function showChange(
  db: Connection,
  changeId: number,
  removed: boolean,
  limit: number,
): Promise<ChangeRecordRow[]> {
  const query = sql<ChangeRecordRow>`
    select ordinal, owner, type, ttl, rdata from change_record
    where change_id = ${changeId} and removed = ${removed} and type <> 'SOA' order by ordinal limit ${limit}`;
  return (await query.execute(db)).rows;
}

/** Lists the owners that a change touched, in order, for touchedOwners to read. */
export async function listTouched(db: Connection, changeId: number): Promise<void> {
  await sql`
    create temporary table touched on commit drop as
    select owner, row_number() over (order by owner collate "C") as at
    from (select distinct owner from change_record where change_id = ${changeId}) o`.execute(db);
  await sql`create index on touched (at)`.execute(db);
}

/** The owners listed from a place on, `limit` at most. */
export async function touchedOwners(db: Connection, from: number, limit: number): Promise<string[]> {
  const query = sql<{
    owner: string;
  }>`select owner from touched where at > ${from} and at <= ${from + limit} order by at`;
  return (await query.execute(db)).rows.map(({ owner }) => owner);
}
