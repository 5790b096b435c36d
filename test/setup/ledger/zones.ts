/** All zones with their records and their journals, read from the database in one snapshot. */
import type { World } from "./world.ts";

export interface StoredRecord {
  /** Its id; that of a version is the id of its record. */
  readonly id: string;
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
  /** Its data in hexadecimal. */
  readonly wire: string;
}

/** A record as it was from one change to another; `until` is null of those that are there. */
export interface StoredVersion extends StoredRecord {
  readonly since: number;
  readonly until: number | null;
}

export interface StoredChange {
  readonly id: number;
  readonly createdAt: Date;
  readonly kind: string;
  readonly previous: number | null;
  readonly serial: number;
  readonly removed: StoredRecord[];
  readonly added: StoredRecord[];
}

export interface StoredZone {
  readonly id: string;
  readonly zone: string;
  readonly serial: number;
  readonly isDeleted: boolean;
  readonly records: StoredRecord[];
  readonly changes: StoredChange[];
  readonly versions: StoredVersion[];
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
      zones.set(id, { id, zone, serial: Number(serial), isDeleted: gone, records: [], changes: [], versions: [] });
    for (const { domain, since, until, ...record } of await rows(`
      select domain_id as domain, change_id as since, null as until, id, ${recordColumns} from zone_record
      union all select domain_id, since, change_id, record_id, ${recordColumns} from change_record`)) {
      if (until === null) zones.get(domain)?.records.push(record);
      zones.get(domain)?.versions.push({ ...record, since: Number(since), until: until && Number(until) });
    }
    const changes = new Map<string, StoredChange>();
    for (const { id, domain, kind, previous, serial, at } of await rows(`select id, domain_id as domain, kind,
      previous_serial as previous, serial, created_at as at from change
      where domain_id in (select id from domain union all (${deletedIds})) order by id`)) {
      const change: StoredChange = {
        id: Number(id),
        createdAt: at,
        kind,
        previous: previous === null ? null : Number(previous),
        serial: Number(serial),
        removed: [],
        added: [],
      };
      changes.set(id, change);
      zones.get(domain)?.changes.push(change);
    }
    // What a change removed is what it ended; what it added is what it began, whether it has ended since or not.
    const journal = `with zones as (select id from domain union all (${deletedIds})) select change, removed, id, ${recordColumns} from (
        select change_id as change, true as removed, ordinal, domain_id, record_id as id, owner, type, ttl, rdata, wire from change_record
        union all select since, false, since_ordinal, domain_id, record_id, owner, type, ttl, rdata, wire from change_record
        union all select change_id, false, change_ordinal, domain_id, id, owner, type, ttl, rdata, wire from zone_record
      ) journal where domain_id in (select id from zones) order by change, ordinal`;
    for (const { change, removed, ...record } of await rows(journal))
      (changes.get(change) ?? missing(change))[removed ? "removed" : "added"].push(record);
    return [...zones.values()];
  } finally {
    await client.end();
  }
}

function missing(change: string): never {
  throw new Error(`a record was begun or ended by change ${change}, which is not there`);
}
