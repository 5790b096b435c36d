/**
 * The terms of the publisher, and its observations of secondaries. Each write names its term, and locks its row for share until the commit;
 * the beginning of a term updates that row, so that no write of an old term follows one of a newer term.
 *
 * A backup that is restored while the service runs may bring back a term or its number. A restore creates the tables again, so a term is
 * identified by its table, too. Limitation: a restore of data alone, into the existing tables, is not noticed while the service runs.
 */

import { Refusal } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { DeletedDomain } from "../zone/change.ts";
import { PublisherTerm, Secondary, Sighting } from "./secondary.ts";
import { deletionRetention, type Target } from "./sighting.ts";
import { TransferredZone } from "./transferred-zone.ts";

const s = table(Secondary, "s");
const g = table(Sighting, "g");
const t = table(TransferredZone, "t");
const x = table(DeletedDomain, "x");
const lastTerm = table(PublisherTerm);

/** Its number, and the object identifier of its table. */
export interface Term {
  readonly number: number;
  readonly table: string;
}

/** Writes of earlier terms are refused from now on. */
export async function beginTerm(session: Session): Promise<Term> {
  const update = sql<Term>`
    update ${lastTerm} set ${lastTerm.names("term")} = ${lastTerm.term} + 1 where ${lastTerm.id} = 1
    returning ${lastTerm.term} as number, tableoid::text as table`;
  return (await update.run(session))[0] as Term;
}

/** The row of the last term is this one. */
const isTerm = ({ number, table }: Term) =>
  sql`${lastTerm.id} = 1 and ${lastTerm.term} = ${number} and ${lastTerm}.tableoid = ${table}::oid`;

export async function isCurrentTerm(session: Session, term: Term): Promise<boolean> {
  const query = sql`select from ${lastTerm} where ${isTerm(term)}`;
  return (await query.run(session)).length > 0;
}

/** The longest time between two statements of a leader's transaction, as during the check of a large zone, ms. */
const busyMs = 60_000;

/** PostgreSQL ends a transaction that holds the row of the term after this time, as when the process is suspended. */
const commitWithin = "10s";

/**
 * A session whose transactions commit only during this term. After the term, each calls `onSuperseded` and throws UNAVAILABLE. No
 * transaction waits for a client.
 */
export function sessionOfTerm(session: Session, term: Term, onSuperseded: () => void): Session {
  const hold = sql`
    select set_config('idle_in_transaction_session_timeout', ${commitWithin}, true) from ${lastTerm} where ${isTerm(term)} for share`;
  const fence = async (inner: Session) => {
    if ((await hold.run(inner)).length > 0) return;
    onSuperseded();
    throw new Refusal("UNAVAILABLE", "Another instance leads now; it goes on.", { details: { retryAfter: 2 } });
  };
  return { idleLimitMs: busyMs, ...session, fence };
}

/**
 * An observation to write. After an inconclusive probe `seenAt` is null and the stored values stay. A `provenSerial` of null also leaves
 * the stored one, unless the zone is refused.
 */
export interface Observation
  extends Required<Pick<Sighting, Exclude<keyof typeof observationTypes, "heldSince" | "secondaryId">>> {
  readonly secondaryId: number;
  readonly isHeld: boolean;
}

export function notYetObserved(secondaryId: number, { domainId, zone }: Target): Observation {
  const nothing = { serial: null, provenSerial: null, seenAt: null, lastError: null };
  return { secondaryId, domainId, zone, ...nothing, isUnproven: false, isHeld: false, isRefused: false };
}

/** The last exchange with a secondary. The stored values of fields that are left out stay. */
export interface Contact extends Partial<Pick<Secondary, keyof typeof contactTypes>> {
  readonly secondaryId: number;
}

/** The alias o is for rows to be written; `excluded` is for sightings that conflict. */
const o = table(Sighting, "o");
const contact = table(Secondary, "o");
const excluded = table(Sighting, "excluded");

const observationTypes = {
  secondaryId: sql`bigint[]`,
  domainId: sql`bigint[]`,
  zone: sql`text[]`,
  serial: sql`bigint[]`,
  provenSerial: sql`bigint[]`,
  isUnproven: sql`boolean[]`,
  heldSince: sql`timestamptz[]`,
  isRefused: sql`boolean[]`,
  seenAt: sql`timestamptz[]`,
  lastError: sql`text[]`,
} as const;
const contactTypes = {
  notifiedAt: sql`timestamptz[]`,
  notifyAnswer: sql`text[]`,
  queriedAt: sql`timestamptz[]`,
  queryAnswer: sql`text[]`,
  queryZone: sql`text[]`,
  tsigErrorAt: sql`timestamptz[]`,
  tsigError: sql`text[]`,
  doubtedTerm: sql`bigint[]`,
} as const;

