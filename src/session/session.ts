/** The session of an operation: database, actor, interface, policy and clock. */
import type { SingleCarrier } from "../sql/single-statement.ts";
import type { RefusalNotes } from "./audit-note.ts";
import type { Actor } from "./authorization.ts";
import type { Policy } from "./operator-policy.ts";

export type Source = "graphql" | "rest" | "console" | "update" | "import" | "system";

export interface Operation {
  readonly name: string;
  /** Notes the operation in a transaction that is about to be committed with this result. */
  readonly noteIn: (inner: Session, result: unknown) => Promise<void>;
}

/** Marks a signed message: copies of it have the same mark. Their signature is not accepted after `until`. */
export interface SignedMark {
  readonly mark: string;
  readonly until: Date;
}

/** Everything that one operation needs. `em` is a fork of its own; `now` returns UTC. */
export interface Session extends SingleCarrier {
  readonly actor: Actor;
  readonly source: Source;
  readonly note?: string | null | undefined;
  /** The change set that is being applied; the changes are by its author. */
  readonly changeSet?: { readonly id: number; readonly author: string } | undefined;
  /** The client's address, as limits of requests see it; undefined for the service itself. */
  readonly address?: string | undefined;
  /** Of a dynamic update: its change is stored once, whoever sends copies. */
  readonly signed?: SignedMark | undefined;
  /** For the audit; undefined when the source says enough there. */
  readonly operation?: Operation | undefined;
  readonly refusals?: RefusalNotes | undefined;
  readonly policy: Policy;
  /** The TTLs that this interface accepts, seconds, besides the present TTL of the RRset; undefined for any TTL in the policy's bounds. */
  readonly ttlChoices?: readonly number[] | undefined;
  readonly now: () => Date;
  readonly onChange?: ((change: { readonly source: string; readonly kind: string }) => void) | undefined;
  /** Called once the session's transaction is committed; undefined outside of one. */
  readonly afterCommit?: (() => void)[] | undefined;
  /** Work to do before the session's transaction is committed; undefined outside of one. */
  readonly beforeCommit?: Settlements | undefined;
  /** The number of zone changes that the session's transaction has stored; undefined outside of one. */
  readonly storedChanges?: { count: number } | undefined;
  /**
   * The longest pause between two statements of a transaction, ms. After that, for example when the process is suspended, PostgreSQL ends
   * the transaction and frees its locks. Undefined is no limit, for transactions that may wait for a client.
   */
  readonly idleLimitMs?: number | undefined;
  /** Called before each commit; throws when the transaction must not be committed. */
  readonly fence?: ((inner: Session) => Promise<void>) | undefined;
}

/** Functions that run once before a commit, each with the items that were left to it during the transaction. */
export type Settlements = Map<(session: Session, items: readonly never[]) => Promise<void>, unknown[]>;

/** The UTC day as YYYYMMDD, for serials. */
export function today(session: Session): string {
  return session.now().toISOString().slice(0, 10).replaceAll("-", "");
}
