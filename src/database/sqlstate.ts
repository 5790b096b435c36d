/**
 * The failures of the database that the client did not cause: a table from SQLSTATE (PostgreSQL, appendix A), socket errors and errors of
 * node-postgres to refusals. All are UNAVAILABLE: 503 over HTTP, SERVFAIL to a dynamic update. `docs/errors.md` is generated from it.
 */

export interface DatabaseFailure {
  /** SQLSTATEs, classes of SQLSTATEs by two characters, and codes of socket errors. */
  readonly codes: readonly string[];
  /** Matches messages of errors without a code (node-postgres, Kysely), and of PostgreSQL errors whose code is too general. */
  readonly messages?: RegExp;
  readonly reason: string;
  readonly retryAfter: number;
  /** Whether the transaction runs again before the request is refused. */
  readonly isRepeated?: true;
  /** Whether the connection is no longer usable, or its server should no longer be used. */
  readonly endsConnection?: true;
}

/** "Transaction resolution unknown" of PostgreSQL: the statement may have been committed. */
export const unknownOutcome = "08007";

export const lockTimeout = "55P03";

export const isCancelled = (error: unknown): boolean => (error as { readonly code?: unknown } | null)?.code === "57014";

/** A code takes precedence over a class, and both over a message. */
export const databaseFailures: readonly DatabaseFailure[] = [
  {
    codes: [
      ...["08", "57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "28", "3D000"],
      ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOENT"],
      ...["EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"],
    ],
    messages: /^Connection terminated|is not queryable$|^Query read timeout$|^timeout expired$|accepting connections$/,
    reason: "the database cannot be reached",
    retryAfter: 2,
    endsConnection: true,
  },
  {
    codes: [unknownOutcome],
    reason: "the database or its standby was lost during the commit, so the change may be stored or not; read it first",
    retryAfter: 2,
    endsConnection: true,
  },
  {
    codes: [],
    messages: /^timeout exceeded when trying to connect$/,
    reason: "all database connections are busy",
    retryAfter: 2,
  },
  {
    codes: ["53300"],
    reason: "the database accepts no further connection",
    retryAfter: 5,
    endsConnection: true,
  },
  {
    codes: [],
    messages: /^Cannot use a pool after calling end|^driver has already been destroyed$|^the service closes its/,
    reason: "the service is stopping",
    retryAfter: 5,
  },
  {
    codes: ["25006"],
    reason: "the database is read-only, as a standby is after a failover",
    retryAfter: 5,
    endsConnection: true,
  },
  {
    codes: ["57014", "25P04"],
    reason: "the database took too long, or was made to cancel the statement",
    retryAfter: 5,
  },
  { codes: [lockTimeout], reason: "another change holds a lock for too long", retryAfter: 2 },
  {
    codes: ["40001", "40P01"],
    reason: "concurrent changes kept excluding each other",
    retryAfter: 1,
    isRepeated: true,
  },
  { codes: ["53100"], reason: "the disk of the database is full", retryAfter: 30 },
  { codes: ["53200"], reason: "the database is out of memory", retryAfter: 10 },
  { codes: ["53"], reason: "the database is short of resources", retryAfter: 10 },
];

export function failureOfCode(code: string): DatabaseFailure | undefined {
  const find = (part: string) => databaseFailures.find(({ codes }) => codes.includes(part));
  return find(code) ?? find(code.slice(0, 2));
}

/** The failure of an error or of one of its causes; undefined for any other error. */
export function databaseFailureOf(error: unknown): DatabaseFailure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, message } = cause as Error & { readonly code?: unknown };
    const failure = failureOfCode(String(code)) ?? databaseFailures.find(({ messages }) => messages?.test(message));
    if (failure) return failure;
  }
  return undefined;
}

/**
 * Whether a notice is PostgreSQL's warning that it committed without its synchronous standby: `statement_timeout`, `pg_cancel_backend` or
 * a shutdown cancelled the wait. PostgreSQL confirms the commit as usual.
 */
export function isUnreplicatedCommit({
  routine,
  message,
}: {
  routine?: string | undefined;
  message?: string | undefined;
}): boolean {
  return routine === "SyncRepWaitForLSN" || /^canceling (the )?wait for synchronous replication/.test(message ?? "");
}
