/**
 * The session of an operation: the database, the actor, the interface it came through, the policy and the clock.
 */
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import type { Actor } from "./authorization.ts";
import type { Policy } from "./operator-policy.ts";

/** The interface a request came through; a change records it. */
export type Door = "graphql" | "rest" | "console" | "update" | "import" | "system";

/** Everything one operation needs. `em` is its own fork; `now` is the clock, UTC. */
export interface Session {
  readonly em: EntityManager;
  readonly actor: Actor;
  readonly door: Door;
  /** Why the changes of this operation are made, as the actor wrote it for the journal. */
  readonly note?: string | null | undefined;
  readonly policy: Policy;
  /**
   * The TTLs that this interface accepts, seconds, besides the one an RRset already has; undefined means any in the
   * policy's bounds.
   */
  readonly ttlChoices?: readonly number[] | undefined;
  readonly now: () => Date;
}

/** The UTC day of a session as YYYYMMDD, for serials. */
export function today(session: Session): string {
  return session.now().toISOString().slice(0, 10).replaceAll("-", "");
}

/** The SQL connection of a session: its transaction's if it is in one, otherwise one of the pool. */
export function connection(session: Pick<Session, "em">): Connection {
  return session.em.getKysely() as unknown as Connection;
}

/** Where SQL runs; rows are typed by each query. */
export type Connection = Kysely<unknown>;
