/**
 * The SQL of the one door: stores a change of a zone, records, serial and journal, in one statement. Only
 * finish-change.ts calls it.
 */
import { type RawBuilder, sql } from "kysely";
import type { Connection, Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { StatementForms, writeOne } from "../../sql/single-statement.ts";
import { slot, slottedStatement } from "../../sql/slot.ts";
import { Change, ChangeKind, type ChangeRow, changeColumns, DeletedDomain } from "../change.ts";
import { ChangeRecord } from "../change-record.ts";
import { Domain, type DomainRow } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import { type NoteMove, partsOfMoves } from "./note-moves.ts";
import { StaleZone } from "./stored-zone.ts";
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
  /** The RRsets whose notes move along. */
  readonly moves?: readonly NoteMove[];
}

/** A journal row that is about to be written. */
export interface ChangeEntry {
  readonly kind: ChangeKind;
  readonly previousSerial: number | null;
  readonly serial: number;
  readonly actor: string;
  readonly door: string;
  readonly note: string | null;
  readonly changeSetId: number | null;
  readonly undoes: number | null;
  readonly returnsTo: number | null;
  readonly at: Date;
}

/** A domain that its first change inserts. */
export interface CreatedDomain {
  /** The id of the last deleted domain of the name; null when there was none. */
  readonly formerId: number | null;
}

/** A stored change, and the ids given to the records added without one in memory, in their order. */
export interface StoredChange {
  readonly change: ChangeRow;
  readonly insertedIds: readonly number[];
}

const d = table(Domain, "d");
const r = table(ZoneRecord, "r");
const c = table(Change, "c");
const v = table(ChangeRecord, "v");
/** The changes before. */
const p = table(Change, "p");
const x = table(DeletedDomain, "x");

/** A row of what a change begins has the columns of a record. */
const e = table(ZoneRecord, "e");
const content = ["owner", "type", "ttl", "rdata", "wire", "digest"] as const;
const began = ["changeId", "changeOrdinal"] as const;
const settingContent = sql.join(content.map((name) => sql`${r.names(name)} = ${e[name]}`));

/** The columns of a version, and what they take from the record that has it until now. */
const versionNames = v.names(
  ...(["changeId", "ordinal", "domainId", "recordId", "since", "sinceOrdinal"] as const),
  ...(["owner", "type", "ttl", "rdata", "wire"] as const),
);
const versionColumns = sql`${r.domainId}, ${r.id}, ${r.changeId}, ${r.changeOrdinal},
  ${r.owner}, ${r.type}, ${r.ttl}, ${r.rdata}, ${r.wire}`;

/**
 * Stores a change if the domain's serial and user are those that it was made for; otherwise throws StaleZone, and
 * nothing is stored. What is stored are the serial, the records, the change, and the versions of records that it ends;
 * every part of the statement sees the records as they were before it.
 */
export async function storeChange(
  session: Session,
  domain: DomainRow,
  entry: ChangeEntry,
  difference: Difference,
  created?: CreatedDomain,
): Promise<StoredChange> {
  const { removed, added, isStaged } = difference;
  const form = formOf(difference, created !== undefined);
  const statement = statements.of(Object.values(form).join(), form);
  const isLong = isStaged || removed.length + added.length > maxPipelinedRecords;
  const row = await writeOne<readonly [number, number, string, readonly number[] | null], Storing>(
    session,
    statement,
    { domain, entry, difference, created },
    isLong,
  );
  if (!row) throw new StaleZone(domain.zone);
  const [id, domainId, createdAt, insertedIds] = row;
  const { at: _, ...written } = entry;
  const change = { id, domainId, zone: domain.zone, ...written, createdAt: new Date(createdAt) };
  return { change, insertedIds: insertedIds ?? [] };
}

/** How many records a change has at most whose statement others may wait for. */
const maxPipelinedRecords = 400;

/** What a statement stores. */
interface Storing {
  readonly domain: DomainRow;
  readonly entry: ChangeEntry;
  readonly difference: Difference;
  readonly created: CreatedDomain | undefined;
}

/** What of a change decides the text of its statement. */
interface Form {
  readonly isCreation: boolean;
  readonly isStaged: boolean;
  readonly ends: boolean;
  readonly deletes: boolean;
  readonly edits: boolean;
  readonly inserts: boolean;
  /** Whether records come back under the ids that they had. */
  readonly returns: boolean;
  /** Whether notes may move. */
  readonly moves: boolean;
}

function formOf({ removed, added, isStaged, moves = [] }: Difference, isCreation: boolean): Form {
  const kept = new Set(added.map(({ id }) => id));
  const ended = new Set(removed.map(({ id }) => id));
  return {
    isCreation,
    isStaged,
    ends: isStaged || removed.length > 0,
    deletes: isStaged || removed.some(({ id }) => !kept.has(id)),
    edits: isStaged || added.some(({ id }) => id !== undefined && ended.has(id)),
    inserts: isStaged || kept.has(undefined),
    returns: !isStaged && added.some(({ id }) => id !== undefined && !ended.has(id)),
    moves: moves.length > 0,
  };
}

