/**
 * What is noted in the audit (room audit), by whichever room notes it.
 */

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
  readonly source: string;
  readonly zone: string | null;
  readonly subjectId: number | null;
  /** The user whose things it is about; null for the user of the zone, or of the key where there is no zone. */
  readonly userId: number | null;
  readonly code: string | null;
  readonly field: string | null;
  readonly count: number;
}

/** Takes what was refused. */
export interface RefusalNotes {
  add(refused: AuditNote): void;
}
