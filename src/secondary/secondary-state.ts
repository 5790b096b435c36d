/**
 * How far a secondary is, as the publisher that leads knows it without asking the database.
 */

/** Zones that a secondary does not serve as they are committed, `late` for too long, and for how long the first of them, ms. */
export interface SecondaryState {
  readonly name: string;
  /** Whether it left several requests in a row unanswered. */
  readonly isSilent: boolean;
  readonly pending: number;
  readonly late: number;
  readonly lagMs: number;
}