const statements = new StatementForms<Form, Storing>((form) =>
  slottedStatement(sql`
    with ended as materialized (${endedOf(form)}),
    e as materialized (${begunOf(form)}),
    domain_row as (${form.isCreation ? insertDomain() : updateDomain()}),
    change_row as (${insertChange(entrySlots, [sql`${d.id}`, sql`${d.zone}`], sql`from domain_row d`)})
    ${partsOf(form)}
    select json_build_array(${c.id}, ${c.domainId}, ${c.createdAt}, ${insertedIdsOf(form)})::text as row from change_row c`),
);

const inStoring = <Value>(read: (storing: Storing) => Value): Value => slot<Value, Storing>(read);

/** The entry of a change that is stored, and its domain. */
const entrySlots: ChangeEntry = {
  kind: inStoring(({ entry }) => entry.kind),
  previousSerial: inStoring(({ entry }) => entry.previousSerial),
  serial: inStoring(({ entry }) => entry.serial),
  actor: inStoring(({ entry }) => entry.actor),
  door: inStoring(({ entry }) => entry.door),
  note: inStoring(({ entry }) => entry.note),
  changeSetId: inStoring(({ entry }) => entry.changeSetId),
  undoes: inStoring(({ entry }) => entry.undoes),
  returnsTo: inStoring(({ entry }) => entry.returnsTo),
  at: inStoring(({ entry }) => entry.at),
};
const domainSlots: Pick<DomainRow, "id" | "zone" | "serial" | "userId"> = {
  id: inStoring(({ domain }) => domain.id),
  zone: inStoring(({ domain }) => domain.zone),
  serial: inStoring(({ domain }) => domain.serial),
  userId: inStoring(({ domain }) => domain.userId),
};

/** Gives a domain its serial, if it is as it was read. */
function updateDomain(): RawBuilder<unknown> {
  const { id, serial, userId } = domainSlots;
  return sql`
    update ${d} set ${d.names("serial")} = ${entrySlots.serial} where ${d.id} = ${id} and ${d.serial} = ${serial}
      and ${d.userId} is not distinct from ${userId} returning ${d.id}, ${d.zone}`;
}

/**
 * Inserts a domain, if there is none of its name, and none was deleted since the name was read. One that is just being
 * deleted is still seen, and not waited for: its last serial would be missed.
 */
function insertDomain(): RawBuilder<unknown> {
  const { zone, userId } = domainSlots;
  const { serial, at } = entrySlots;
  const formerId = inStoring(({ created }) => created?.formerId ?? 0);
  return sql`
    insert into ${d} (${d.names("zone", "userId", "serial", "createdAt")})
    select ${zone}, ${userId}::bigint, ${serial}::bigint, ${at}::timestamptz
    where not exists (select from ${x} where ${x.zone} = ${zone} and ${x.id} > ${formerId})
      and not exists (select from ${d} where ${d.zone} = ${zone})
    on conflict (${d.names("zone")}) do nothing returning ${d.id}, ${d.zone}`;
}

/**
 * The parts of the statement that end, edit, delete and insert records, as far as the difference has such. Where these are few, a record is
 * found by its id, and its domain compared by what no index is used for: the whole zone would be read for it otherwise.
 */
function partsOf({ isStaged, ends, deletes, edits, inserts, returns, moves }: Form): RawBuilder<unknown> {
  const isOfDomain = isStaged
    ? sql`${r.domainId} = ${c.domainId}`
    : sql`${r.domainId} is not distinct from ${c.domainId}`;
  const parts: RawBuilder<unknown>[] = [];
  if (ends)
    parts.push(sql`journal as (
      insert into ${v} (${versionNames})
      select ${c.id}, ended.ordinal, ${versionColumns} from change_row c, ended, ${r}
      where ${r.id} = ended.id and ${isOfDomain}
    )`);
  if (deletes)
    parts.push(sql`deleted as (
      delete from ${r} using (select id from ended except select id from e) g, change_row c
      where ${r.id} = g.id and ${isOfDomain}
    )`);
  if (edits)
    parts.push(sql`edited as (
      update ${r} set ${settingContent}, ${r.names("changeId")} = ${c.id}, ${r.names("changeOrdinal")} = e.ordinal
      from e, change_row c where ${r.id} = ${e.id} and ${isOfDomain}
    )`);
  if (inserts)
    parts.push(sql`inserted as (
      insert into ${r} (${r.names("domainId", ...content, ...began)})
      select ${c.domainId}, ${e.names(...content)}, ${c.id}, e.ordinal from change_row c, e
      where ${e.id} is null order by line nulls first, ordinal returning ${r.id} as id
    )`);
  if (returns)
    parts.push(sql`returned as (
      insert into ${r} (${r.names("id", "domainId", ...content, ...began)})
      select ${e.id}, ${c.domainId}, ${e.names(...content)}, ${c.id}, e.ordinal from change_row c, e
      where ${e.id} is not null and ${e.id} not in (select id from ended)
    )`);
  if (moves) parts.push(...partsOfMoves(inStoring(({ difference }) => JSON.stringify(difference.moves))));
  return sql.join([sql``, ...parts], sql`, `);
}

