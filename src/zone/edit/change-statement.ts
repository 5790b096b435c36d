/**
 * The SQL that stores the changes of one or more zones, with their records, serials and journals, in one statement. Only store-change.ts
 * runs it.
 */

import { SignedUpdate } from "../../account/signed-update.ts";
import { User } from "../../account/user.ts";
import { AuditEntry } from "../../audit/audit-entry.ts";
import type { Asking } from "../../session/audit-note.ts";
import type { SignedMark } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { StatementForms } from "../../sql/single-statement.ts";
import { type SlottedStatement, slot, slottedStatement } from "../../sql/slot.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { Change, type ChangeKind, DeletedDomain } from "../change.ts";
import { ChangeRecord } from "../change-record.ts";
import { Domain, type StoredDomain } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import { type NoteMove, partsOfMoves } from "./note-moves.ts";
import { asStored } from "./soa-serial.ts";
import type { WorkingRecord } from "./working-copy.ts";

/**
 * What a change does to the stored records. An edited record is in both lists: in `removed` with its old content, in `added` with its new
 * content. An SOA is in neither when only its serial changes.
 */
export interface Difference {
  readonly removed: readonly WorkingRecord[];
  readonly added: readonly WorkingRecord[];
  /** Whether the temporary table `staged_difference` of this transaction holds further records. Such a change is stored by itself. */
  readonly isStaged: boolean;
  readonly moves?: readonly NoteMove[];
}

export interface ChangeEntry {
  readonly kind: ChangeKind;
  readonly previousSerial: number | null;
  readonly serial: number;
  readonly actor: string;
  readonly appliedBy: string | null;
  readonly source: string;
  readonly note: string | null;
  readonly changeSetId: number | null;
  readonly undoes: number | null;
  readonly returnsTo: number | null;
  readonly at: Date;
}

/** A domain that does not exist yet and that its first change inserts. */
export interface CreatedDomain {
  /** The id of the latest deleted domain with the same zone name; null without one. */
  readonly formerId: number | null;
  readonly lastSerial: number | null;
}

/** A checked change. It is stored only if the domain is still as it was read. */
export interface CheckedChange {
  readonly domain: StoredDomain;
  readonly entry: ChangeEntry;
  readonly asking: Asking;
  readonly difference: Difference;
  readonly created?: CreatedDomain | undefined;
  readonly signed?: SignedMark | undefined;
}

/**
 * A stored change: its index in the list of changes, its id, the id of its domain, its time, the ids of the inserted records, and how
 * many records the zone has.
 */
export type StoredTuple = readonly [number, number, number, string, readonly number[] | null, number];

const d = table(Domain, "d");
const u = table(User, "u");
const r = table(ZoneRecord, "r");
const c = table(Change, "c");
const v = table(ChangeRecord, "v");
const p = table(Change, "p");
const x = table(DeletedDomain, "x");
const a = table(AuditEntry);
const m = table(SignedUpdate);

const e = table(ZoneRecord, "e");
const content = ["owner", "type", "ttl", "rdata", "wire", "digest"] as const;
const began = ["changeId", "changeOrdinal"] as const;
const settingContent = sql.join(content.map((name) => sql`${r.names(name)} = ${e[name]}`));

export const versionNames = v.names(
  ...(["changeId", "ordinal", "domainId", "recordId", "since", "sinceOrdinal"] as const),
  ...(["owner", "type", "ttl", "rdata", "wire"] as const),
);
export const versionColumns = sql`${r.domainId}, ${r.id}, ${r.changeId}, ${r.changeOrdinal},
  ${r.owner}, ${r.type}, ${r.ttl}, ${r.rdata}, ${r.wire}`;

type Form = Readonly<ReturnType<typeof formOfOne>>;

function formOf(changes: readonly CheckedChange[]): Form {
  const forms = changes.map(formOfOne) as [Form, ...Form[]];
  const parts = Object.keys(forms[0]) as (keyof Form)[];
  return Object.fromEntries(parts.map((part) => [part, forms.some((form) => form[part])])) as Form;
}

