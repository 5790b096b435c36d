/** The fields of a REST request. Unknown fields of a body are ignored, unknown parameters of a query refused. */
import { Refusal } from "../errors.ts";

export interface RestRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export function bodyText(request: RestRequest, name: string): string {
  return oneText(requiredField(request, name), name);
}

/** A text of the body, or of the query, for clients whose DELETE has no body; INVALID_VALUE when both differ. */
export function bodyOrQueryText(request: RestRequest, name: string): string | undefined {
  const inQuery = queryText(request, name);
  const inBody = optionalField(request, name);
  if (inBody === undefined) return inQuery;
  if (inQuery === undefined || inQuery === inBody) return oneText(inBody, name);
  throw new Refusal("INVALID_VALUE", `${name} is not the same in the body and the query; send it in one of them.`, {
    field: name,
  });
}

/** A TTL of the body, seconds, as a number or digits, or null, which GraphQL gets; INVALID_TTL for anything else. */
export function bodyTtl(request: RestRequest, name: string): number | null {
  if (field(request.body, name) === null) return null;
  const value = requiredField(request, name);
  const seconds = typeof value === "string" && /^(?:0|[1-9]\d{0,9})$/.test(value) ? Number(value) : value;
  if (typeof seconds === "number" && Number.isInteger(seconds) && seconds >= 0 && seconds <= 2147483647) return seconds;
  throw new Refusal("INVALID_TTL", `${name} is not a TTL; write whole seconds from 0 to 2147483647.`, { field: name });
}

/** An id of the body: a number, or its digits, which GraphQL checks. */
export function bodyId(request: RestRequest, name: string): string {
  const value = field(request.body, name);
  return typeof value === "number" ? String(value) : bodyText(request, name);
}

/** Whether a field is `yes`; false for `no` and without the field. */
export function isYes(field: string, answer: string | undefined): boolean {
  if (answer === undefined || answer === "no") return false;
  if (answer === "yes") return true;
  throw new Refusal("INVALID_VALUE", `${field} is not valid; write ${field}=yes, or leave it out.`, { field });
}

export function pathText(request: RestRequest, name: string): string {
  return oneText(field(request.params, name) ?? "", name);
}

/** The parameters of each query that were read, which are all that its path knows. */
const readParameters = new WeakMap<RestRequest, Set<string>>();

/** A parameter of the query; undefined when it is missing or empty. */
export function queryText(request: RestRequest, name: string): string | undefined {
  readParameters.set(request, (readParameters.get(request) ?? new Set()).add(name));
  const value = field(request.query, name);
  return value === undefined || value === "" ? undefined : oneText(value, name);
}

/** Throws INVALID_VALUE for a parameter of the query that was not read, since it would have no effect. */
export function expectAllRead(request: RestRequest): void {
  const parameters = [...(readParameters.get(request) ?? [])];
  const name = Object.keys(request.query).find((each) => !parameters.includes(each));
  if (name === undefined) return;
  const advice = parameters.length > 0 ? `write ${parameters.join(", ")}, or leave it out` : "leave it out";
  throw new Refusal("INVALID_VALUE", `${name} is not a parameter of this path; ${advice}.`, { field: name });
}

function requiredField(request: RestRequest, name: string): unknown {
  const value = optionalField(request, name);
  if (value !== undefined) return value;
  throw new Refusal("MISSING_FIELD", `${name} is missing; send it in the body.`, { field: name });
}

function optionalField(request: RestRequest, name: string): unknown {
  return field(request.body, name) ?? undefined;
}

function field(fields: unknown, name: string): unknown {
  return typeof fields === "object" && fields !== null && Object.hasOwn(fields, name)
    ? (fields as Record<string, unknown>)[name]
    : undefined;
}

function oneText(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  throw new Refusal("INVALID_VALUE", `${name} is not one string; send it once, as text.`, { field: name });
}
