/**
 * What a session carries for the audit (room audit): the operation that it is for, and where a refused one is noted.
 */
import type { Session } from "./session.ts";

/** Who asks, from where and for what. */
export interface Asking {
  /** The actor's name; null of a wrong key. */
  readonly actor: string | null;
  readonly keyId: number | null;
  readonly actorUserId: number | null;
  readonly address: string | null;
  readonly operation: string;
}

/** An entry of the audit that is about to be written. */
export interface AuditNote extends Asking {
  readonly at: Date;
  readonly door: string;
  readonly zone: string | null;
  readonly subjectId: number | null;
  /** The user whose things it is about; null for the user of the zone, or of the key where that is none. */
  readonly userId: number | null;
  readonly code: string | null;
  readonly field: string | null;
  readonly times: number;
}

/** What is done in a session, as the audit names it. */
export interface Operation {
  /** The name of a mutation, such as `createRecord`. */
  readonly name: string;
  /** Notes it in the session of a transaction that is about to be committed with this result. */
  readonly noteIn: (inner: Session, result: unknown) => Promise<void>;
}

/** Takes what was refused. */
export interface RefusalNotes {
  add(refused: AuditNote): void;
}
