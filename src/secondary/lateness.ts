/**
 * When a zone is late at a secondary: the one rule of the states of zones and changes (publication.ts), and of the publisher's metrics and log.
 * What a secondary does not serve is late when it was committed, and the secondary had joined, longer ago than PUBLICATION_LATE_SECONDS;
 * whether it is required or not. At one that is joining nothing is.
 */

import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Secondary } from "./secondary.ts";

const s = table(Secondary, "s");

/** The time limit of LATE: what was committed before it, at a secondary that joined before it, is late. */
export function lateLimit({ policy, now }: Pick<Session, "policy" | "now">): Date {
  return new Date(now().getTime() - policy.publicationLateSeconds * 1000);
}

/** The SQL condition that what was committed at this time is late at secondary s, which does not serve it. */
export function isLateAt(committedAt: Sql, limit: Date): Sql<boolean> {
  return sql<boolean>`(${s.joinedAt} <= ${limit}::timestamptz and ${committedAt} <= ${limit}::timestamptz)`;
}

/** The same rule in memory. Times are ms since 1970; `joinedAt` is undefined while the secondary is joining. */
export function isLate(committedAt: number, joinedAt: number | undefined, limit: number): boolean {
  return joinedAt !== undefined && joinedAt <= limit && committedAt <= limit;
}
