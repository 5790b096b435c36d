/**
 * The SQL behind the one door: locks a domain, reads the owners a change touches, and stores records, serial and journal.
 * Only zone-change.ts and ownership.ts call it, inside their transaction.
 */
import { sql } from "kysely";
import { type Actor, sees } from "../../session/authorization.ts";
import type { Connection } from "../../session/session.ts";
import { isBelow } from "../../sql/names-below.ts";
import type { ChangeKind, ChangeRow } from "../change.ts";
import type { DomainRow } from "../domain.ts";
import type { Difference, WorkingRecord } from "./working-copy.ts";

/** Locks the domain of this canonical zone name until the transaction ends; undefined when the actor sees none. */
export async function lockDomain(db: Connection, actor: Actor, zone: string): Promise<DomainRow | undefined> {
  const query = sql<DomainRow>`
    select d.id, d.zone, d.serial, d.user_id as "userId", d.created_at as "createdAt"
    from domain d where d.zone = ${zone} and ${sees(actor, sql`d.user_id`)} for update`;
  return (await query.execute(db)).rows[0];
}

interface StoredRow extends Omit<WorkingRecord, "id"> {
  readonly id: number;
}

const columns = sql`id, owner, type, ttl, rdata, wire, encode(digest, 'hex') as digest`;

/** The records of these ids in the domain. */
export async function readById(db: Connection, domainId: number, ids: readonly number[]): Promise<StoredRow[]> {
  if (ids.length === 0) return [];
  const query = sql<StoredRow>`select ${columns} from zone_record where domain_id = ${domainId} and id = any(${ids}) order by id`;
  return (await query.execute(db)).rows;
}

/** All records of these owners of the domain. */
export async function readOwners(db: Connection, domainId: number, owners: readonly string[]): Promise<StoredRow[]> {
  const query = sql<StoredRow>`select ${columns} from zone_record where domain_id = ${domainId} and owner = any(${owners}) order by id`;
  return (await query.execute(db)).rows;
}

/** Some records below an owner, `limit` of them at most. */
export async function readBelow(db: Connection, domainId: number, owner: string, limit: number): Promise<StoredRow[]> {
  const below = owner === "@" ? sql`owner <> '@'` : isBelow(sql`owner`, owner);
  const query = sql<StoredRow>`select ${columns} from zone_record where domain_id = ${domainId} and ${below} limit ${limit}`;
  return (await query.execute(db)).rows;
}

/** One column of records as an array parameter: a statement takes any number of records this way. */
const column = <T, V>(records: readonly T[], value: (record: T) => V): V[] => records.map(value);

/** Stores what a change does to the records; answers the ids of the inserted ones, in their order. */
export async function storeRecords(db: Connection, domainId: number, difference: Difference): Promise<number[]> {
  const { deleted, edited, inserted } = difference;
  if (deleted.length > 0) {
    await sql`delete from zone_record where domain_id = ${domainId} and id = any(${column(deleted, ({ id }) => id)})`.execute(
      db,
    );
  }
  if (edited.length > 0) {
    const to = edited.map((edit) => edit.to);
    await sql`
      update zone_record r set owner = e.owner, type = e.type, ttl = e.ttl, rdata = e.rdata, wire = e.wire, digest = decode(e.digest, 'hex')
      from unnest(${column(to, ({ id }) => id)}::bigint[], ${arrays(to)}) as e(id, owner, type, ttl, rdata, wire, digest)
      where r.id = e.id and r.domain_id = ${domainId}`.execute(db);
  }
  if (inserted.length === 0) return [];
  const insert = sql<{ id: number }>`
    insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
    select ${domainId}, owner, type, ttl, rdata, wire, decode(digest, 'hex')
    from unnest(${arrays(inserted)}) as e(owner, type, ttl, rdata, wire, digest)
    returning id`;
  return (await insert.execute(db)).rows.map(({ id }) => id);
}

/** A journal row that is about to be written. */
export interface JournalEntry {
  readonly kind: ChangeKind;
  readonly previousSerial: number | null;
  readonly serial: number;
  readonly actor: string;
  readonly door: string;
  readonly at: Date;
  readonly removed: readonly WorkingRecord[];
  readonly added: readonly WorkingRecord[];
}

/** Gives the domain its serial and writes the journal row with the records removed and added, all in one statement. */
export async function storeJournal(db: Connection, domain: DomainRow, entry: JournalEntry): Promise<ChangeRow> {
  const records = [...entry.removed, ...entry.added];
  const query = sql<ChangeRow>`
    with domain_row as (update domain set serial = ${entry.serial} where id = ${domain.id}),
    change_row as (
      insert into change (domain_id, zone, kind, previous_serial, serial, actor, door, created_at)
      values (${domain.id}, ${domain.zone}, ${entry.kind}, ${entry.previousSerial}, ${entry.serial}, ${entry.actor}, ${entry.door}, ${entry.at})
      returning *
    ), record_rows as (
      insert into change_record (change_id, ordinal, removed, owner, type, ttl, rdata, wire)
      select c.id, e.ordinal, e.ordinal <= ${entry.removed.length}, e.owner, e.type, e.ttl, e.rdata, e.wire
      from change_row c, unnest(${arrays(records)}) with ordinality as e(owner, type, ttl, rdata, wire, digest, ordinal)
    )
    select id, domain_id as "domainId", zone, kind, previous_serial as "previousSerial", serial, actor, door, created_at as "createdAt"
    from change_row`;
  return (await query.execute(db)).rows[0] as ChangeRow;
}

function arrays(records: readonly WorkingRecord[]) {
  return sql`${column(records, ({ owner }) => owner)}::text[], ${column(records, ({ type }) => type)}::text[],
    ${column(records, ({ ttl }) => ttl)}::int[], ${column(records, ({ rdata }) => rdata)}::text[],
    ${column(records, ({ wire }) => Buffer.from(wire))}::bytea[], ${column(records, ({ digest }) => digest)}::text[]`;
}

/** Closes a domain: its records go into the journal as removed, its last serial is kept under the name, and the domain is gone. */
export async function storeDeletion(
  db: Connection,
  domain: DomainRow,
  by: Pick<JournalEntry, "actor" | "door" | "at">,
): Promise<ChangeRow> {
  const change = sql<ChangeRow>`
    with change_row as (
      insert into change (domain_id, zone, kind, previous_serial, serial, actor, door, created_at)
      values (${domain.id}, ${domain.zone}, 'DELETE', ${domain.serial}, ${domain.serial}, ${by.actor}, ${by.door}, ${by.at})
      returning *
    ), record_rows as (
      insert into change_record (change_id, ordinal, removed, owner, type, ttl, rdata, wire)
      select c.id, row_number() over (order by r.position, r.id), true, r.owner, r.type, r.ttl, r.rdata, r.wire
      from change_row c, zone_record r where r.domain_id = c.domain_id
    ), last_serial as (
      insert into deleted_domain (id, zone, serial, user_id, deleted_at)
      values (${domain.id}, ${domain.zone}, ${domain.serial}, ${domain.userId}, ${by.at})
    )
    select id, domain_id as "domainId", zone, kind, previous_serial as "previousSerial", serial, actor, door, created_at as "createdAt"
    from change_row`;
  const row = (await change.execute(db)).rows[0] as ChangeRow;
  await sql`delete from domain where id = ${domain.id}`.execute(db);
  return row;
}
