/**
 * All zones with their records and their journals, read from the database in one snapshot.
 */
import type { World } from "./world.ts";

export interface StoredRecord {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
  /** Its data in hexadecimal. */
  readonly wire: string;
}

export interface StoredChange {
  readonly kind: string;
  readonly previous: number | null;
  readonly serial: number;
  readonly removed: StoredRecord[];
  readonly added: StoredRecord[];
}

export interface StoredZone {
  readonly zone: string;
  readonly serial: number;
  readonly isDeleted: boolean;
  readonly records: StoredRecord[];
  readonly changes: StoredChange[];
}

const recordColumns = "owner, type, ttl, rdata, encode(wire, 'hex') as wire";
const deletedIds = "select id from deleted_domain order by deleted_at desc limit 20";

/** Reads the zones that exist, and those that were deleted last. */
export async function readZones(world: World): Promise<StoredZone[]> {
  const client = await world.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    const rows = async (statement: string) => (await client.query(statement)).rows;
    const zones = new Map<string, StoredZone>();
    const domains = await rows(`select id, zone, serial, false as gone from domain
      union all select id, zone, serial, true from deleted_domain where id in (${deletedIds}) order by zone`);
    for (const { id, zone, serial, gone } of domains)
      zones.set(id, { zone, serial: Number(serial), isDeleted: gone, records: [], changes: [] });
    for (const { id, ...record } of await rows(`select domain_id as id, ${recordColumns} from zone_record`))
      zones.get(id)?.records.push(record);
    const changes = new Map<string, StoredChange>();
    for (const { id, domain, kind, previous, serial } of await rows(`select id, domain_id as domain, kind,
      previous_serial as previous, serial from change
      where domain_id in (select id from domain union all (${deletedIds})) order by id`)) {
      const change: StoredChange = {
        kind,
        previous: previous === null ? null : Number(previous),
        serial: Number(serial),
        removed: [],
        added: [],
      };
      changes.set(id, change);
      zones.get(domain)?.changes.push(change);
    }
    const journal = `select change_id as id, removed, ${recordColumns} from change_record
      where change_id in (select id from change where domain_id in (select id from domain union all (${deletedIds})))
      order by change_id, ordinal`;
    for (const { id, removed, ...record } of await rows(journal))
      changes.get(id)?.[removed ? "removed" : "added"].push(record);
    return [...zones.values()];
  } finally {
    await client.end();
  }
}
