/**
 * What every operation of this room is given: the database, who asks, through which door, and the operator's policy.
 */
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import type { Actor } from "./authorization.ts";
import type { Policy } from "./policy.ts";

/** The way a request came in; the journal keeps it. */
export type Door = "graphql" | "rest" | "update" | "import" | "system";

/** One request's view of the house. `em` is its own fork; `now` is the clock, UTC. */
export interface Session {
  readonly em: EntityManager;
  readonly actor: Actor;
  readonly door: Door;
  readonly policy: Policy;
  /** The TTLs this door offers, seconds, besides the one an RRset has already; undefined: any that the policy allows. */
  readonly ttlChoices?: readonly number[] | undefined;
  readonly now: () => Date;
}

/** The UTC day of a session as YYYYMMDD, which serials are made of. */
export function today(session: Session): string {
  return session.now().toISOString().slice(0, 10).replaceAll("-", "");
}

/** The SQL connection of a session: its transaction's when it is in one, otherwise any of the pool. */
export function connection(session: Pick<Session, "em">): Connection {
  return session.em.getKysely() as unknown as Connection;
}

/** Where SQL runs; rows are typed by each query. */
export type Connection = Kysely<unknown>;
