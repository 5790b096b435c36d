/**
 * What the name server reads: the committed zone around one name, addresses, and the journal for a transfer (whole
 * zones: zone-rows.ts). Each statement sees one snapshot; a caller that needs several compares the serial they carry, or runs them
 * in `inSnapshot`. Statements are prepared once per connection. They see every zone: the name server decides who is
 * answered.
 */
import type { Pool, PoolClient } from "pg";
import { type RowOf, table } from "../sql/columns.ts";
import { Change, ChangeRecord, changedRecords } from "../zone/change.ts";
import { Domain } from "../zone/domain.ts";
import { ZoneRecord } from "../zone/record.ts";

const domain = table(Domain);
const z = table(Domain, "z");
const record = table(ZoneRecord);
const r = table(ZoneRecord, "r");
const c = table(Change, "c");
const j = table(ChangeRecord, "j");

const servedColumns = r.columns("owner", "type", "ttl", "wire");

/** Where the statements run: the pool, or one connection of it inside a snapshot. */
export type Reads = Pick<Pool, "query"> | Pick<PoolClient, "query">;

const identity = z.columns("id", "zone", "serial");
const zoneColumns = `${identity}, ${z.userId} is null as hidden`;

/** A zone as it is committed. `hidden` is true of the catalog, which has no user. */
export interface ServedZone extends RowOf<typeof identity> {
  readonly hidden: boolean;
}

/** A record as it is sent. */
export interface ServedRecord extends Omit<RowOf<typeof servedColumns>, "wire"> {
  readonly wire: Uint8Array;
}

/**
 * What a zone holds around one name. An owner that exists is a key, also an empty non-terminal. At the name itself and
 * at wildcards the records are of the types in question, elsewhere only those that lead away (NS, DNAME) and the apex
 * SOA.
 */
export interface NameNeighbourhood {
  readonly zone: ServedZone;
  readonly owners: ReadonlyMap<string, readonly ServedRecord[]>;
}

const b = table(ZoneRecord, "b");

/**
 * The range of the names below `owner` in the index of reversed owners: they begin with the owner reversed and a dot.
 */
const below = (owner: string) =>
  `reverse(${b.owner}) collate "C" >= reverse(${owner}) || '.'
    and reverse(${b.owner}) collate "C" < reverse(${owner}) || '/'`;

const exists = (owner: string, id: string) => `
  (exists (select from ${b} where ${b.domainId} = ${id} and ${b.owner} = ${owner})
  or exists (select from ${b} where ${b.domainId} = ${id} and ${below(owner)}))`;

/** $1 the name and its parents, $2 the names that may be the zone, $3 the types wanted, null for all. */
const neighbourhoodText = `
  with z as materialized (
    select * from ${domain} where ${domain.zone} = any($2::text[]) order by length(${domain.zone}) desc limit 1
  ), n as materialized (
    select ${z.id} as id, q.depth, case when length(q.name) = length(${z.zone}) then '@'
      else left(q.name, length(q.name) - length(${z.zone}) - 1) end as owner
    from z, unnest($1::text[]) with ordinality as q(name, depth) where length(q.name) >= length(${z.zone})
  ), w as materialized (
    select id, wildcard as owner from (
      select id, case owner when '@' then '*' else '*.' || owner end as wildcard from n where depth > 1
    ) children where wildcard not in (select owner from n)
  ), f as (
    select ${servedColumns} from n join ${r} on ${r.domainId} = n.id and ${r.owner} = n.owner
      where ${r.type} in ('SOA', 'NS', 'DNAME') or (n.depth = 1 and ($3::text[] is null or ${r.type} = any($3)))
    union all
    select ${servedColumns} from w join ${r} on ${r.domainId} = w.id and ${r.owner} = w.owner
      where $3::text[] is null or ${r.type} = any($3)
    union all
    select n.owner, null, null, null from n where n.owner <> '@' and ${exists("n.owner", "n.id")}
    union all
    select w.owner, null, null, null from w where ${exists("w.owner", "w.id")}
  )
  select ${zoneColumns}, f.* from z cross join f`;

