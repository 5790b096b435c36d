/**
 * The stored part of a zone that a change needs: its domain and some of its records. They are read under the domain's lock in the
 * change's transaction, or without a lock; then the change is stored only if the domain is still as it was read.
 */

import { type Actor, seesZone } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { isBelow } from "../../sql/names-below.ts";
import { readOne, StatementForms } from "../../sql/single-statement.ts";
import { slot, slottedStatement } from "../../sql/slot.ts";
import { type Carrier, type Sql, sql } from "../../sql/sql.ts";
import { Domain, type DomainRow, type StoredDomain, storedDomainColumns } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import { dataOf, rdataWithSerial, wireWithSerial } from "../soa-data.ts";
import { ancestors } from "./rules.ts";
import { asRead } from "./soa-serial.ts";
import type { WorkingRecord } from "./working-copy.ts";

const d = table(Domain, "d");
const r = table(ZoneRecord, "r");
const record = table(ZoneRecord);
const serial = String(d.serial);

export interface StoredRecord extends Omit<WorkingRecord, "id"> {
  readonly id: number;
}

/** The records of a zone that one statement reads: those of these owners and ids, and all at and above the owners of these ids. */
export interface Prefetch {
  readonly owners: readonly string[];
  readonly ids: readonly number[];
}

export class StaleZone extends Error {
  constructor(zone: string) {
    super(`${zone} was changed after it was read`);
  }
}

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

  /** Locks the zone until the transaction ends; `zone` is canonical. Returns undefined when the actor does not see the zone. */
  static async lock(session: Session, zone: string, prefetch: Prefetch): Promise<StoredZone | undefined> {
    const domain = await lockDomain(session, session.actor, zone);
    // A further statement is needed: the locking one does not see what was committed while it waited.
    return domain && StoredZone.ofLocked(session, domain, prefetch);
  }

  static async ofLocked(
    session: Session,
    { id, zone }: DomainRow,
    prefetch: Prefetch,
  ): Promise<StoredZone | undefined> {
    const row = await readZone(session, { actor: session.actor, zone, id, ...prefetch });
    return row && StoredZone.#of(session, row, prefetch, true);
  }

  static none(db: Carrier, domain: StoredDomain, { owners }: Prefetch): StoredZone {
    const zone = new StoredZone(db, domain, true);
    zone.#keep(owners, []);
    return zone;
  }

  /** Reads the zone by one statement; `zone` is canonical. Returns undefined when the actor does not see the zone. */
  static async read(session: Session, zone: string, prefetch: Prefetch): Promise<StoredZone | undefined> {
    const row = await readZone(session, { actor: session.actor, zone, id: undefined, ...prefetch });
    return row && StoredZone.#of(session, row, prefetch, false);
  }

  /**
   * Reads zones by one statement; the keys of `wanted` are canonical. Zones that the actor does not see are missing. `isLocked`: the
   * session's transaction has locked them.
   */
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

  /** Whether all reads saw one state of the zone: it was locked, or read by one statement. */
  get isConsistent(): boolean {
    return this.#isLocked || !this.#isReadTwice;
  }

  async at(owners: readonly string[]): Promise<StoredRecord[]> {
    const missing = owners.filter((owner) => !this.#byOwner.has(owner));
    if (missing.length > 0) this.#keep(missing, await this.#more(readOwners(this.#db, this.domain.id, missing)));
    return owners.flatMap((owner) => this.#byOwner.get(owner) ?? []).toSorted((a, b) => a.id - b.id);
  }

  async byId(ids: readonly number[]): Promise<StoredRecord[]> {
    const missing = ids.filter((id) => !this.#byId.has(id));
    const more = missing.length > 0 ? await this.#more(readById(this.#db, this.domain.id, missing)) : [];
    for (const record of more) this.#byId.set(record.id, record);
    return ids.flatMap((id) => this.#byId.get(id) ?? []);
  }

  below(owner: string, limit: number): Promise<StoredRecord[]> {
    return this.#more(readBelow(this.#db, this.domain.id, owner, limit));
  }

  #more(records: Promise<StoredRecord[]>): Promise<StoredRecord[]> {
    this.#isReadTwice = true;
    return records;
  }

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

/** A zone to read: by its name, or by the id of a locked domain. */
interface Reading extends Prefetch {
  readonly actor: Actor;
  readonly zone: string;
  readonly id: number | undefined;
}

type ZoneTuple = readonly [
  ...[id: number, zone: string, serial: number, userId: number | null],
  ...[recordCount: number, metered: boolean, createdAt: string],
  ...[review: StoredDomain["review"], demands: StoredDomain["demands"]],
  records: readonly RecordTuple[],
];

/** The columns of a record; wire and digest are hexadecimal. */
type RecordTuple = readonly [number, string, string, number, string, string, string];

/** Reads a zone; returns undefined when the actor does not see it. */
function readZone(session: Session, reading: Reading): Promise<ZoneTuple | undefined> {
  const { actor, ids, id } = reading;
  const form = { actor, isLocked: id !== undefined, hasIds: ids.length > 0 };
  const key = `${actor.role} ${actor.zones !== undefined} ${form.isLocked} ${form.hasIds}`;
  return readOne<ZoneTuple, Reading>(session, readings.of(key, form), reading);
}

/** Reads zones by name, in one statement; zones that the session's actor does not see are missing. */
async function readZones(session: Session, wanted: ReadonlyMap<string, Prefetch>): Promise<ZoneTuple[]> {
  const zones = JSON.stringify([...wanted].map(([zone, { owners, ids }]) => ({ zone, owners, ids })));
  const query = sql<{ row: string }>`
    select ${zoneTuple(sql`w.owners`, sql`w.ids`)}::text as row
    from json_to_recordset(${zones}::json) as w(zone text, owners json, ids json)
    join ${d} on ${d.zone} = w.zone and ${seesZone(session.actor, d.userId, d.zone)}`;
  const rows = await query.run(session);
  return rows.map(({ row }) => JSON.parse(row) as ZoneTuple);
}

const ofReading = <Value>(read: (reading: Reading) => Value): Value => slot<Value, Reading>(read);

const readings = new StatementForms<{ actor: Actor; isLocked: boolean; hasIds: boolean }, Reading>(
  ({ actor: { zones, ...actor }, isLocked, hasIds }) => {
    const owners = ofReading(({ owners }) => JSON.stringify(owners));
    const ids = ofReading(({ ids }) => JSON.stringify(ids));
    const actorSlots = {
      ...actor,
      userId: ofReading((reading) => reading.actor.userId),
      ...(zones && { zones: ofReading((reading) => reading.actor.zones as readonly string[]) }),
    };
    const condition = isLocked
      ? sql`${d.id} = ${ofReading(({ id }) => id)}`
      : sql`${d.zone} = ${ofReading(({ zone }) => zone)} and ${seesZone(actorSlots, d.userId, d.zone)}`;
    return slottedStatement(sql`
      select ${zoneTuple(sql`${owners}::json`, hasIds ? sql`${ids}::json` : undefined)}::text as row
      from ${d} where ${condition}`);
  },
);

/**
 * The SQL of a ZoneTuple of domain `d`; both lists are JSON. Each owner is looked up in the index, since PostgreSQL, which does not know
 * how many there are, would compare each record of a large zone with all of them.
 */
function zoneTuple(owners: Sql, ids: Sql | undefined): Sql {
  const wanted = ids ? sql`${listed(owners)} union ${aroundIds(ids)}` : listed(owners);
  return sql`json_build_array(${d.id}, ${d.zone}, ${d.serial}, ${d.userId}, ${d.recordCount}, ${d.metered}, ${d.createdAt}, ${d.review}, ${d.demands}, coalesce((
    select json_agg(json_build_array(${r.id}, ${r.owner}, ${r.type}, ${r.ttl}, ${rdataWithSerial(r, serial)}, encode(${wireWithSerial(r, serial)}, 'hex'),
      encode(${r.digest}, 'hex')) order by ${r.id})
    from (${wanted}) wanted(owner) cross join lateral (
      select * from ${r} where ${r.domainId} = ${d.id} and ${r.owner} = wanted.owner offset 0
    ) r
  ), '[]'))`;
}

/**
 * The elements of a JSON array as rows. With an array parameter PostgreSQL would plan the statement again for each length; it does not
 * look into JSON.
 */
const listed = (json: Sql) => sql`select distinct json_array_elements_text(${json})`;

function aroundIds(ids: Sql) {
  return sql`
    select array_to_string(labels[n:], '.') from ${record}, string_to_array(${record.owner}, '.') labels,
      generate_series(1, cardinality(labels)) n
    where ${record.domainId} = ${d.id} and ${record.id} = any(array(${listed(ids)})::bigint[])`;
}

/** Locks the domain until the transaction ends; `zone` is canonical. Returns undefined when the actor does not see the zone. */
export async function lockDomain(db: Carrier, actor: Actor, zone: string): Promise<StoredDomain | undefined> {
  return (await lockDomains(db, actor, [zone]))[0];
}

/**
 * Locks domains until the transaction ends, in the order of their canonical zone names, which every writer of several zones keeps.
 * Domains that the actor does not see are missing.
 */
export async function lockDomains(db: Carrier, actor: Actor, zones: readonly string[]): Promise<StoredDomain[]> {
  const query = sql<StoredDomain>`
    select ${storedDomainColumns} from ${d} where ${d.zone} = any(${zones}) and ${seesZone(actor, d.userId, d.zone)}
    order by ${d.zone} for update`;
  return query.run(db);
}

/** The columns of a stored record; an SOA has the serial of its zone. `asRead` makes a record of a row. */
export const recordColumns = sql`
  ${record.columns("id", "owner", "type", "ttl").and(dataOf(record))}, encode(${record.digest}, 'hex') as digest`;

/** The records of a domain that a condition selects; `selection` may continue with an order and a limit. */
async function readRecords(db: Carrier, domainId: number, selection: Sql): Promise<StoredRecord[]> {
  const query = sql<StoredRecord>`
    select ${recordColumns} from ${record} where ${record.domainId} = ${domainId} and ${selection}`;
  return (await query.run(db)).map(asRead);
}

function readById(db: Carrier, domainId: number, ids: readonly number[]): Promise<StoredRecord[]> {
  return readRecords(db, domainId, sql`${record.id} = any(${ids}) order by ${record.id}`);
}

export function readOwners(db: Carrier, domainId: number, owners: readonly string[]): Promise<StoredRecord[]> {
  return readRecords(db, domainId, sql`${record.owner} = any(${owners}) order by ${record.id}`);
}

/** The apex SOA of the domain; undefined while the zone is being created. */
export async function readSoa(db: Carrier, domainId: number): Promise<StoredRecord | undefined> {
  return (await readRecords(db, domainId, sql`${record.owner} = '@' and ${record.type} = 'SOA'`))[0];
}

function readBelow(db: Carrier, domainId: number, owner: string, limit: number): Promise<StoredRecord[]> {
  const below = owner === "@" ? sql`${record.owner} <> '@'` : isBelow(record.owner, owner);
  return readRecords(db, domainId, sql`${below} limit ${limit}`);
}
