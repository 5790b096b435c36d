/**
 * What is stored of a zone that is about to change: its locked domain, and the records at, below and under the ids that
 * an edit looks at. Every read runs in the change's transaction, under the lock.
 */
import { sql } from "kysely";
import { type Actor, seesZone } from "../../session/authorization.ts";
import type { Connection } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { isBelow } from "../../sql/names-below.ts";
import { DeletedDomain } from "../change.ts";
import { Domain, type DomainRow, domainColumns } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import type { WorkingRecord } from "./working-copy.ts";

const d = table(Domain, "d");
const x = table(DeletedDomain, "x");
const record = table(ZoneRecord);

/** A record as it is stored. */
export interface StoredRecord extends Omit<WorkingRecord, "id"> {
  readonly id: number;
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
export async function readById(db: Connection, domainId: number, ids: readonly number[]): Promise<StoredRecord[]> {
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
export async function readBelow(
  db: Connection,
  domainId: number,
  owner: string,
  limit: number,
): Promise<StoredRecord[]> {
  const below = owner === "@" ? sql`${record.owner} <> '@'` : isBelow(record.owner, owner);
  const query = sql<StoredRecord>`
    select ${recordColumns} from ${record} where ${record.domainId} = ${domainId} and ${below} limit ${limit}`;
  return (await query.execute(db)).rows;
}

/** The last serial of a deleted zone's name; undefined when the name was never used. */
export async function lastSerialOfName(db: Connection, zone: string): Promise<number | undefined> {
  const query = sql<{ serial: number }>`
    select ${x.serial} from ${x} where ${x.zone} = ${zone} order by ${x.deletedAt} desc, ${x.id} desc limit 1`;
  return (await query.execute(db)).rows[0]?.serial;
}
