/**
 * What is stored of a zone that is about to change: its domain, and the records at, below and under the ids that an
 * edit looks at. They are read in the change's transaction, under the domain's lock, or without a lock: then the change
 * is stored only if the domain is still the one that was read.
 */

import { type Actor, seesZone } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { isBelow } from "../../sql/names-below.ts";
import { type Carrier, type Sql, sql } from "../../sql/sql.ts";
import { Domain, type DomainRow, type StoredDomain, storedDomainColumns } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import { dataOf } from "../soa-data.ts";
import { ancestors } from "./rules.ts";
import { asRead } from "./soa-serial.ts";
import type { WorkingRecord } from "./working-copy.ts";
import { type RecordTuple, readZone, readZones, type ZoneTuple } from "./zone-reading.ts";

const d = table(Domain, "d");
const record = table(ZoneRecord);

/** A record as it is stored. */
export interface StoredRecord extends Omit<WorkingRecord, "id"> {
  readonly id: number;
}

/** What is read of a zone by one statement: all records of these owners, and those of these ids with all that is at and above their owners. */
export interface Prefetch {
  readonly owners: readonly string[];
  readonly ids: readonly number[];
}

/** The zone was changed after it was read, so that nothing was stored. */
export class StaleZone extends Error {
  constructor(zone: string) {
    super(`${zone} was changed after it was read`);
  }
}

/** A zone as it is stored. What was read of it is not read again. */
export class StoredZone {
  readonly domain: StoredDomain;
  readonly #db: Carrier;
  readonly #isLocked: boolean;
  readonly #byOwner = new Map<string, StoredRecord[]>();
  readonly #byId = new Map<number, StoredRecord | undefined>();
  #isReadTwice = false;

  private constructor(db: Carrier, domain: StoredDomain, isLocked: boolean) {
    this.#db = db;
    this.domain = domain;
    this.#isLocked = isLocked;
  }

  /** Locks the zone of this canonical name until the transaction ends; undefined when the actor sees none. */
  static async lock(session: Session, zone: string, prefetch: Prefetch): Promise<StoredZone | undefined> {
    const domain = await lockDomain(session, session.actor, zone);
    // The lock was waited for: only another statement sees what those before have committed.
    return domain && StoredZone.ofLocked(session, domain, prefetch);
  }

  /** Reads the zone of a domain that the session's transaction has locked. */
  static async ofLocked(
    session: Session,
    { id, zone }: DomainRow,
    prefetch: Prefetch,
  ): Promise<StoredZone | undefined> {
    const row = await readZone(session, { actor: session.actor, zone, id, ...prefetch });
    return row && StoredZone.#of(session, row, prefetch, true);
  }

  /** A zone that is not stored yet, so that there is nothing at any owner that it is asked for. */
  static none(db: Carrier, domain: StoredDomain, { owners }: Prefetch): StoredZone {
    const zone = new StoredZone(db, domain, true);
    zone.#keep(owners, []);
    return zone;
  }

  /** Reads the zone of this canonical name, by one statement; undefined when the actor sees none. */
  static async read(session: Session, zone: string, prefetch: Prefetch): Promise<StoredZone | undefined> {
    const row = await readZone(session, { actor: session.actor, zone, id: undefined, ...prefetch });
    return row && StoredZone.#of(session, row, prefetch, false);
  }

