/**
 * Recognises PostgreSQL's unique violations (SQLSTATE 23505), by which racing writers are told apart.
 */

/** Whether `error`, or what caused it, is a violation of the named unique index. */
export function isUniqueViolation(error: unknown, index: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, constraint } = cause as { code?: string; constraint?: string };
    if (code === "23505" && constraint === index) return true;
  }
  return false;
}
