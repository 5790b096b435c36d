/** Audit entries that any room may note; the room `audit` stores them. */

export interface Asking {
  /** The actor's name; null for a wrong key. */
  readonly actor: string | null;
  readonly keyId: number | null;
  readonly actorUserId: number | null;
  readonly address: string | null;
  readonly operation: string;
}

export interface AuditNote extends Asking {
  readonly at: Date;
  readonly source: string;
  readonly zone: string | null;
  readonly subjectId: number | null;
  /** The user that the entry is about; null for the user of the zone, or without a zone the user of the key. */
  readonly userId: number | null;
  readonly code: string | null;
  readonly field: string | null;
  readonly count: number;
}

export interface RefusalNotes {
  add(refused: AuditNote): void;
}