  /** Reads zones by one statement, by their canonical names; those that the actor sees none of are missing. `isLocked`: by the session's transaction. */
  static async readAll(
    session: Session,
    wanted: ReadonlyMap<string, Prefetch>,
    { isLocked }: { readonly isLocked: boolean },
  ): Promise<Map<string, StoredZone>> {
    const rows = await readZones(session, wanted);
    return new Map(
      rows.map((row) => {
        const [, zone] = row;
        return [zone, StoredZone.#of(session, row, wanted.get(zone) as Prefetch, isLocked)];
      }),
    );
  }

  static #of(session: Session, row: ZoneTuple, { owners, ids }: Prefetch, isLocked: boolean): StoredZone {
    const [id, name, serial, userId, recordCount, metered, created, review, demands, tuples] = row;
    const createdAt = new Date(created);
    const domain = { id, zone: name, serial, userId, recordCount, metered, createdAt, review, demands };
    const zone = new StoredZone(session, domain, isLocked);
    const records = tuples.map(recordOf);
    const wantedIds = new Set(ids);
    const above = records.flatMap(({ id, owner }) => (wantedIds.has(id) ? [owner, ...ancestors(owner)] : []));
    zone.#keep([...owners, ...above], records);
    for (const id of ids) if (!zone.#byId.has(id)) zone.#byId.set(id, undefined);
    return zone;
  }

  /** Whether all that was read of the zone belongs together: it was locked, or read by one statement. */
  get isConsistent(): boolean {
    return this.#isLocked || !this.#isReadTwice;
  }

  /** All records of these owners. */
  async at(owners: readonly string[]): Promise<StoredRecord[]> {
    const missing = owners.filter((owner) => !this.#byOwner.has(owner));
    if (missing.length > 0) this.#keep(missing, await this.#more(readOwners(this.#db, this.domain.id, missing)));
    return owners.flatMap((owner) => this.#byOwner.get(owner) ?? []).toSorted((a, b) => a.id - b.id);
  }

  /** The records of these ids. */
  async byId(ids: readonly number[]): Promise<StoredRecord[]> {
    const missing = ids.filter((id) => !this.#byId.has(id));
    const more = missing.length > 0 ? await this.#more(readById(this.#db, this.domain.id, missing)) : [];
    for (const record of more) this.#byId.set(record.id, record);
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  /** Some records below an owner, `limit` of them at most. */
  below(owner: string, limit: number): Promise<StoredRecord[]> {
    return this.#more(readBelow(this.#db, this.domain.id, owner, limit));
  }

  #more(records: Promise<StoredRecord[]>): Promise<StoredRecord[]> {
    this.#isReadTwice = true;
    return records;
  }

  /** Keeps all records of these owners. */
  #keep(owners: Iterable<string>, records: readonly StoredRecord[]): void {
    for (const owner of owners) this.#byOwner.set(owner, []);
    for (const record of records) {
      this.#byOwner.get(record.owner)?.push(record);
      this.#byId.set(record.id, record);
    }
  }
}

function recordOf([id, owner, type, ttl, rdata, wire, digest]: RecordTuple): StoredRecord {
  return asRead({ id, owner, type, ttl, rdata, wire: Buffer.from(wire, "hex"), digest });
}

/** Locks the domain of this canonical zone name until the transaction ends; undefined when the actor sees none. */
export async function lockDomain(db: Carrier, actor: Actor, zone: string): Promise<StoredDomain | undefined> {
  const query = sql<StoredDomain>`
    select ${storedDomainColumns} from ${d} where ${d.zone} = ${zone} and ${seesZone(actor, d.userId, d.zone)} for update`;
  return (await query.run(db))[0];
}

/**
 * Locks the domains of these canonical zone names until the transaction ends, in the order of their names, which every writer of several
 * zones keeps; those that the actor does not see are missing.
 */
export async function lockDomains(db: Carrier, actor: Actor, zones: readonly string[]): Promise<StoredDomain[]> {
  const query = sql<StoredDomain>`
    select ${storedDomainColumns} from ${d} where ${d.zone} = any(${zones}) and ${seesZone(actor, d.userId, d.zone)}
    order by ${d.zone} for update`;
  return query.run(db);
}

/** The columns of a stored record, of an SOA with the serial of its zone; `asRead` makes a record of a row. */
export const recordColumns = sql`
  ${record.columns("id", "owner", "type", "ttl").and(dataOf(record))}, encode(${record.digest}, 'hex') as digest`;

/** The records of a domain that a condition, and what follows it, selects. */
async function readRecords(db: Carrier, domainId: number, selection: Sql): Promise<StoredRecord[]> {
  const query = sql<StoredRecord>`
    select ${recordColumns} from ${record} where ${record.domainId} = ${domainId} and ${selection}`;
  return (await query.run(db)).map(asRead);
}

/** The records of these ids in the domain. */
async function readById(db: Carrier, domainId: number, ids: readonly number[]): Promise<StoredRecord[]> {
  if (ids.length === 0) return [];
  return readRecords(db, domainId, sql`${record.id} = any(${ids}) order by ${record.id}`);
}

/** All records of these owners of the domain. */
export function readOwners(db: Carrier, domainId: number, owners: readonly string[]): Promise<StoredRecord[]> {
  return readRecords(db, domainId, sql`${record.owner} = any(${owners}) order by ${record.id}`);
}

/** The apex SOA of the domain; undefined while the zone is being created. */
export async function readSoa(db: Carrier, domainId: number): Promise<StoredRecord | undefined> {
  return (await readRecords(db, domainId, sql`${record.owner} = '@' and ${record.type} = 'SOA'`))[0];
}

/** Some records below an owner, `limit` of them at most. */
function readBelow(db: Carrier, domainId: number, owner: string, limit: number): Promise<StoredRecord[]> {
  const below = owner === "@" ? sql`${record.owner} <> '@'` : isBelow(record.owner, owner);
  return readRecords(db, domainId, sql`${below} limit ${limit}`);
}