/** The properties of a change that decide the text of its statement; with `returns`, removed records get back their former ids. */
function formOfOne({ created, signed, difference: { removed, added, isStaged, moves = [] } }: CheckedChange) {
  const kept = new Set(added.map(({ id }) => id));
  const ended = new Set(removed.map(({ id }) => id));
  return {
    isCreation: created !== undefined,
    isStaged,
    ends: isStaged || removed.length > 0,
    deletes: isStaged || removed.some(({ id }) => !kept.has(id)),
    edits: isStaged || added.some(({ id }) => id !== undefined && ended.has(id)),
    inserts: isStaged || kept.has(undefined),
    returns: !isStaged && added.some(({ id }) => id !== undefined && !ended.has(id)),
    moves: moves.length > 0,
    isSigned: signed !== undefined,
  };
}

/**
 * The statement that stores changes of different zones: all create their domain, or none does. It returns a StoredTuple for each change
 * whose domain is still as it was read.
 */
export function statementFor(changes: readonly CheckedChange[]): SlottedStatement<readonly CheckedChange[]> {
  const form = formOf(changes);
  return statements.of(Object.values(form).join(), form);
}

/** In the statement, `stored` has a row for each stored change, and `n` is the index of the change in the list. */
const statements = new StatementForms<Form, readonly CheckedChange[]>((form) =>
  slottedStatement(sql`
    with given as materialized (${givenChanges}),
    ended as materialized (${endedOf(form)}),
    e as materialized (${begunOf(form)}),
    ${form.isCreation ? insertDomains() : updateDomains(form)},
    change_row as (
      insert into ${c} (${entryNames}) select ${d.id}, ${d.zone}, kind, "previousSerial", d.serial, actor, "appliedBy", source, note,
        "changeSetId", undoes, "returnsTo", ${timeAfterLast(sql`at`, d.id)} from domain_row d
      returning ${c.id}, ${c.domainId}, ${c.zone}, ${c.createdAt}
    ),
    ${auditOf(sql`${c.zone}, ${c.id}, ${c.createdAt}, "byActor", "byKey", "byUser", "of", address, operation, source
      from change_row c, domain_row d where ${d.id} = ${c.domainId}`)},
    stored as (select ${c.id}, ${c.domainId}, ${c.createdAt}, ${d.recordCount} as records, n from change_row c, domain_row d where ${d.id} = ${c.domainId})
    ${partsOf(form)}
    select json_build_array(n, ${c.id}, ${c.domainId}, ${c.createdAt}, ${insertedIdsOf(form)}, records)::text as row from stored c`),
);

const inChanges = <Value>(read: (changes: readonly CheckedChange[]) => Value): Value =>
  slot<Value, readonly CheckedChange[]>(read);

/** The rows of all changes as one JSON text, which costs the driver a fraction of what arrays of columns cost. */
const rowsOfAll = (rows: (change: CheckedChange, n: number) => readonly object[]) =>
  inChanges((changes) => JSON.stringify(changes.flatMap(rows)));

/** By how many records the zone grows, without the staged records. */
const growthOf = ({ difference: { removed, added } }: CheckedChange) => added.length - removed.length;

/** The part of a statement that inserts audit entries; `selected` is the select list and from clause that yield them. */
export const auditOf = (selected: Sql) => sql`audited as (
  insert into ${a} (${a.names(
    ...(["zone", "changeId", "createdAt", "actor", "apiKeyId", "actorUserId", "userId"] as const),
    ...(["address", "operation", "source"] as const),
  )}) select ${selected})`;

const givenChanges = sql`
  select * from json_to_recordset(${rowsOfAll((change, n) => [givenOf(change, n)])}::json) as (
    n int, zone text, domain bigint, was bigint, "user" bigint, metered boolean, demands text, growth int, former bigint, kind text,
    "previousSerial" bigint, serial bigint, actor text, "appliedBy" text, source text, note text, "changeSetId" bigint, undoes bigint, "returnsTo" bigint,
    at timestamptz, "byActor" text, "byKey" bigint, "byUser" bigint, address text, operation text)`;

