/**
 * What is stored of a zone that is about to change: its locked domain, and the records at, below and under the ids that an edit looks
 * at. Every read runs in the change's transaction, under the lock.
 */
import { sql } from "kysely";
import { type Actor, sees } from "../../session/authorization.ts";
import type { Connection } from "../../session/session.ts";
import { isBelow } from "../../sql/names-below.ts";
import type { DomainRow } from "../domain.ts";
import type { WorkingRecord } from "./working-copy.ts";

/** A record as it is stored. */
export interface StoredRecord extends Omit<WorkingRecord, "id"> {
  readonly id: number;
}

/** Locks the domain of this canonical zone name until the transaction ends; undefined when the actor sees none. */
export async function lockDomain(db: Connection, actor: Actor, zone: string): Promise<DomainRow | undefined> {
  const query = sql<DomainRow>`
    select d.id, d.zone, d.serial, d.user_id as "userId", d.created_at as "createdAt"
    from domain d where d.zone = ${zone} and ${sees(actor, sql`d.user_id`)} for update`;
  return (await query.execute(db)).rows[0];
}

/** The columns of a stored record. */
export const recordColumns = sql`id, owner, type, ttl, rdata, wire, encode(digest, 'hex') as digest`;

/** The records of these ids in the domain. */
export async function readById(db: Connection, domainId: number, ids: readonly number[]): Promise<StoredRecord[]> {
  if (ids.length === 0) return [];
  const query = sql<StoredRecord>`
    select ${recordColumns} from zone_record where domain_id = ${domainId} and id = any(${ids}) order by id`;
  return (await query.execute(db)).rows;
}

/** All records of these owners of the domain. */
export async function readOwners(db: Connection, domainId: number, owners: readonly string[]): Promise<StoredRecord[]> {
  const query = sql<StoredRecord>`
    select ${recordColumns} from zone_record where domain_id = ${domainId} and owner = any(${owners}) order by id`;
  return (await query.execute(db)).rows;
}

/** The apex SOA of the domain; undefined while the zone is being created. */
export async function readSoa(db: Connection, domainId: number): Promise<StoredRecord | undefined> {
  const query = sql<StoredRecord>`
    select ${recordColumns} from zone_record where domain_id = ${domainId} and owner = '@' and type = 'SOA'`;
  return (await query.execute(db)).rows[0];
}

/** Some records below an owner, `limit` of them at most. */
export async function readBelow(
  db: Connection,
  domainId: number,
  owner: string,
  limit: number,
): Promise<StoredRecord[]> {
  const below = owner === "@" ? sql`owner <> '@'` : isBelow(sql`owner`, owner);
  const query = sql<StoredRecord>`
    select ${recordColumns} from zone_record where domain_id = ${domainId} and ${below} limit ${limit}`;
  return (await query.execute(db)).rows;
}

/** The last serial of a deleted zone's name; undefined when the name was never used. */
export async function lastSerialOfName(db: Connection, zone: string): Promise<number | undefined> {
  const query = sql<{ serial: number }>`
    select serial from deleted_domain where zone = ${zone} order by deleted_at desc, id desc limit 1`;
  return (await query.execute(db)).rows[0]?.serial;
}
