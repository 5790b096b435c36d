/**
 * Reads the fields of a REST request, each by name: text, TTL, id. Bodies come from forms or JSON; nothing but named fields is read.
 */
import { Refusal } from "../errors.ts";

/** The parts of a request that a route reads. */
export interface RestRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A text of the body; MISSING_FIELD without it, INVALID_VALUE when it is not one text. */
export function bodyText(request: RestRequest, name: string): string {
  const value = field(request.body, name);
  if (value === undefined || value === null)
    throw new Refusal("MISSING_FIELD", `${name} is missing; send it in the body.`, { field: name });
  return oneText(value, name);
}

/** A TTL of the body: a number, or its digits. */
export function bodyTtl(request: RestRequest, name: string): number {
  const value = field(request.body, name);
  if (value === undefined || value === null)
    throw new Refusal("MISSING_FIELD", `${name} is missing; send it in the body.`, { field: name });
  const seconds = typeof value === "string" && /^\d{1,10}$/.test(value.trim()) ? Number(value) : value;
  if (typeof seconds === "number" && Number.isInteger(seconds) && seconds >= 0 && seconds <= 2147483647) return seconds;
  throw new Refusal("INVALID_TTL", `${name} is not a TTL; write whole seconds from 0 to 2147483647.`, { field: name });
}

/** An id of the body: a number, or its digits. GraphQL judges the digits. */
export function bodyId(request: RestRequest, name: string): string {
  const value = field(request.body, name);
  return typeof value === "number" ? String(value) : bodyText(request, name);
}

/** A parameter of the path. */
export function pathText(request: RestRequest, name: string): string {
  return oneText(field(request.params, name) ?? "", name);
}

/** A parameter of the query, if it was sent and is not empty. */
export function queryText(request: RestRequest, name: string): string | undefined {
  const value = field(request.query, name);
  return value === undefined || value === "" ? undefined : oneText(value, name);
}

function field(fields: unknown, name: string): unknown {
  return typeof fields === "object" && fields !== null && Object.hasOwn(fields, name)
    ? (fields as Record<string, unknown>)[name]
    : undefined;
}

function oneText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new Refusal("INVALID_VALUE", `${name} is not one text; send it once, as a string.`, { field: name });
}
