/**
 * What a run counts.
 */

/** The interfaces that writers use. */
export const doors = ["rest", "graphql", "update"] as const;
export type Door = (typeof doors)[number];

/** Counts of requests in a cycle. */
export class Tally {
  readonly acknowledged: Record<Door, number> = { rest: 0, graphql: 0, update: 0 };
  /** Of those by GraphQL, how many there were of each mutation. */
  readonly mutations = new Map<string, number>();
  /** Answers of 503 and SERVFAIL. */
  unavailable = 0;
  /** Answers of 503 without Retry-After, and UNAVAILABLE without `retryAfter`. */
  withoutRetryAfter = 0;
  /** Answers that were lost with their connection, and UDP requests without an answer. */
  unanswered = 0;
  /** Answers of 500, each with what it said. */
  readonly internal: string[] = [];
  /** Requests that did not end. */
  readonly stuck: string[] = [];
  /** Answers that refuse what is not to be refused. */
  readonly refused: string[] = [];

  get writes(): number {
    return doors.reduce((sum, door) => sum + this.acknowledged[door], 0);
  }
}
