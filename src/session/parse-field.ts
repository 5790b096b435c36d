/** Parsing of sent values: the errors of the DNS room (Malformed) become Refusals that name the field, or undefined. */
import { Malformed } from "../dns/malformed.ts";
import type { Code } from "../error-codes.ts";
import { Refusal } from "../errors.ts";

export const codeOfMalformed = {
  name: "INVALID_NAME",
  "ambiguous-name": "AMBIGUOUS_NAME",
  "out-of-zone": "OUT_OF_ZONE",
  type: "UNSUPPORTED_TYPE",
  rdata: "INVALID_RDATA",
  ttl: "INVALID_TTL",
  syntax: "BAD_REQUEST",
} as const satisfies Record<Malformed["reason"], Code>;

/** Runs a parser on the value of `field`; throws a Refusal with the field when the value is malformed. */
export function parseField<T>(field: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof Malformed
      ? new Refusal(codeOfMalformed[error.reason], `${field}: ${error.message}`, { field, part: error.field })
      : error;
  }
}

/** Runs a parser; returns undefined when its value is malformed. */
export function unlessMalformed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}
