/**
 * The SQL of the one door: stores a change of a zone, records, serial and journal, in one statement. Only
 * finish-change.ts calls it, inside the change's transaction.
 */
import { type RawBuilder, sql } from "kysely";
import type { Connection } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { Change, ChangeKind, ChangeRecord, type ChangeRow, changeColumns, DeletedDomain } from "../change.ts";
import { Domain, type DomainRow } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import type { WorkingRecord } from "./working-copy.ts";

/**
 * What a change does to the stored records. A record that stays under its id with other content is both removed, as it
 * was, and added, as it is. The apex SOA is always among them.
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

const d = table(Domain, "d");
const r = table(ZoneRecord, "r");
const c = table(Change, "c");
const j = table(ChangeRecord, "j");
const x = table(DeletedDomain, "x");

/** A row of the difference has the columns of a record. */
const e = table(ZoneRecord, "e");
const content = ["owner", "type", "ttl", "rdata", "wire", "digest"] as const;
const settingContent = sql.join(content.map((name) => sql`${r.names(name)} = ${e[name]}`));

const changeRecordNames = j.names("changeId", "ordinal", "removed", "owner", "type", "ttl", "rdata", "wire");

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
    ), domain_row as (update ${d} set ${d.names("serial")} = ${entry.serial} where ${d.id} = ${domain.id}),
    deleted as (delete from ${r} using ids_that_go g where ${r.id} = g.id and ${r.domainId} = ${domain.id}),
    edited as (
      update ${r} set ${settingContent} from difference e
      where not e.removed and ${r.id} = ${e.id} and ${r.domainId} = ${domain.id}
    ), inserted as (
      insert into ${r} (${r.names("domainId", ...content)}) select ${domain.id}, ${e.names(...content)} from difference
      where not removed and id is null order by line nulls first, ordinal returning ${r.id} as id
    ), change_row as (${insertChange(domain, entry)}),
    journal as (
      insert into ${j} (${changeRecordNames})
      select ${c.id}, e.ordinal, e.removed, ${e.owner}, ${e.type}, ${e.ttl}, ${e.rdata}, ${e.wire}
      from change_row c, difference e
    )
    select ${changeColumns}, ${insertedIds} as "insertedIds" from change_row c`;
  const { insertedIds: ids, ...change } = (await query.execute(db)).rows[0] as ChangeRow & {
    insertedIds: readonly number[] | null;
  };
  return { change, insertedIds: ids ?? [] };
}

/** Inserts the journal row of a change, and returns it. */
function insertChange({ id, zone }: DomainRow, { kind, previousSerial, serial, actor, door, at }: ChangeEntry) {
  return sql`
    insert into ${c} (${c.names("domainId", "zone", "kind", "previousSerial", "serial", "actor", "door", "createdAt")})
    values (${id}, ${zone}, ${kind}, ${previousSerial}, ${serial}, ${actor}, ${door}, ${at}) returning *`;
}

/** The rows of a difference, the removed before the added, each list in its order. */
function rowsOf({ removed, added, isStaged }: Difference): RawBuilder<unknown> {
  const records = [...removed, ...added];
  const column = <V>(value: (record: WorkingRecord) => V): V[] => records.map(value);
  const inMemory = sql`
    select ordinal::int as ordinal, ordinal <= ${removed.length} as removed,
      ${e.names("id", "owner", "type", "ttl", "rdata", "wire")}, decode(${e.digest}, 'hex') as ${e.names("digest")},
      null::int as line
    from unnest(${column(({ id }) => id ?? null)}::bigint[], ${column(({ owner }) => owner)}::text[],
      ${column(({ type }) => type)}::text[], ${column(({ ttl }) => ttl)}::int[], ${column(({ rdata }) => rdata)}::text[],
      ${column(({ wire }) => Buffer.from(wire))}::bytea[], ${column(({ digest }) => digest)}::text[]
    ) with ordinality as e(${e.names("id", ...content)}, ordinal)`;
  if (!isStaged) return inMemory;
  return sql`${inMemory} union all
    select ordinal + ${records.length}::int, removed, ${e.names("id", ...content)}, line from staged_difference`;
}

/**
 * Closes a domain: its records go into the journal as removed, its last serial is kept under the name, and the domain
 * is deleted.
 */
export async function storeDeletion(
  db: Connection,
  domain: DomainRow,
  by: Pick<ChangeEntry, "actor" | "door" | "at">,
): Promise<ChangeRow> {
  const { serial } = domain;
  const query = sql<ChangeRow>`
    with change_row as (${insertChange(domain, { ...by, kind: ChangeKind.DELETE, previousSerial: serial, serial })}),
    journal as (
      insert into ${j} (${changeRecordNames})
      select ${c.id}, row_number() over (order by ${r.position}, ${r.id}), true,
        ${r.owner}, ${r.type}, ${r.ttl}, ${r.rdata}, ${r.wire}
      from change_row c, ${r} where ${r.domainId} = ${c.domainId}
    ), last_serial as (
      insert into ${x} (${x.names("id", "zone", "serial", "userId", "deletedAt")})
      values (${domain.id}, ${domain.zone}, ${serial}, ${domain.userId}, ${by.at})
    )
    select ${changeColumns} from change_row c`;
  const change = (await query.execute(db)).rows[0] as ChangeRow;
  await sql`delete from ${d} where ${d.id} = ${domain.id}`.execute(db);
  return change;
}