const namesOf = <Types extends object>(types: Types) => Object.keys(types) as (keyof Types & string)[];
const observationColumns = namesOf(observationTypes);
const contactColumns = namesOf(contactTypes);

/** An inconclusive probe keeps the stored values; a serial that is observed again keeps the time of its first sighting. */
const settingObservation = sql.join([
  ...(["serial", "isUnproven", "isRefused", "term"] as const).map((name) => unlessInconclusive(name, excluded[name])),
  unlessInconclusive(
    "provenSerial",
    sql`case when ${excluded.isRefused} then null else coalesce(${excluded.provenSerial}, ${g.provenSerial}) end`,
  ),
  unlessInconclusive(
    "heldSince",
    sql`case when ${excluded.heldSince} is null then null else coalesce(${g.heldSince}, ${excluded.heldSince}) end`,
  ),
  unlessInconclusive(
    "serialAt",
    sql`case when ${g.serial} = ${excluded.serial} then ${g.serialAt} else ${excluded.serialAt} end`,
  ),
  sql`${g.names("seenAt")} = coalesce(${excluded.seenAt}, ${g.seenAt}), ${g.names("lastError")} = ${excluded.lastError}`,
]);

function unlessInconclusive(
  name: "serial" | "serialAt" | "provenSerial" | "isUnproven" | "heldSince" | "isRefused" | "term",
  value: unknown,
): Sql {
  return sql`${g.names(name)} = case when ${excluded.seenAt} is null then ${g[name]} else ${value} end`;
}

const settingContact = sql.join(
  contactColumns.map((name) => sql`${s.names(name)} = coalesce(${contact[name]}, ${s[name]})`),
);

/** Writes all in one statement. Returns false, and writes nothing, when a newer term has begun. */
export async function storeSightings(
  session: Session,
  term: Term,
  observations: readonly Observation[],
  contacts: readonly Contact[],
): Promise<boolean> {
  const observed = observations.map((row) => ({ ...row, heldSince: row.isHeld ? row.seenAt : null }));
  const write = sql<{ isCurrent: boolean }>`
    with current_term as materialized (
      select ${lastTerm.term} as term from ${lastTerm} where ${isTerm(term)} for share
    ), sightings as (
      insert into ${g} (${g.names(...observationColumns, "serialAt", "term")})
      select ${o.columns(...observationColumns)}, case when ${o.serial} is not null then ${o.seenAt} end, current_term.term
      from current_term, unnest(${arraysOf(observed, observationTypes)}) as o(${o.names(...observationColumns)})
      join ${s} on ${s.id} = ${o.secondaryId}
      on conflict (${g.names("secondaryId", "domainId")}) do update set ${settingObservation}
      where ${g.term} <= ${excluded.term}
    ), contacts as (
      update ${s} set ${settingContact}
      from current_term,
        unnest(${contacts.map(({ secondaryId }) => secondaryId)}::bigint[], ${arraysOf(contacts, contactTypes)})
        as o(${contact.names("id", ...contactColumns)})
      where ${s.id} = ${contact.id}
    )
    select exists (select from current_term) as "isCurrent"`;
  return (await write.run(session))[0]?.isCurrent ?? false;
}

function arraysOf<Types extends Readonly<Record<string, Sql>>>(
  rows: readonly Partial<Record<keyof Types, unknown>>[],
  types: Types,
): Sql {
  return sql.join(namesOf(types).map((name) => sql`${rows.map((row) => row[name] ?? null)}::${types[name]}`));
}

/** Deletes the transfers of domains that were deleted more than a day ago, and their sightings at secondaries that refuse them. */
export async function forgetDeleted(session: Session): Promise<void> {
  const isOld = sql`${x.deletedAt} < ${session.now()}::timestamptz - ${deletionRetention}`;
  await transaction(session, async (inner) => {
    await sql`delete from ${g} using ${x} where ${x.id} = ${g.domainId} and ${g.isRefused} and ${isOld}`.run(inner);
    await sql`delete from ${t} using ${x} where ${x.id} = ${t.domainId} and ${isOld}`.run(inner);
  });
}

/** Deletes the sightings of deleted domains whose history is removed. */
export async function forgetSightings(session: Session, domainIds: readonly number[]): Promise<void> {
  await sql`delete from ${g} where ${g.domainId} = any(${domainIds})`.run(session);
}
