/**
 * Who owns which zone: domains are created, transferred and deleted here, and users deleted together with what they own.
 */
import { type RawBuilder, sql } from "kysely";
import { forgetKeys } from "../../account/api-key.ts";
import { Refusal } from "../../errors.ts";
import { mayActFor, mayAdminister, mayWrite } from "../../session/authorization.ts";
import { connection, type Session } from "../../session/session.ts";
import { isBelow } from "../../sql/names-below.ts";
import type { ChangeRow } from "../change.ts";
import { type DomainRow, domainByZone, noSuchZone, readZone } from "../domain.ts";
import { changeZone } from "./change-zone.ts";
import { defaultRecords } from "./default-records.ts";
import { closeZone } from "./finish-change.ts";
import { ancestors } from "./rules.ts";
import { lockDomain } from "./stored-zone.ts";

/** A session whose entity manager is inside a transaction. */
type InTransaction = Session;

function transaction<T>(session: Session, run: (inner: InTransaction) => Promise<T>): Promise<T> {
  return session.em.transactional((em) => run({ ...session, em }));
}

/** What the creation of a domain comes to. */
export interface Created {
  readonly domain: DomainRow;
  readonly change: ChangeRow;
  readonly warnings: readonly string[];
}

/** Creates a domain with its default records; the first serial lies above the last one ever used under the name. */
export async function createDomain(session: Session, userId: number, zone: string): Promise<Created> {
  const name = readZone(zone);
  mayActFor(session.actor, userId, "userId");
  return transaction(session, async (inner) => {
    await insertDomain(inner, userId, name);
    const { change, warnings } = await changeZone(inner, name, { add: defaultRecords(name, session.policy) });
    return { change: change as ChangeRow, warnings, domain: await domainByZone(inner, name) };
  });
}

/** Inserts a domain without records or serial; the caller adds its records by a change in the same transaction. */
export async function insertDomain(session: InTransaction, userId: number, name: string): Promise<void> {
  mayActFor(session.actor, userId, "userId");
  if (!name.includes(".") && !session.policy.topLevelZones) {
    throw new Refusal("INVALID_NAME", `zone: ${name} has one label; write a name such as ${name}.example.`, {
      field: "zone",
    });
  }
  await holdUser(session, userId);
  if (session.actor.role === "user") await refuseNeighbours(session, userId, name);
  if (!(await insertDomainRow(session, name, userId))) throw duplicateZone(name);
}

/** Inserts the row of a domain at serial 0, which its first change raises; returns false when the zone exists. The catalog has no user. */
export async function insertDomainRow(session: InTransaction, zone: string, userId: number | null): Promise<boolean> {
  const insert = sql`insert into domain (zone, user_id, serial, created_at) values (${zone}, ${userId}, 0, ${session.now()})
    on conflict (zone) do nothing returning id`;
  return (await insert.execute(connection(session))).rows.length > 0;
}

/** Keeps a user from being deleted until the transaction ends; NOT_FOUND when there is none. */
async function holdUser(session: InTransaction, id: number, field = "userId"): Promise<void> {
  const held = await sql`select id from "user" where id = ${id} for key share`.execute(connection(session));
  if (held.rows.length === 0) throw new Refusal("NOT_FOUND", `There is no user ${id}.`, { field });
}

function duplicateZone(zone: string): Refusal {
  return new Refusal("DUPLICATE_ZONE", `The zone ${zone} exists already; choose another name, or ask its owner.`, {
    field: "zone",
  });
}

/** Refuses a zone above or below another user's. Creations under the same two labels wait for each other, so that none slips by. */
async function refuseNeighbours(session: Session, userId: number, zone: string): Promise<void> {
  const db = connection(session);
  await sql`select pg_advisory_xact_lock(hashtextextended(${zone.split(".").slice(-2).join(".")}, 0))`.execute(db);
  const above = ancestors(zone).slice(0, -1);
  const query = sql<{ zone: string }>`
    select zone from domain where user_id <> ${userId}
    and (zone = any(${above}) or ${isBelow(sql`zone`, zone)}) limit 1`;
  if ((await query.execute(db)).rows.length === 0) return;
  const message = `A zone above or below ${zone} belongs to another user; ask the operator of the service to create this one.`;
  throw new Refusal("ZONE_CONFLICT", message, { field: "zone" });
}

/** Deletes a domain with all its records in one transaction; the journal keeps them, and the last serial stays with the name. */
export async function deleteDomain(session: Session, zone: string): Promise<ChangeRow> {
  mayWrite(session.actor);
  const name = readZone(zone);
  return transaction(session, async (inner) => {
    const domain = await lockDomain(connection(inner), session.actor, name);
    if (!domain) throw noSuchZone(name);
    return closeZone(inner, domain);
  });
}

/** Moves a domain, and with it all access, to another user at once. */
export async function transferDomain(session: Session, zone: string, userId: number): Promise<DomainRow> {
  mayAdminister(session.actor);
  const name = readZone(zone);
  return transaction(session, async (inner) => {
    await holdUser(inner, userId);
    const moved = await sql`update domain set user_id = ${userId} where zone = ${name} returning id`.execute(
      connection(inner),
    );
    if (moved.rows.length === 0) throw noSuchZone(name);
    return domainByZone(inner, name);
  });
}

/** What becomes of a deleted user's domains: nothing is deleted, they are deleted too, or they go to another user. */
export type DomainsOfDeletedUser =
  | { readonly fate: "REFUSE" }
  | { readonly fate: "DELETE" }
  | { readonly fate: "TRANSFER"; readonly to: number };

/** Deletes a user; USER_HAS_DOMAINS unless it was said what becomes of them. All or nothing. */
export async function deleteUser(session: Session, id: number, domains: DomainsOfDeletedUser): Promise<void> {
  mayAdminister(session.actor);
  await transaction(session, async (inner) => {
    const db = connection(inner);
    const locked = await sql`select id from "user" where id = ${id} for update`.execute(db);
    if (locked.rows.length === 0) throw new Refusal("NOT_FOUND", `There is no user ${id}.`, { field: "id" });
    if (domains.fate === "TRANSFER") await giveAway(inner, id, domains.to);
    const zones = await zonesOf(inner, sql`d.user_id = ${id}`);
    if (zones.length > 0 && domains.fate === "REFUSE") throw userHasDomains(id, zones.length);
    for (const zone of zones) {
      const domain = await lockDomain(db, session.actor, zone);
      if (domain) await closeZone(inner, domain);
    }
    await sql`delete from "user" where id = ${id}`.execute(db);
  });
  forgetKeys(session.em);
}

async function giveAway(session: InTransaction, from: number, to: number): Promise<void> {
  if (to === from)
    throw new Refusal("INVALID_VALUE", "transferTo is the deleted user; name another one.", { field: "transferTo" });
  await holdUser(session, to, "transferTo");
  await sql`update domain set user_id = ${to} where user_id = ${from}`.execute(connection(session));
}

async function zonesOf(session: InTransaction, condition: RawBuilder<unknown>): Promise<string[]> {
  const query = sql<{ zone: string }>`select d.zone from domain d where ${condition} order by d.zone`;
  return (await query.execute(connection(session))).rows.map(({ zone }) => zone);
}

function userHasDomains(id: number, count: number): Refusal {
  const message = `User ${id} still owns ${count} domain${count === 1 ? "" : "s"}; delete or transfer them, or say what becomes of them.`;
  return new Refusal("USER_HAS_DOMAINS", message, { field: "id" });
}
