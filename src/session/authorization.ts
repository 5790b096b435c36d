/**
 * Who may do what: the one place that decides, below every front. What a key may not see does not exist for it (404);
 * what it sees and may not do is FORBIDDEN (403).
 */
import { type Expression, type RawBuilder, sql } from "kysely";
import { Refusal } from "../errors.ts";

/** Who asks: the administrator, one user through one of that user's keys, or the service itself. */
export interface Actor {
  readonly role: "administrator" | "user" | "system";
  /** The user a user's key belongs to; null for the others. */
  readonly userId: number | null;
  readonly readOnly: boolean;
  /** How the journal and the log name the actor; never a secret. */
  readonly name: string;
}

/** The service itself: first start, command line, publisher. It alone sees the catalog, which has no owner. */
export const system: Actor = { role: "system", userId: null, readOnly: false, name: "system" };

/** Refuses a read-only key. Every write asks this first. */
export function mayWrite(actor: Actor): void {
  if (actor.readOnly) throw new Refusal("FORBIDDEN", "This key may only read; use a key that may write.");
}

/** Refuses everyone but a writing administrator: users, keys and transfers are the administrator's. */
export function mayAdminister(actor: Actor): void {
  if (actor.role === "user") {
    throw new Refusal("FORBIDDEN", "Only an administrator's key may do this; ask the operator of the service.");
  }
  mayWrite(actor);
}

/** Refuses a user's key that acts for another user, who does not exist for it. */
export function mayActFor(actor: Actor, userId: number, field: string): void {
  mayWrite(actor);
  if (actor.role === "user" && actor.userId !== userId)
    throw new Refusal("NOT_FOUND", `There is no user ${userId}.`, { field });
}

/** The SQL condition under which the actor sees what belongs to the user whose id stands in `column`. */
export function sees(actor: Actor, column: Expression<unknown>): RawBuilder<boolean> {
  if (actor.role === "system") return sql<boolean>`true`;
  return actor.role === "administrator"
    ? sql<boolean>`${column} is not null`
    : sql<boolean>`${column} = ${actor.userId}`;
}

/** The same of a row that was read, which belongs to this user. */
export function seesRow({ role, userId }: Actor, owner: number | null): boolean {
  return role === "system" || (role === "administrator" ? owner !== null : owner !== null && owner === userId);
}

/** The same for API keys, of which the administrator's own belong to nobody. */
export function seesKey(actor: Actor, column: Expression<unknown>): RawBuilder<boolean> {
  return actor.role === "user" ? sees(actor, column) : sql<boolean>`true`;
}
