/** Refusals: the `extensions` of an error, as the description of the schema has them. */
import type { CombinedError } from "urql";

/** One thing that is wrong: its code, the input field, and what to write instead. */
export interface Reason {
  /** A value of the enum ErrorCode, or UNREACHABLE. */
  readonly code: string;
  readonly field?: string;
  readonly message: string;
}

/** Everything that is wrong; empty without an error. */
export function reasonsOf(error: CombinedError | undefined): readonly Reason[] {
  if (error?.networkError) return [{ code: "UNREACHABLE", message: "The service cannot be reached. Try again." }];
  return (error?.graphQLErrors ?? []).flatMap(({ extensions, message }) => {
    const { code, field, details } = extensions as Omit<Reason, "message"> & { details?: { reasons: Reason[] } };
    return details?.reasons ?? [{ code, field, message }];
  });
}

/** Whether the same request may succeed later. */
export const isPassing = ({ code }: Reason) => ["UNREACHABLE", "UNAVAILABLE", "TOO_MANY_REQUESTS"].includes(code);
