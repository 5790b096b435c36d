/**
 * How far a secondary is, as the publisher that leads knows it without asking the database.
 */

/**
 * Whether an answer to an SOA query, as it is stored, says what the secondary has: a serial, or that it does not have the zone. Any other says
 * that something is wrong.
 */
export const saysWhatItHas = (answer: string) => /^(?:\d+|no such zone|REFUSED|NXDOMAIN|NOTAUTH)$/.test(answer);

/** Zones that a secondary does not serve as they are committed, `late` for too long, and for how long the first of them, ms. */
export interface SecondaryState {
  readonly name: string;
  /** Whether it left several requests in a row unanswered. */
  readonly isSilent: boolean;
  /** Whether it has not had all zones yet since it was registered; none is late then. */
  readonly isJoining: boolean;
  readonly pending: number;
  readonly late: number;
  readonly lagMs: number;
}
