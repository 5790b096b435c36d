/**
 * Authorization, for every front. What an actor may not see does not exist for it (NOT_FOUND); what it sees but may not do is FORBIDDEN.
 */

import { noSuch, Refusal } from "../errors.ts";
import { type Sql, sql } from "../sql/sql.ts";

export interface Actor {
  readonly role: "administrator" | "user" | "system";
  readonly userId: number | null;
  readonly readOnly: boolean;
  /** Whether the actor may change zones that demand review without one. */
  readonly exemptFromReview?: boolean;
  readonly keyId?: number;
  /** The zones that a user's key is limited to; undefined for all zones of the user. */
  readonly zones?: readonly string[];
  /** When the browser's sign-in ends; undefined for a request with a key. */
  readonly signedInUntil?: Date;
  /** The name in the journal and the log; never a secret. */
  readonly name: string;
}

/** The flow by which turns and limits of work in progress are counted: the user, with all keys and sign-ins, or else the key. */
export const flowOf = ({ userId, name }: Actor): string => (userId === null ? name : `user ${userId}`);

/** The service itself: first start, command line, publisher. It alone sees the catalog zone, which belongs to no user. */
export const system: Actor = { role: "system", userId: null, readOnly: false, name: "system" };

/** Throws FORBIDDEN for a read-only key; every write calls it first. */
export function mayWrite(actor: Actor): void {
  if (actor.readOnly) throw new Refusal("FORBIDDEN", "This key may only read; use a key that may write.");
}

/** Throws FORBIDDEN for everyone but an administrator with a key that may write. */
export function mayAdminister(actor: Actor): void {
  if (actor.role === "user") {
    throw new Refusal("FORBIDDEN", "Only an administrator's key may do this; ask the operator of the service.");
  }
  mayWrite(actor);
}

/** Throws NOT_FOUND for a user's key that acts for another user, whom it cannot see. */
export function mayActFor(actor: Actor, userId: number, field: string): void {
  mayWrite(actor);
  if (actor.role === "user" && actor.userId !== userId) throw noSuch("user", userId, field);
}

/** The SQL condition that the actor sees a row of the user in `column`; null is a row of no user. */
export function sees(actor: Actor, column: Sql): Sql<boolean> {
  if (actor.role === "system") return sql<boolean>`true`;
  return actor.role === "administrator"
    ? sql<boolean>`${column} is not null`
    : sql<boolean>`${column} = ${actor.userId}`;
}

/** The SQL condition that the actor sees a row of the zone whose user and name are in these columns. */
export function seesZone(actor: Actor, user: Sql, zone: Sql): Sql<boolean> {
  return actor.zones ? sql<boolean>`${sees(actor, user)} and ${zone} = any(${actor.zones})` : sees(actor, user);
}

/** Whether the actor sees a zone of this user; null is no user. */
export function seesZoneOf(actor: Actor, userId: number | null, zone: string): boolean {
  if (actor.role === "system") return true;
  const isOfUser = userId !== null && (actor.role === "administrator" || actor.userId === userId);
  return isOfUser && (actor.zones?.includes(zone) ?? true);
}

export function mayReachZone({ zones }: Actor, zone: string, field = "zone"): void {
  if (!zones || zones.includes(zone)) return;
  const message = `This key is limited to ${zones.join(", ")}; use a key without that limit.`;
  throw new Refusal("FORBIDDEN", message, { field });
}

/** The SQL condition that the actor sees a row of a user. Rows of no user are visible to administrators alone. */
export function seesOwn(actor: Actor, user: Sql): Sql<boolean> {
  return actor.role === "user" ? sees(actor, user) : sql<boolean>`true`;
}
