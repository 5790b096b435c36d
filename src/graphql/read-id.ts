/**
 * Reads ids of arguments. GraphQL's ID is any text; ours are the digits of a number.
 */
import { Refusal } from "../errors.ts";

/** Reads the digits of an id, 1 to 2^53 - 1; INVALID_VALUE for anything else. */
export function readId(id: string, field: string): number {
  const number = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new Refusal("INVALID_VALUE", `${field} is not an id; write the digits as they were answered.`, { field });
}

/** The same for an id that may be left out; undefined then. */
export function readOptionalId(id: string | null | undefined, field: string): number | undefined {
  return id === null || id === undefined ? undefined : readId(id, field);
}
