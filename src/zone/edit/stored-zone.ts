/**
 * What is stored of a zone that is about to change: its domain, and the records at, below and under the ids that an
 * edit looks at. They are read in the change's transaction, under the domain's lock, or without a lock: then the change
 * is stored only if the domain is still the one that was read.
 */
import { sql } from "kysely";
import { ReviewPolicy } from "../../account/review-policy.ts";
import { User } from "../../account/user.ts";
import { type Actor, seesZone } from "../../session/authorization.ts";
import { type Connection, connection, type Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { isBelow } from "../../sql/names-below.ts";
import { readOne, StatementForms } from "../../sql/single-statement.ts";
import { slot, slottedStatement } from "../../sql/slot.ts";
import { DeletedDomain } from "../change.ts";
import { Domain, type DomainRow } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import { demandedReview, type StoredDomain, storedDomainColumns } from "./demanded-review.ts";
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
  readonly domain: StoredDomain;
  readonly #db: Connection;
  readonly #isLocked: boolean;
  readonly #byOwner = new Map<string, StoredRecord[]>();
  readonly #byId = new Map<number, StoredRecord | undefined>();
  #isReadTwice = false;

  private constructor(db: Connection, domain: StoredDomain, isLocked: boolean) {
    this.#db = db;
    this.domain = domain;
    this.#isLocked = isLocked;
  }

  /** Locks the zone of this canonical name until the transaction ends; undefined when the actor sees none. */
  static async lock(session: Session, zone: string, prefetch: Prefetch): Promise<StoredZone | undefined> {
    const domain = await lockDomain(connection(session), session.actor, zone);
    // The lock was waited for: only another statement sees what those before have committed.
    return domain && StoredZone.ofLocked(session, domain, prefetch);
  }

  /** Reads the zone of a domain that the session's transaction has locked. */
  static ofLocked(session: Session, { id, zone }: DomainRow, prefetch: Prefetch): Promise<StoredZone | undefined> {
    return StoredZone.#read(session, { actor: session.actor, zone, id, prefetch });
  }

  /** A zone that is not stored yet, so that there is nothing at any owner that it is asked for. */
  static none(db: Connection, domain: StoredDomain, { owners }: Prefetch): StoredZone {
    return StoredZone.ofRead(db, domain, { owners, ids: [] }, []);
  }

  /** A zone whose records were read: these are all that it has of what was wanted. */
  static ofRead(
    db: Connection,
    domain: StoredDomain,
    { owners, ids }: Prefetch,
    records: readonly StoredRecord[],
  ): StoredZone {
    const zone = new StoredZone(db, domain, true);
    zone.#keep(owners, records);
    for (const id of ids) if (!zone.#byId.has(id)) zone.#byId.set(id, undefined);
    return zone;
  }

  /** Reads the zone of this canonical name, by one statement; undefined when the actor sees none. */
  static read(session: Session, zone: string, prefetch: Prefetch): Promise<StoredZone | undefined> {
    return StoredZone.#read(session, { actor: session.actor, zone, id: undefined, prefetch });
  }

  static async #read(session: Session, reading: Reading): Promise<StoredZone | undefined> {
    const { actor, prefetch, id: lockedId } = reading;
    const { owners, ids } = prefetch;
    const form = { actor, isLocked: lockedId !== undefined, hasIds: ids.length > 0 };
    const key = `${actor.role} ${actor.zones !== undefined} ${form.isLocked} ${form.hasIds}`;
    const row = await readOne<ZoneTuple, Reading>(session, readings.of(key, form), reading);
    if (!row) return undefined;
    const [id, name, serial, userId, createdAt, review, demands, tuples] = row;
    const domain = { id, zone: name, serial, userId, createdAt: new Date(createdAt), review, demands };
    const zone = new StoredZone(connection(session), domain, form.isLocked);
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

/** What is read: by the name of the zone, or by the id of its domain when that is locked. */
interface Reading {
  readonly actor: Actor;
  readonly zone: string;
  readonly id: number | undefined;
  readonly prefetch: Prefetch;
}

/** The columns of a domain, and its records. */
type ZoneTuple = readonly [
  ...[id: number, zone: string, serial: number, userId: number | null, createdAt: string],
  ...[review: StoredDomain["review"], demands: StoredDomain["demands"]],
  records: readonly RecordTuple[],
];

const ofReading = <Value>(read: (reading: Reading) => Value): Value => slot<Value, Reading>(read);

/** The statements that read a zone, for each kind of actor. */
const readings = new StatementForms<{ actor: Actor; isLocked: boolean; hasIds: boolean }, Reading>(
  ({ actor: { zones, ...actor }, isLocked, hasIds }) => {
    const owners = listed(ofReading(({ prefetch }) => JSON.stringify(prefetch.owners)));
    const wanted = sql`array(${owners}${hasIds ? sql` union ${aroundIds()}` : sql``})`;
    const actorSlots = {
      ...actor,
      userId: ofReading((reading) => reading.actor.userId),
      ...(zones && { zones: ofReading((reading) => reading.actor.zones as readonly string[]) }),
    };
    const condition = isLocked
      ? sql`${d.id} = ${ofReading(({ id }) => id)}`
      : sql`${d.zone} = ${ofReading(({ zone }) => zone)} and ${seesZone(actorSlots, d.userId, d.zone)}`;
    return slottedStatement(sql`
      select json_build_array(${d.id}, ${d.zone}, ${d.serial}, ${d.userId}, ${d.createdAt}, ${d.review}, ${demandedReview}, coalesce((
        select json_agg(json_build_array(${r.id}, ${r.owner}, ${r.type}, ${r.ttl}, ${r.rdata}, encode(${r.wire}, 'hex'),
          encode(${r.digest}, 'hex')) order by ${r.id})
        from ${r} where ${r.domainId} = ${d.id} and ${r.owner} = any(${wanted})
      ), '[]'))::text as row
      from ${d} where ${condition}`);
  },
);

/** The columns of a StoredRecord, wire and digest in hexadecimal. */
type RecordTuple = readonly [number, string, string, number, string, string, string];

function recordOf([id, owner, type, ttl, rdata, wire, digest]: RecordTuple): StoredRecord {
  return { id, owner, type, ttl, rdata, wire: Buffer.from(wire, "hex"), digest };
}

/**
 * A list as rows of text. PostgreSQL looks at the length of an array that is a parameter, and would plan the statement
 * again for each; it does not look into JSON.
 */
const listed = (json: string) => sql`select json_array_elements_text(${json}::json)`;

/** The owners of the records of these ids in domain d, and all above them. */
function aroundIds() {
  const ids = ofReading(({ prefetch }) => JSON.stringify(prefetch.ids));
  return sql`
    select array_to_string(labels[n:], '.') from ${record}, string_to_array(${record.owner}, '.') labels,
      generate_series(1, cardinality(labels)) n
    where ${record.domainId} = ${d.id} and ${record.id} = any(array(${listed(ids)})::bigint[])`;
}

/** Locks the domain of this canonical zone name until the transaction ends; undefined when the actor sees none. */
export async function lockDomain(db: Connection, actor: Actor, zone: string): Promise<StoredDomain | undefined> {
  const query = sql<StoredDomain>`
    select ${storedDomainColumns} from ${d} where ${d.zone} = ${zone} and ${seesZone(actor, d.userId, d.zone)} for update`;
  return (await query.execute(db)).rows[0];
}

/**
 * Locks the domains of these canonical zone names until the transaction ends, in the order of their names, which every writer of several
 * zones keeps; those that the actor does not see are missing.
 */
export async function lockDomains(db: Connection, actor: Actor, zones: readonly string[]): Promise<StoredDomain[]> {
  const query = sql<StoredDomain>`
    select ${storedDomainColumns} from ${d} where ${d.zone} = any(${zones}) and ${seesZone(actor, d.userId, d.zone)}
    order by ${d.zone} for update`;
  return (await query.execute(db)).rows;
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
  /** The review that a new zone of the user demands. */
  readonly demands: ReviewPolicy;
}

/** Whether there is a zone of this name, and this user, and what was before under the name. */
export async function readName(
  session: Session,
  zone: string,
  userId: number,
): Promise<NameHistory & { readonly isTaken: boolean; readonly isUser: boolean }> {
  const row = await readOne<readonly [boolean, ReviewPolicy | null, number | null, number | null], Name>(
    session,
    nameReading,
    { zone, userId },
  );
  const [isTaken, review, formerId, lastSerial] = row as NonNullable<typeof row>;
  return { isTaken, isUser: review !== null, formerId, lastSerial, demands: review ?? ReviewPolicy.NONE };
}

interface Name {
  readonly zone: string;
  readonly userId: number;
}

const named = <Value>(read: (name: Name) => Value): Value => slot<Value, Name>(read);
const zoneSlot = named(({ zone }) => zone);

/** The statement that reads a name. */
const nameReading = slottedStatement<Name>(sql`
    select json_build_array(exists (select from ${d} where ${d.zone} = ${zoneSlot}),
      (select ${u.review} from ${u} where ${u.id} = ${named(({ userId }) => userId)}), former.id, former.serial)::text as row
    from (values (true)) one left join lateral (
      select ${x.columns("id", "serial")} from ${x} where ${x.zone} = ${zoneSlot} order by ${x.deletedAt} desc, ${x.id} desc limit 1
    ) former on true`);

/** The last serial of a deleted zone's name; undefined when the name was never used. */
export async function lastSerialOfName(db: Connection, zone: string): Promise<number | undefined> {
  const query = sql<{ serial: number }>`
    select ${x.serial} from ${x} where ${x.zone} = ${zone} order by ${x.deletedAt} desc, ${x.id} desc limit 1`;
  return (await query.execute(db)).rows[0]?.serial;
}