/**
 * Reads the deepest zone among `zones` with what it holds around `names[0]`; the other names are its parents, each a
 * label shorter. All are canonical and without trailing dot. Undefined when none of the zones is ours.
 */
export async function readNeighbourhood(
  reads: Reads,
  names: readonly string[],
  zones: readonly string[],
  types: readonly string[] | null,
): Promise<NameNeighbourhood | undefined> {
  const statement = { name: "neighbourhood", text: neighbourhoodText, values: [names, zones, types] };
  const { rows } = await reads.query<ServedZone & Partial<ServedRecord> & { owner: string }>(statement);
  const [zone] = rows;
  if (!zone) return undefined;
  const owners = new Map<string, ServedRecord[]>();
  for (const row of rows) {
    const at = owners.get(row.owner) ?? [];
    owners.set(row.owner, at);
    if (row.wire) at.push(row as ServedRecord);
  }
  return { zone, owners };
}

const addressesText = `
  select ${zoneColumns}, ${servedColumns} from ${z}
  left join ${r} on ${r.domainId} = ${z.id} and ${r.owner} = any($2::text[]) and ${r.type} in ('A', 'AAAA')
  where ${z.id} = $1`;

/** The addresses of these owners, and the serial they were read at; undefined when the zone is gone. */
export async function readAddresses(
  reads: Reads,
  zoneId: number,
  owners: readonly string[],
): Promise<{ zone: ServedZone; records: readonly ServedRecord[] } | undefined> {
  const statement = { name: "addresses", text: addressesText, values: [zoneId, owners] };
  const { rows } = await reads.query<ServedZone & ServedRecord>(statement);
  return rows[0] && { zone: rows[0], records: rows.filter(({ wire }) => wire) };
}

/** The last change of a zone: its serial alone may be given again, to other records, after a restored backup. */
const lastChange = `
  select ${c.id} || ' ' || ${c.createdAt} from ${c} where ${c.domainId} = ${z.id} order by ${c.id} desc limit 1`;

const zoneSoaText = `
  select ${zoneColumns}, ${z.serial} || ' ' || (${lastChange}) as version, ${servedColumns} from ${z}
  join ${r} on ${r.domainId} = ${z.id} and ${r.owner} = '@' and ${r.type} = 'SOA' where ${z.zone} = $1`;

/** A zone with its SOA. `version` differs for all that was ever committed as this zone; null when it has no journal. */
export interface ZoneWithSoa {
  readonly zone: ServedZone;
  readonly soa: ServedRecord;
  readonly version: string | null;
}

/** The zone of exactly this name with its SOA; undefined when there is no such zone. */
export async function readZoneSoa(reads: Reads, zone: string): Promise<ZoneWithSoa | undefined> {
  const statement = { name: "zone-soa", text: zoneSoaText, values: [zone] };
  const { rows } = await reads.query<ServedZone & ServedRecord & Pick<ZoneWithSoa, "version">>(statement);
  return rows[0] && { zone: rows[0], soa: rows[0], version: rows[0].version };
}

/** Runs reads on one connection that sees the database as it is now, whatever commits meanwhile. */
export async function inSnapshot<T>(pool: Pool, run: (reads: PoolClient) => Promise<T>): Promise<T> {
  const client = await openSnapshot(pool);
  try {
    return await run(client);
  } finally {
    await closeSnapshot(client);
  }
}

