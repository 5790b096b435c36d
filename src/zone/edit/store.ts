/**
 * The SQL of the one door: stores a change of a zone, records, serial and journal, in one statement. Only finish-change.ts calls it,
 * inside the change's transaction.
 */
import { type RawBuilder, sql } from "kysely";
import type { Connection } from "../../session/session.ts";
import type { ChangeKind, ChangeRow } from "../change.ts";
import type { DomainRow } from "../domain.ts";
import type { WorkingRecord } from "./working-copy.ts";

/**
 * What a change does to the stored records. A record that stays under its id with other content is both removed, as it was, and
 * added, as it is. The apex SOA is always among them.
 */
export interface Difference {
  readonly removed: readonly WorkingRecord[];
  readonly added: readonly WorkingRecord[];
  /** Whether the temporary table `staged_difference` of this transaction holds more of both. */
  readonly isStaged: boolean;
}

/** A journal row that is about to be written. */
export interface ChangeEntry {
  readonly kind: ChangeKind;
  readonly previousSerial: number | null;
  readonly serial: number;
  readonly actor: string;
  readonly door: string;
  readonly at: Date;
}

/** A stored change, and the ids given to the records added without one in memory, in their order. */
export interface StoredChange {
  readonly change: ChangeRow;
  readonly insertedIds: readonly number[];
}

const changeColumns = sql`id, domain_id as "domainId", zone, kind, previous_serial as "previousSerial", serial, actor, door,
  created_at as "createdAt"`;

/** Stores a change: the domain's serial, the records, the journal row, and the records it removed and added. */
export async function storeChange(
  db: Connection,
  domain: DomainRow,
  entry: ChangeEntry,
  difference: Difference,
): Promise<StoredChange> {
  const insertedIds = difference.isStaged ? sql`'[]'::json` : sql`(select json_agg(id order by id) from inserted)`;
  const query = sql<ChangeRow & { insertedIds: readonly number[] | null }>`
    with difference as materialized (${rowsOf(difference)}),
    ids_that_go as (
      select id from difference where removed and id is not null except select id from difference where not removed
    ), domain_row as (update domain set serial = ${entry.serial} where id = ${domain.id}),
    deleted as (delete from zone_record r using ids_that_go g where r.id = g.id and r.domain_id = ${domain.id}),
    edited as (
      update zone_record r set owner = e.owner, type = e.type, ttl = e.ttl, rdata = e.rdata, wire = e.wire, digest = e.digest
      from difference e where not e.removed and r.id = e.id and r.domain_id = ${domain.id}
    ), inserted as (
      insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
      select ${domain.id}, owner, type, ttl, rdata, wire, digest from difference
      where not removed and id is null order by line nulls first, ordinal returning id
    ), change_row as (
      insert into change (domain_id, zone, kind, previous_serial, serial, actor, door, created_at)
      values (${domain.id}, ${domain.zone}, ${entry.kind}, ${entry.previousSerial}, ${entry.serial}, ${entry.actor}, ${entry.door}, ${entry.at})
      returning *
    ), journal as (
      insert into change_record (change_id, ordinal, removed, owner, type, ttl, rdata, wire)
      select c.id, e.ordinal, e.removed, e.owner, e.type, e.ttl, e.rdata, e.wire from change_row c, difference e
    )
    select ${changeColumns}, ${insertedIds} as "insertedIds" from change_row`;
  const { insertedIds: ids, ...change } = (await query.execute(db)).rows[0] as ChangeRow & {
    insertedIds: readonly number[] | null;
  };
  return { change, insertedIds: ids ?? [] };
}

/** The rows of a difference, the removed before the added, each list in its order. */
function rowsOf({ removed, added, isStaged }: Difference): RawBuilder<unknown> {
  const records = [...removed, ...added];
  const column = <V>(value: (record: WorkingRecord) => V): V[] => records.map(value);
  const inMemory = sql`
    select ordinal::int as ordinal, ordinal <= ${removed.length} as removed, id, owner, type, ttl, rdata, wire,
      decode(digest, 'hex') as digest, null::int as line
    from unnest(${column(({ id }) => id ?? null)}::bigint[], ${column(({ owner }) => owner)}::text[],
      ${column(({ type }) => type)}::text[], ${column(({ ttl }) => ttl)}::int[], ${column(({ rdata }) => rdata)}::text[],
      ${column(({ wire }) => Buffer.from(wire))}::bytea[], ${column(({ digest }) => digest)}::text[]
    ) with ordinality as e(id, owner, type, ttl, rdata, wire, digest, ordinal)`;
  if (!isStaged) return inMemory;
  return sql`${inMemory} union all
    select ordinal + ${records.length}::int, removed, id, owner, type, ttl, rdata, wire, digest, line from staged_difference`;
}

/** Closes a domain: its records go into the journal as removed, its last serial is kept under the name, and the domain is deleted. */
export async function storeDeletion(
  db: Connection,
  domain: DomainRow,
  by: Pick<ChangeEntry, "actor" | "door" | "at">,
): Promise<ChangeRow> {
  const query = sql<ChangeRow>`
    with change_row as (
      insert into change (domain_id, zone, kind, previous_serial, serial, actor, door, created_at)
      values (${domain.id}, ${domain.zone}, 'DELETE', ${domain.serial}, ${domain.serial}, ${by.actor}, ${by.door}, ${by.at})
      returning *
    ), journal as (
      insert into change_record (change_id, ordinal, removed, owner, type, ttl, rdata, wire)
      select c.id, row_number() over (order by r.position, r.id), true, r.owner, r.type, r.ttl, r.rdata, r.wire
      from change_row c, zone_record r where r.domain_id = c.domain_id
    ), last_serial as (
      insert into deleted_domain (id, zone, serial, user_id, deleted_at)
      values (${domain.id}, ${domain.zone}, ${domain.serial}, ${domain.userId}, ${by.at})
    )
    select ${changeColumns} from change_row`;
  const change = (await query.execute(db)).rows[0] as ChangeRow;
  await sql`delete from domain where id = ${domain.id}`.execute(db);
  return change;
}
