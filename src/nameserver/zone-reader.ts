/**
 * What the name server reads: the committed zone around one name, addresses, and whole zones or their journal for a
 * transfer. Each statement sees one snapshot; a caller that needs several compares the serial they carry, or runs them
 * in `inSnapshot`. Statements are prepared once per connection. They see every zone: the name server decides who is
 * answered.
 */
import type { Pool, PoolClient } from "pg";

/** Where the statements run: the pool, or one connection of it inside a snapshot. */
export type Reads = Pick<Pool, "query"> | Pick<PoolClient, "query">;

/** A zone as it is committed. `hidden` is true of the catalog, which has no user. */
export interface ServedZone {
  readonly id: number;
  readonly zone: string;
  readonly serial: number;
  readonly hidden: boolean;
}

/** A record as it is sent. */
export interface ServedRecord {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
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

/**
 * The range of the names below `owner` in zone_record_below_index: reversed, they begin with the owner reversed and a
 * dot.
 */
const below = (owner: string) =>
  `reverse(b.owner) collate "C" >= reverse(${owner}) || '.'
    and reverse(b.owner) collate "C" < reverse(${owner}) || '/'`;

const exists = (owner: string, id: string) => `
  (exists (select from zone_record b where b.domain_id = ${id} and b.owner = ${owner})
  or exists (select from zone_record b where b.domain_id = ${id} and ${below(owner)}))`;

const zoneColumns = `z.id, z.zone, z.serial, z.user_id is null as hidden`;

/** $1 the name and its parents, $2 the names that may be the zone, $3 the types wanted, null for all. */
const neighbourhoodText = `
  with z as materialized (
    select id, zone, serial, user_id from domain where zone = any($2::text[]) order by length(zone) desc limit 1
  ), n as materialized (
    select z.id, c.depth,
      case when length(c.name) = length(z.zone) then '@'
        else left(c.name, length(c.name) - length(z.zone) - 1) end as owner
    from z, unnest($1::text[]) with ordinality as c(name, depth) where length(c.name) >= length(z.zone)
  ), w as materialized (
    select id, wildcard as owner from (
      select id, case owner when '@' then '*' else '*.' || owner end as wildcard from n where depth > 1
    ) children where wildcard not in (select owner from n)
  ), f as (
    select r.owner, r.type, r.ttl, r.wire from n join zone_record r on r.domain_id = n.id and r.owner = n.owner
      where r.type in ('SOA', 'NS', 'DNAME') or (n.depth = 1 and ($3::text[] is null or r.type = any($3)))
    union all
    select r.owner, r.type, r.ttl, r.wire from w join zone_record r on r.domain_id = w.id and r.owner = w.owner
      where $3::text[] is null or r.type = any($3)
    union all
    select n.owner, null, null, null from n where n.owner <> '@' and ${exists("n.owner", "n.id")}
    union all
    select w.owner, null, null, null from w where ${exists("w.owner", "w.id")}
  )
  select ${zoneColumns}, f.owner, f.type, f.ttl, f.wire from z cross join f`;

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
  select ${zoneColumns}, r.owner, r.type, r.ttl, r.wire from domain z
  left join zone_record r on r.domain_id = z.id and r.owner = any($2::text[]) and r.type in ('A', 'AAAA')
  where z.id = $1`;

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

/** The zone of exactly this name with its SOA; undefined when there is no such zone. */
export async function readZoneSoa(
  reads: Reads,
  zone: string,
): Promise<{ zone: ServedZone; soa: ServedRecord } | undefined> {
  const text = `select ${zoneColumns}, r.owner, r.type, r.ttl, r.wire from domain z
    join zone_record r on r.domain_id = z.id and r.owner = '@' and r.type = 'SOA' where z.zone = $1`;
  const { rows } = await reads.query<ServedZone & ServedRecord>({ name: "zone-soa", text, values: [zone] });
  return rows[0] && { zone: rows[0], soa: rows[0] };
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

/** Rows that a transfer fetches at a time. */
const rowsPerFetch = 500;

/** Every record of a zone but its SOA, in the order of its master file. Needs a snapshot. */
export function readZoneRecords(client: PoolClient, zoneId: number): AsyncGenerator<readonly ServedRecord[]> {
  return fetchBatches(
    client,
    `select owner, type, ttl, wire from zone_record where domain_id = $1 and not (owner = '@' and type = 'SOA')
      order by position, id`,
    [zoneId],
  );
}

/**
 * The ids of the changes that lead from a serial to the current one of the zone; undefined when the journal does not
 * lead there, or when it holds at least as many records as the zone itself, so that the whole zone is the shorter
 * answer (RFC 1995 §2).
 */
export async function readJournalPath(
  reads: Reads,
  zone: ServedZone,
  from: number,
): Promise<readonly number[] | undefined> {
  const text = `
    with zone_size as (
      select count(*) as size from zone_record where domain_id = $1
    ), base as (
      select max(id) as id from change where domain_id = $1 and serial = $2
    ), path as (
      select c.id, c.serial, c.previous_serial from change c, base
      where c.domain_id = $1 and c.id > base.id order by c.id limit (select size from zone_size)
    ), delta as (
      select count(*) as size from (
        select from change_record r where r.change_id in (select id from path) limit (select size from zone_size)
      ) counted
    )
    select p.id, p.serial, p.previous_serial as "previousSerial" from path p, zone_size, delta
    where delta.size < zone_size.size order by p.id`;
  const { rows } = await reads.query<{ id: number; serial: number; previousSerial: number | null }>({
    name: "journal-path",
    text,
    values: [zone.id, from],
  });
  const isUnbroken = rows.every(({ previousSerial }, at) => previousSerial === (rows[at - 1]?.serial ?? from));
  return isUnbroken && rows.at(-1)?.serial === zone.serial ? rows.map(({ id }) => id) : undefined;
}

/**
 * The records of changes in the order of IXFR: of each change the old SOA, the removed, the new SOA, the added. Needs a
 * snapshot.
 */
export function readJournal(client: PoolClient, changes: readonly number[]): AsyncGenerator<readonly ServedRecord[]> {
  return fetchBatches(
    client,
    `select owner, type, ttl, wire from change_record where change_id = any($1::bigint[])
      order by change_id, removed desc, (type = 'SOA' and owner = '@') desc, ordinal`,
    [changes],
  );
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
