/**
 * What is stored of a zone that is about to change: its domain, and the records at, below and under the ids that an
 * edit looks at. They are read in the change's transaction, under the domain's lock, or without a lock: then the change
 * is stored only if the domain is still the one that was read.
 */
import { type RawBuilder, sql } from "kysely";
import { User } from "../../account/user.ts";
import { type Actor, seesZone } from "../../session/authorization.ts";
import type { Connection } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { isBelow } from "../../sql/names-below.ts";
import { DeletedDomain } from "../change.ts";
import { Domain, type DomainRow, domainColumns } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import { ancestors } from "./rules.ts";
import type { WorkingRecord } from "./working-copy.ts";

const d = table(Domain, "d");
const x = table(DeletedDomain, "x");
const u = table(User, "u");
const r = table(ZoneRecord, "r");
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
  readonly domain: DomainRow;
  readonly #db: Connection;
  readonly #isLocked: boolean;
  readonly #byOwner = new Map<string, StoredRecord[]>();
  readonly #byId = new Map<number, StoredRecord | undefined>();
  #isReadTwice = false;

  private constructor(db: Connection, domain: DomainRow, isLocked: boolean) {
    this.#db = db;
    this.domain = domain;
    this.#isLocked = isLocked;
  }

  /** Locks the zone of this canonical name until the transaction ends; undefined when the actor sees none. */
  static async lock(db: Connection, actor: Actor, zone: string, prefetch: Prefetch): Promise<StoredZone | undefined> {
    const domain = await lockDomain(db, actor, zone);
    // The lock was waited for: only another statement sees what those before have committed.
    return domain && StoredZone.#read(db, sql`${d.id} = ${domain.id}`, prefetch, true);
  }

  /** A zone that is not stored yet, so that there is nothing at any owner that it is asked for. */
  static none(db: Connection, domain: DomainRow, { owners }: Prefetch): StoredZone {
    const zone = new StoredZone(db, domain, true);
    zone.#keep(owners, []);
    return zone;
  }

  /** Reads the zone of this canonical name, by one statement; undefined when the actor sees none. */
  static read(db: Connection, actor: Actor, zone: string, prefetch: Prefetch): Promise<StoredZone | undefined> {
    return StoredZone.#read(db, sql`${d.zone} = ${zone} and ${seesZone(actor, d.userId, d.zone)}`, prefetch, false);
  }

  static async #read(
    db: Connection,
    condition: RawBuilder<boolean>,
    { owners, ids }: Prefetch,
    isLocked: boolean,
  ): Promise<StoredZone | undefined> {
    const wanted = sql`array(${listed(owners)}${ids.length === 0 ? sql`` : sql` union ${aroundIds(ids)}`})`;
    const query = sql<DomainRow & { records: readonly RecordTuple[] }>`
      select ${domainColumns}, coalesce((
        select json_agg(json_build_array(${r.id}, ${r.owner}, ${r.type}, ${r.ttl}, ${r.rdata}, encode(${r.wire}, 'hex'),
          encode(${r.digest}, 'hex')) order by ${r.id})
        from ${r} where ${r.domainId} = ${d.id} and ${r.owner} = any(${wanted})
      ), '[]') as records
      from ${d} where ${condition}`;
    const [row] = (await query.execute(db)).rows;
    if (!row) return undefined;
    const { records: tuples, ...domain } = row;
    const zone = new StoredZone(db, domain, isLocked);
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

/** The columns of a StoredRecord, wire and digest in hexadecimal. */
type RecordTuple = readonly [number, string, string, number, string, string, string];

function recordOf([id, owner, type, ttl, rdata, wire, digest]: RecordTuple): StoredRecord {
  return { id, owner, type, ttl, rdata, wire: Buffer.from(wire, "hex"), digest };
}

/**
 * A list as rows of text. PostgreSQL looks at the length of an array that is a parameter, and would plan the statement
 * again for each; it does not look into JSON.
 */
const listed = (list: readonly unknown[]) => sql`select json_array_elements_text(${JSON.stringify(list)}::json)`;

/** The owners of the records of these ids in domain d, and all above them. */
function aroundIds(ids: readonly number[]) {
  return sql`
    select array_to_string(labels[n:], '.') from ${record}, string_to_array(${record.owner}, '.') labels,
      generate_series(1, cardinality(labels)) n
    where ${record.domainId} = ${d.id} and ${record.id} = any(array(${listed(ids)})::bigint[])`;
}

/** Locks the domain of this canonical zone name until the transaction ends; undefined when the actor sees none. */
export async function lockDomain(db: Connection, actor: Actor, zone: string): Promise<DomainRow | undefined> {
  const query = sql<DomainRow>`
    select ${domainColumns} from ${d} where ${d.zone} = ${zone} and ${seesZone(actor, d.userId, d.zone)} for update`;
  return (await query.execute(db)).rows[0];
}

/** The columns of a stored record, and of one that is staged with the same columns. */
export const recordColumns = sql`
  ${record.columns("id", "owner", "type", "ttl", "rdata", "wire")}, encode(${record.digest}, 'hex') as digest`;

/** The records of these ids in the domain. */
async function readById(db: Connection, domainId: number, ids: readonly number[]): Promise<StoredRecord[]> {
  if (ids.length === 0) return [];
  const query = sql<StoredRecord>`
    select ${recordColumns} from ${record} where ${record.domainId} = ${domainId} and ${record.id} = any(${ids})
    order by ${record.id}`;
  return (await query.execute(db)).rows;
}

/** All records of these owners of the domain. */
export async function readOwners(db: Connection, domainId: number, owners: readonly string[]): Promise<StoredRecord[]> {
  const query = sql<StoredRecord>`
    select ${recordColumns} from ${record} where ${record.domainId} = ${domainId} and ${record.owner} = any(${owners})
    order by ${record.id}`;
  return (await query.execute(db)).rows;
}

/** The apex SOA of the domain; undefined while the zone is being created. */
export async function readSoa(db: Connection, domainId: number): Promise<StoredRecord | undefined> {
  const query = sql<StoredRecord>`
    select ${recordColumns} from ${record}
    where ${record.domainId} = ${domainId} and ${record.owner} = '@' and ${record.type} = 'SOA'`;
  return (await query.execute(db)).rows[0];
}

/** Some records below an owner, `limit` of them at most. */
async function readBelow(db: Connection, domainId: number, owner: string, limit: number): Promise<StoredRecord[]> {
  const below = owner === "@" ? sql`${record.owner} <> '@'` : isBelow(record.owner, owner);
  const query = sql<StoredRecord>`
    select ${recordColumns} from ${record} where ${record.domainId} = ${domainId} and ${below} limit ${limit}`;
  return (await query.execute(db)).rows;
}

/** What was before under the name of a zone. */
export interface NameHistory {
  /** The id of the last deleted domain of the name, and its last serial; null when the name was never used. */
  readonly formerId: number | null;
  readonly lastSerial: number | null;
}

/** Whether there is a zone of this name, and this user, and what was before under the name. */
export async function readName(
  db: Connection,
  zone: string,
  userId: number,
): Promise<NameHistory & { readonly isTaken: boolean; readonly isUser: boolean }> {
  const query = sql<NameHistory & { isTaken: boolean; isUser: boolean }>`
    select exists (select from ${d} where ${d.zone} = ${zone}) as "isTaken",
      exists (select from ${u} where ${u.id} = ${userId}) as "isUser",
      former.id as "formerId", former.serial as "lastSerial"
    from (values (true)) one left join lateral (
      select ${x.columns("id", "serial")} from ${x} where ${x.zone} = ${zone} order by ${x.deletedAt} desc, ${x.id} desc limit 1
    ) former on true`;
  return (await query.execute(db)).rows[0] as NameHistory & { isTaken: boolean; isUser: boolean };
}

/** The last serial of a deleted zone's name; undefined when the name was never used. */
export async function lastSerialOfName(db: Connection, zone: string): Promise<number | undefined> {
  const query = sql<{ serial: number }>`
    select ${x.serial} from ${x} where ${x.zone} = ${zone} order by ${x.deletedAt} desc, ${x.id} desc limit 1`;
  return (await query.execute(db)).rows[0]?.serial;
}
