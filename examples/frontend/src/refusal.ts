/** Refusals: the `extensions` of an error, by the types that the schema has for them. */
import type { CombinedError } from "urql";
import type { ErrorCode, ErrorExtensions, ErrorReason } from "./generated/schema";

/** One thing that is wrong: its code, the input field, and what to write instead. */
export interface Reason extends Pick<ErrorReason, "message"> {
  readonly code: ErrorCode | "UNREACHABLE";
  readonly field?: ErrorReason["field"];
}

/** Everything that is wrong; empty without an error. */
export function reasonsOf(error: CombinedError | undefined): readonly Reason[] {
  if (error?.networkError) return [{ code: "UNREACHABLE", message: "The service cannot be reached. Try again." }];
  return (error?.graphQLErrors ?? []).flatMap(
    ({ extensions }) => (extensions as unknown as ErrorExtensions).details.reasons,
  );
}

const passing: readonly Reason["code"][] = ["UNREACHABLE", "UNAVAILABLE", "TOO_MANY_REQUESTS"];

/** Whether the same request may succeed later. */
export const isPassing = ({ code }: Reason) => passing.includes(code);