function givenOf(change: CheckedChange, n: number) {
  const { domain, entry, created, asking } = change;
  return {
    n,
    ...{ zone: domain.zone, domain: domain.id, was: domain.serial, user: domain.userId },
    ...{ metered: domain.metered, demands: domain.demands },
    ...{ growth: growthOf(change), former: created?.formerId ?? 0, ...entry },
    ...{ byActor: asking.actor, byKey: asking.keyId, byUser: asking.actorUserId },
    ...{ address: asking.address, operation: asking.operation },
  };
}

const givenEntry = sql`kind, "previousSerial", g.serial, actor, "appliedBy", source, note, "changeSetId", undoes, "returnsTo", at, n,
  "byActor", "byKey", "byUser", g."user" as "of", address, operation`;

function updateDomains({ isStaged }: Form): Sql {
  const growth = isStaged
    ? sql`g.growth + (select count(*) filter (where not removed) - count(*) filter (where removed) from staged_difference)`
    : sql`g.growth`;
  return sql`domain_row as (
    update ${d} set ${d.names("serial")} = g.serial, ${d.names("recordCount")} = ${d.recordCount} + ${growth}
    from given g where ${d.id} = g.domain and ${d.serial} = g.was
      and ${d.userId} is not distinct from g."user" and ${d.metered} = g.metered and ${d.demands} = g.demands
    returning ${d.id}, ${d.zone}, ${d.recordCount}, ${givenEntry}
  )`;
}

/**
 * Inserts the domains whose name is free and was not deleted since it was read. A name whose deletion is still uncommitted counts as
 * taken: waiting for it would miss its last serial. A domain is not inserted when its user is now under a quota or now demands another
 * review.
 */
function insertDomains(): Sql {
  return sql`new_domain as (
    insert into ${d} (${d.names("zone", "userId", "serial", "recordCount", "createdAt", "demands")})
    select zone, "user", serial, growth, at, demands from given g
    cross join lateral (select from ${u} where ${u.id} = g."user" and not ${u.metered} and ${u.review} = g.demands for key share) unmetered
    where not exists (select from ${x} where ${x.zone} = g.zone and ${x.id} > g.former)
      and not exists (select from ${d} where ${d.zone} = g.zone)
    on conflict (${d.names("zone")}) do nothing returning ${d.id}, ${d.zone}, ${d.recordCount}
  ), domain_row as (select ${d.id}, ${d.zone}, ${d.recordCount}, ${givenEntry} from new_domain d, given g where g.zone = ${d.zone})`;
}

/**
 * The parts of the statement that end, delete, edit and insert records, as far as the changes need them. Without staged records a record
 * is found by its id; the domain is then compared by `is not distinct from`, which uses no index, since PostgreSQL would otherwise read
 * the whole zone.
 */