/** Opens a snapshot for reads that are spread over time; it must be closed. */
export async function openSnapshot(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Ends a snapshot; a connection that fails to is thrown away. */
export async function closeSnapshot(client: PoolClient): Promise<void> {
  try {
    await client.query("rollback");
    client.release();
  } catch {
    client.release(true);
  }
}

/** Rows of the journal that a transfer fetches at a time. */
const rowsPerFetch = 500;

const stepColumns = c.columns("id", "serial", "previousSerial");

/** $1 the domain, $2 the serial, $3 up to how many records of the zone are counted, null for all. */
const journalPathText = `
  with zone_size as (
    select count(*) as size from (select from ${record} where ${record.domainId} = $1 limit $3::bigint) counted
  ), base as (
    select max(${c.id}) as id from ${c} where ${c.domainId} = $1 and ${c.serial} = $2
  ), path as (
    select ${stepColumns} from ${c}, base
    where ${c.domainId} = $1 and ${c.id} > base.id order by ${c.id} limit (select size from zone_size)
  ), delta as (
    select count(*) as size from (
      select from ${changedRecords} j where ${j.domainId} = $1 and ${j.changeId} in (select id from path)
      limit (select size from zone_size)
    ) counted
  )
  select path.*, zone_size.size as "zoneSize", delta.size as "records"
  from zone_size cross join delta left join path on delta.size < zone_size.size order by path.id`;

interface JournalStep extends Partial<RowOf<typeof stepColumns>> {
  readonly zoneSize: number;
  readonly records: number;
}

/** The changes that lead from a serial to the current one, and how many records they hold. */
export interface JournalPath {
  readonly changes: readonly number[];
  readonly records: number;
}

/** Few differences are found without counting all records of a large zone. */
const fewRecords = 1000;

/**
 * The changes that lead from a serial to the current one of the zone; undefined when the journal does not lead there, or
 * when it holds at least as many records as the zone itself, so that the whole zone is the shorter answer (RFC 1995 §2).
 */
export async function readJournalPath(reads: Reads, zone: ServedZone, from: number): Promise<JournalPath | undefined> {
  const few = await readJournalSteps(reads, zone, from, fewRecords);
  const isUndecided = few[0]?.id === null && few[0].zoneSize === fewRecords;
  const steps = isUndecided ? await readJournalSteps(reads, zone, from, null) : few;
  const isUnbroken = steps.every(({ previousSerial }, at) => previousSerial === (steps[at - 1]?.serial ?? from));
  if (!isUnbroken || steps.at(-1)?.serial !== zone.serial) return undefined;
  return { changes: steps.map(({ id }) => id as number), records: steps[0]?.records ?? 0 };
}

async function readJournalSteps(
  reads: Reads,
  zone: ServedZone,
  from: number,
  maxCounted: number | null,
): Promise<readonly JournalStep[]> {
  const statement = { name: "journal-path", text: journalPathText, values: [zone.id, from, maxCounted] };
  return (await reads.query<JournalStep>(statement)).rows;
}

const journalText = `
  select ${j.columns("owner", "type", "ttl", "wire")} from ${changedRecords} j
  where ${j.domainId} = $1 and ${j.changeId} = any($2::bigint[])
  order by ${j.changeId}, removed desc, (${j.type} = 'SOA' and ${j.owner} = '@') desc, ${j.ordinal}`;

/**
 * The records of changes of a zone in the order of IXFR: of each change the old SOA, the removed, the new SOA, the added.
 * Needs a snapshot.
 */
export async function* readJournal(
  client: PoolClient,
  zoneId: number,
  { changes, records }: JournalPath,
): AsyncGenerator<readonly ServedRecord[]> {
  const values = [zoneId, changes];
  if (records > rowsPerFetch) yield* fetchBatches(client, journalText, values);
  else yield (await client.query<ServedRecord>({ name: "journal", text: journalText, values })).rows;
}

async function* fetchBatches(
  client: PoolClient,
  query: string,
  values: readonly unknown[],
): AsyncGenerator<readonly ServedRecord[]> {
  await client.query(`declare transfer no scroll cursor for ${query}`, [...values]);
  for (;;) {
    const { rows } = await client.query<ServedRecord>(`fetch forward ${rowsPerFetch} from transfer`);
    if (rows.length > 0) yield rows;
    if (rows.length < rowsPerFetch) return;
  }
}
