/**
 * Reads of the name server, of every zone: the name server decides which client gets an answer. Each statement sees one snapshot. A caller
 * of several compares their serials, or runs them in `inSnapshot`.
 */
import type { Pool, PoolClient } from "pg";
import type { Cells } from "../../database/pipelined-statement.ts";
import { type Reads, readsOf } from "../../database/point-reads.ts";
import { type RowOf, table } from "../../sql/columns.ts";
import { arrayLiteral } from "../../sql/text-array.ts";
import { Change } from "../../zone/change.ts";
import { Domain } from "../../zone/domain.ts";
import { ZoneRecord } from "../../zone/record.ts";
import { wireOf } from "../../zone/soa-data.ts";

const domain = table(Domain);
const z = table(Domain, "z");
const r = table(ZoneRecord, "r");
const c = table(Change, "c");

const servedColumns = r.columns("owner", "type", "ttl").with("wire", wireOf(r));

const identity = z.columns("id", "zone", "serial");
const zoneColumns = `${identity}, ${z.userId} is null as hidden`;
const zoneCells = 4;

/** `hidden` is true of the catalog. */
export interface ServedZone extends RowOf<typeof identity> {
  readonly hidden: boolean;
}

export interface ServedRecord extends Omit<RowOf<typeof servedColumns>, "wire"> {
  readonly wire: Uint8Array;
}

/**
 * The records of a zone around one name. Each existing owner is a key, also an empty non-terminal. The name and wildcards have the records
 * of the types in question; others only the referrals (NS, DNAME) and the apex SOA.
 */
export interface NameNeighbourhood {
  readonly zone: ServedZone;
  readonly owners: ReadonlyMap<string, readonly ServedRecord[]>;
}

function zoneOf([id, zone, serial, hidden]: Cells): ServedZone {
  return { id: Number(id), zone: zone as string, serial: Number(serial), hidden: hidden === "t" };
}

/** From the columns that begin at `at`; undefined where the data is null. */
function recordOf(cells: Cells, at: number): ServedRecord | undefined {
  const [owner, type, ttl, wire] = cells.slice(at, at + 4) as string[];
  if (wire == null) return undefined;
  return { owner: owner as string, type: type as string, ttl: Number(ttl), wire: octetsOf(wire) };
}

/** PostgreSQL's text form: `\\x` and hexadecimal digits. */
const octetsOf = (text: string) => Buffer.from(text.slice(2), "hex");

export interface ZoneSource {
  /** The deepest zone among `zones`, with its records around `names[0]`; the other names are its parents. Undefined when none is ours. */
  neighbourhood(
    names: readonly string[],
    zones: readonly string[],
    types: readonly string[] | null,
  ): Promise<NameNeighbourhood | undefined>;
  /** Undefined when the zone does not exist any more. */
  addresses(
    zoneId: number,
    owners: readonly string[],
  ): Promise<{ readonly zone: ServedZone; readonly records: readonly ServedRecord[] } | undefined>;
}

export function storedZones(reads: Reads): ZoneSource {
  return {
    neighbourhood: (names, zones, types) => readNeighbourhood(reads, names, zones, types),
    addresses: (zoneId, owners) => readAddresses(reads, zoneId, owners),
  };
}

const b = table(ZoneRecord, "b");

/** In the index of reversed owners: the reversed owner and a dot. */
const below = (owner: string) =>
  `reverse(${b.owner}) collate "C" >= reverse(${owner}) || '.'
    and reverse(${b.owner}) collate "C" < reverse(${owner}) || '/'`;

const exists = (owner: string, id: string) => `
  (exists (select from ${b} where ${b.domainId} = ${id} and ${b.owner} = ${owner})
  or exists (select from ${b} where ${b.domainId} = ${id} and ${below(owner)}))`;

/** $1 the name and its parents, $2 the possible names of the zone, $3 the types in question, null for all. */
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

async function readNeighbourhood(
  reads: Reads,
  names: readonly string[],
  zones: readonly string[],
  types: readonly string[] | null,
): Promise<NameNeighbourhood | undefined> {
  const values = [arrayLiteral(names), arrayLiteral(zones), types && arrayLiteral(types)];
  const rows = await reads.query(neighbourhoodText, values);
  if (!rows[0]) return undefined;
  const zone = zoneOf(rows[0]);
  const owners = new Map<string, ServedRecord[]>();
  for (const cells of rows) {
    const owner = cells[zoneCells] as string;
    const at = owners.get(owner) ?? [];
    owners.set(owner, at);
    const record = recordOf(cells, zoneCells);
    if (record) at.push(record);
  }
  return { zone, owners };
}

const addressesText = `
  select ${zoneColumns}, ${servedColumns} from ${z}
  left join ${r} on ${r.domainId} = ${z.id} and ${r.owner} = any($2::text[]) and ${r.type} in ('A', 'AAAA')
  where ${z.id} = $1`;

async function readAddresses(
  reads: Reads,
  zoneId: number,
  owners: readonly string[],
): Promise<{ zone: ServedZone; records: readonly ServedRecord[] } | undefined> {
  const rows = await reads.query(addressesText, [String(zoneId), arrayLiteral(owners)]);
  const records = rows.map((cells) => recordOf(cells, zoneCells)).filter((each) => each !== undefined);
  return rows[0] && { zone: zoneOf(rows[0]), records };
}

/** A serial alone is not unique: after a restored backup it may name other records. */
const lastChange = `
  select ${c.id} || ' ' || ${c.createdAt} from ${c} where ${c.domainId} = ${z.id} order by ${c.id} desc limit 1`;

export const zoneSoaText = `
  select ${zoneColumns}, ${servedColumns}, ${z.serial} || ' ' || (${lastChange}) as version from ${z}
  join ${r} on ${r.domainId} = ${z.id} and ${r.owner} = '@' and ${r.type} = 'SOA' where ${z.zone} = $1`;

/** `version` is unique among all versions of this zone; null when it has no journal. */
export interface ZoneWithSoa {
  readonly zone: ServedZone;
  readonly soa: ServedRecord;
  readonly version: string | null;
}

/** Undefined when there is no zone of exactly this name. */
export async function readZoneSoa(reads: Reads, zone: string): Promise<ZoneWithSoa | undefined> {
  const [cells] = await reads.query(zoneSoaText, [zone]);
  return cells && zoneWithSoaOf(cells);
}

export const zoneSoaCells = zoneCells + 5;

export function zoneWithSoaOf(cells: Cells): ZoneWithSoa {
  const soa = recordOf(cells, zoneCells) as ServedRecord;
  return { zone: zoneOf(cells), soa, version: cells[zoneSoaCells - 1] ?? null };
}

export async function inSnapshot<T>(pool: Pool, run: (reads: Reads) => Promise<T>): Promise<T> {
  await using held = new AsyncDisposableStack();
  return await run(readsOf(held.adopt(await openSnapshot(pool), closeSnapshot)));
}

/** The caller closes the snapshot. */
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

export async function closeSnapshot(client: PoolClient): Promise<void> {
  try {
    await client.query("rollback");
    client.release();
  } catch {
    client.release(true);
  }
}