function partsOf({ isStaged, ends, deletes, edits, inserts, returns, moves, isSigned }: Form): Sql {
  const isOfDomain = isStaged
    ? sql`${r.domainId} = ${c.domainId}`
    : sql`${r.domainId} is not distinct from ${c.domainId}`;
  const parts: Sql[] = [];
  if (ends)
    parts.push(sql`journal as (
      insert into ${v} (${versionNames})
      select ${c.id}, ended.ordinal, ${versionColumns} from stored c, ended, ${r}
      where ended.n = c.n and ${r.id} = ended.id and ${isOfDomain}
    )`);
  if (deletes)
    parts.push(sql`deleted as (
      delete from ${r} using (select n, id from ended except select n, id from e) g, stored c
      where g.n = c.n and ${r.id} = g.id and ${isOfDomain}
    )`);
  if (edits)
    parts.push(sql`edited as (
      update ${r} set ${settingContent}, ${r.names("changeId")} = ${c.id}, ${r.names("changeOrdinal")} = e.ordinal
      from e, stored c where e.n = c.n and ${r.id} = ${e.id} and ${isOfDomain}
    )`);
  if (inserts)
    parts.push(sql`inserted as (
      insert into ${r} (${r.names("domainId", ...content, ...began)})
      select ${c.domainId}, ${e.names(...content)}, ${c.id}, e.ordinal from stored c, e
      where e.n = c.n and ${e.id} is null order by c.n, line nulls first, ordinal returning ${r.id}, ${r.changeId}
    )`);
  if (returns)
    parts.push(sql`returned as (
      insert into ${r} (${r.names("id", "domainId", ...content, ...began)})
      select ${e.id}, ${c.domainId}, ${e.names(...content)}, ${c.id}, e.ordinal from stored c, e
      where e.n = c.n and ${e.id} is not null and ${e.id} not in (select id from ended)
    )`);
  if (isSigned)
    parts.push(sql`marked as (
      insert into ${m} (${m.names("mark", "rcode", "until")})
      select mark, 0, until from stored c, json_to_recordset(${rowsOfAll(({ signed }, n) => (signed ? [{ n, ...signed }] : []))}::json)
        as g (n int, mark text, until timestamptz) where g.n = c.n
    )`);
  if (moves)
    parts.push(
      ...partsOfMoves(rowsOfAll(({ difference }, n) => difference.moves?.map((move) => ({ n, ...move })) ?? [])),
    );
  return sql.join([sql``, ...parts], sql`, `);
}

/** The ids of the inserted records of a change, in order; null for a staged change. */
function insertedIdsOf({ isStaged, inserts }: Form): Sql {
  if (isStaged || !inserts) return sql`null::json`;
  return sql`(select json_agg(${r.id} order by ${r.id}) from inserted r where ${r.changeId} = ${c.id})`;
}

export const entryNames = c.names(
  ...(["domainId", "zone", "kind", "previousSerial", "serial", "actor", "appliedBy", "source"] as const),
  ...(["note", "changeSetId", "undoes", "returnsTo", "createdAt"] as const),
);

/** The time `at`, or the time of the domain's previous change when that is later: clocks of processes differ. */
export function timeAfterLast(at: Sql, domainId: Sql<number>): Sql {
  const last = sql`(select ${p.createdAt} from ${p} where ${p.domainId} = ${domainId} order by ${p.id} desc limit 1)`;
  return sql`greatest(${at}, ${last})`;
}

/** How many records are in memory; their ordinals come before those of the staged records. */
const before = inChanges((changes) =>
  changes.reduce((sum, { difference: { removed, added } }) => sum + removed.length + added.length, 0),
);

function endedOf({ isStaged }: Form): Sql {
  const rows = rowsOfAll(({ difference }, n) => difference.removed.map(({ id }, at) => ({ n, ordinal: at + 1, id })));
  const inMemory = sql`select * from json_to_recordset(${rows}::json) as (n int, ordinal int, id bigint)`;
  if (!isStaged) return inMemory;
  return sql`${inMemory} union all select 0, ordinal + ${before}::int, id from staged_difference where removed`;
}

const hexOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString("hex");

function begunOf({ isStaged }: Form): Sql {
  const rows = rowsOfAll(({ difference: { removed, added } }, n) =>
    added.map(asStored).map(({ id, owner, type, ttl, rdata, wire, digest }, at) => ({
      ...{ n, ordinal: removed.length + at + 1, id, owner, type, ttl, rdata },
      ...{ wire: hexOf(wire), digest },
    })),
  );
  const inMemory = sql`
    select n, ordinal, null::int as line, id, owner, type, ttl, rdata, decode(wire, 'hex') as wire, decode(digest, 'hex') as digest
    from json_to_recordset(${rows}::json)
      as (n int, ordinal int, id bigint, owner text, type text, ttl int, rdata text, wire text, digest text)`;
  if (!isStaged) return inMemory;
  return sql`${inMemory} union all
    select 0, ordinal + ${before}::int, line, ${e.names("id", ...content)} from staged_difference where not removed`;
}
