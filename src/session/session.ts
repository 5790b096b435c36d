/**
 * The session of an operation: the database, the actor, the interface it came through, the policy and the clock.
 */
import type { SingleCarrier } from "../sql/single-statement.ts";
import type { RefusalNotes } from "./audit-note.ts";
import type { Actor } from "./authorization.ts";
import type { Policy } from "./operator-policy.ts";

/** The interface a request came through; a change records it. */
export type Source = "graphql" | "rest" | "console" | "update" | "import" | "system";

/** What is done in a session, as the audit names it. */
export interface Operation {
  /** The name of a mutation, such as `createRecord`. */
  readonly name: string;
  /** Notes it in the session of a transaction that is about to be committed with this result. */
  readonly noteIn: (inner: Session, result: unknown) => Promise<void>;
}

/** Everything one operation needs. `em` is its own fork; `now` is the clock, UTC. */
export interface Session extends SingleCarrier {
  readonly actor: Actor;
  readonly source: Source;
  /** Why the changes of this operation are made, as the actor wrote it for the journal. */
  readonly note?: string | null | undefined;
  /** The change set that is being applied, whose author the changes are by; undefined outside of one. */
  readonly changeSet?: { readonly id: number; readonly author: string } | undefined;
  /** The address that the client has, as limits of requests see it; undefined of the service itself. */
  readonly address?: string | undefined;
  /** What is being done, for the audit; undefined of what has no other name there than its source. */
  readonly operation?: Operation | undefined;
  /** Where refusals are noted for the audit. */
  readonly refusals?: RefusalNotes | undefined;
  readonly policy: Policy;
  /**
   * The TTLs that this interface accepts, seconds, besides the one an RRset already has; undefined means any in the
   * policy's bounds.
   */
  readonly ttlChoices?: readonly number[] | undefined;
  readonly now: () => Date;
  /** Called for each change of a zone that is committed. */
  readonly onChange?: ((change: { readonly source: string; readonly kind: string }) => void) | undefined;
  /** What is called once the transaction of the session is committed; undefined outside of one. */
  readonly afterCommit?: (() => void)[] | undefined;
  /** What is left to be done before the transaction of the session is committed; undefined outside of one. */
  readonly beforeCommit?: Settlements | undefined;
  /** How many changes of zones the transaction of the session has stored; undefined outside of one. */
  readonly storedChanges?: { count: number } | undefined;
  /**
   * The longest pause between two statements of a transaction, ms; then PostgreSQL ends it and frees its locks, as when the process is
   * suspended. Undefined: no limit, as where a transaction may wait for a client.
   */
  readonly idleLimitMs?: number | undefined;
  /** Called before each commit; throws when the transaction must not be committed. */
  readonly fence?: ((inner: Session) => Promise<void>) | undefined;
}

/** What settles, in one go, what was left to it in the course of a transaction, and what was left to each. */
export type Settlements = Map<(session: Session, items: readonly never[]) => Promise<void>, unknown[]>;

/** The UTC day of a session as YYYYMMDD, for serials. */
export function today(session: Session): string {
  return session.now().toISOString().slice(0, 10).replaceAll("-", "");
}