/** The ids that were given to records of the difference, where it is all in memory. */
function insertedIdsOf({ isStaged, inserts }: Form): RawBuilder<unknown> {
  return inserts && !isStaged ? sql`(select json_agg(id order by id) from inserted)` : sql`null::json`;
}

const entryNames = c.names(
  ...(["domainId", "zone", "kind", "previousSerial", "serial", "actor", "door"] as const),
  ...(["note", "changeSetId", "undoes", "returnsTo", "createdAt"] as const),
);

/**
 * Inserts a change, and returns it; its id is given once the row that it selects from is locked. Its time is never before that of the
 * change of its domain before it, whatever the clock of its process shows.
 */
function insertChange(
  { kind, previousSerial, serial, actor, door, note, changeSetId, undoes, returnsTo, at }: ChangeEntry,
  [domainId, zone]: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
  from = sql``,
) {
  const last = sql`(select ${p.createdAt} from ${p} where ${p.domainId} = ${domainId} order by ${p.id} desc limit 1)`;
  return sql`
    insert into ${c} (${entryNames})
    select ${domainId}, ${zone}, ${kind}, ${previousSerial}::bigint, ${serial}::bigint, ${actor}, ${door}, ${note}, ${changeSetId}::bigint, ${undoes}::bigint,
      ${returnsTo}::bigint, greatest(${at}::timestamptz, ${last}) ${from} returning *`;
}

/** How many records of a change are in memory, whose ordinals come before the staged ones. */
const before = inStoring(({ difference: { removed, added } }) => removed.length + added.length);

/** The records that a change edits or removes, in their order. */
function endedOf({ isStaged }: Form): RawBuilder<unknown> {
  const ids = inStoring(({ difference }) => JSON.stringify(difference.removed.map(({ id }) => id)));
  const inMemory = sql`
    select id::bigint, ordinal from json_array_elements_text(${ids}::json) with ordinality as ended(id, ordinal)`;
  if (!isStaged) return inMemory;
  return sql`${inMemory} union all select id, ordinal + ${before}::int from staged_difference where removed`;
}

/** The records that a change adds, and those that it edits as they will be, in their order. */
function begunOf({ isStaged }: Form): RawBuilder<unknown> {
  const removedCount = inStoring(({ difference }) => difference.removed.length);
  // One JSON text costs the driver a fraction of what arrays of seven columns do.
  const rows = inStoring(({ difference }) =>
    JSON.stringify(difference.added.map((record) => ({ ...record, wire: Buffer.from(record.wire).toString("hex") }))),
  );
  const inMemory = sql`
    select ordinal + ${removedCount}::int as ordinal, null::int as line, id, owner, type, ttl, rdata,
      decode(wire, 'hex') as wire, decode(digest, 'hex') as digest
    from rows from (json_to_recordset(${rows}::json)
      as (id bigint, owner text, type text, ttl int, rdata text, wire text, digest text)
    ) with ordinality as begun(id, owner, type, ttl, rdata, wire, digest, ordinal)`;
  if (!isStaged) return inMemory;
  return sql`${inMemory} union all
    select ordinal + ${before}::int, line, ${e.names("id", ...content)} from staged_difference where not removed`;
}

/**
 * Closes a domain: its records go into the journal as removed, its last serial is kept under the name, and the domain
 * is deleted.
 */
export async function storeDeletion(
  db: Connection,
  domain: DomainRow,
  by: Pick<ChangeEntry, "actor" | "door" | "note" | "changeSetId" | "at">,
): Promise<ChangeRow> {
  const { id, zone, serial, userId } = domain;
  const entry = { ...by, kind: ChangeKind.DELETE, previousSerial: serial, serial, undoes: null, returnsTo: null };
  const query = sql<ChangeRow>`
    with change_row as (${insertChange(entry, [sql`${id}::bigint`, sql`${zone}`])}),
    journal as (
      insert into ${v} (${versionNames})
      select ${c.id}, row_number() over (order by ${r.position}, ${r.id}), ${versionColumns}
      from change_row c, ${r} where ${r.domainId} = ${c.domainId}
    ), last_serial as (
      insert into ${x} (${x.names("id", "zone", "serial", "userId", "deletedAt", "labels", "template", "review")})
      select ${id}::bigint, ${zone}, ${serial}::bigint, ${userId}::bigint, ${by.at}::timestamptz, ${d.columns("labels", "template", "review")} from ${d} where ${d.id} = ${id}
    )
    select ${changeColumns} from change_row c`;
  const change = (await query.execute(db)).rows[0] as ChangeRow;
  await sql`delete from ${d} where ${d.id} = ${id}`.execute(db);
  return change;
}
