/**
 * Refusals: the table of error codes with the HTTP status and the DNS rcode (RFC 1035, RFC 2136) of each, the exception
 * that carries one, and the conversion of any other error. The fronts only render refusals. `docs/errors.md` is
 * generated from the table.
 */
import { randomUUID } from "node:crypto";
import { databaseFailureOf } from "./database/sqlstate.ts";

/** The codes of the API: the HTTP status, the rcode that answers a dynamic update, and the meaning of each. */
export const codes = {
  BAD_REQUEST: { status: 400, rcode: "FORMERR", meaning: "The request is malformed." },
  MISSING_FIELD: { status: 400, rcode: "FORMERR", meaning: "A required field is missing." },
  QUERY_TOO_COMPLEX: { status: 400, rcode: "REFUSED", meaning: "The GraphQL operation exceeds a limit." },
  UNAUTHENTICATED: { status: 401, rcode: "NOTAUTH", meaning: "The API key is missing or not valid." },
  FORBIDDEN: { status: 403, rcode: "REFUSED", meaning: "The key is valid but not allowed to do this." },
  PROTECTED_RECORD: { status: 403, rcode: "REFUSED", meaning: "The zone cannot exist without this record." },
  ZONE_CONFLICT: {
    status: 403,
    rcode: "REFUSED",
    meaning: "The name, or one above or below it, belongs to another user or is the catalog's.",
  },
  QUOTA_EXCEEDED: { status: 403, rcode: "REFUSED", meaning: "There are as many of these as are allowed." },
  NOT_FOUND: { status: 404, rcode: "NOTAUTH", meaning: "It does not exist, or the key may not see it." },
  METHOD_NOT_ALLOWED: { status: 405, rcode: "REFUSED", meaning: "The path does not take this method; see Allow." },
  DUPLICATE_RECORD: { status: 409, rcode: "REFUSED", meaning: "The zone already has an equal record." },
  DUPLICATE_ZONE: { status: 409, rcode: "REFUSED", meaning: "The zone already exists." },
  DUPLICATE_EMAIL: { status: 409, rcode: "REFUSED", meaning: "A user with this address already exists." },
  RECORD_CONFLICT: { status: 409, rcode: "REFUSED", meaning: "The record cannot coexist with an existing one." },
  SERIAL_NOT_INCREASED: { status: 409, rcode: "REFUSED", meaning: "The SOA serial must increase (RFC 1982)." },
  SERIAL_LEAP: { status: 409, rcode: "REFUSED", meaning: "The SOA serial leaps by more than 10,000,000; see force." },
  STALE_SERIAL: { status: 409, rcode: "NXRRSET", meaning: "The zone is not at the expected serial." },
  NAME_IN_USE: { status: 409, rcode: "YXDOMAIN", meaning: "A precondition failed: the name has records." },
  NAME_NOT_IN_USE: { status: 409, rcode: "NXDOMAIN", meaning: "A precondition failed: the name has no records." },
  RRSET_EXISTS: { status: 409, rcode: "YXRRSET", meaning: "A precondition failed: the RRset exists." },
  RRSET_MISSING: {
    status: 409,
    rcode: "NXRRSET",
    meaning: "A precondition failed: the RRset does not exist or has other data.",
  },
  USER_HAS_DOMAINS: { status: 409, rcode: "REFUSED", meaning: "The user still owns domains." },
  TOO_LARGE: { status: 413, rcode: "REFUSED", meaning: "The request, or the result it asks for, is too large." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, rcode: "FORMERR", meaning: "The media type of the body is not supported." },
  INVALID_RDATA: { status: 422, rcode: "FORMERR", meaning: "The record data is not valid for its type." },
  INVALID_NAME: { status: 422, rcode: "FORMERR", meaning: "The text is not a valid domain name." },
  AMBIGUOUS_NAME: {
    status: 422,
    rcode: "REFUSED",
    meaning: "A relative name may mean two names; the message has both.",
  },
  OUT_OF_ZONE: { status: 422, rcode: "NOTZONE", meaning: "The name is outside the zone." },
  INVALID_TTL: { status: 422, rcode: "REFUSED", meaning: "The TTL is not allowed." },
  UNSUPPORTED_TYPE: { status: 422, rcode: "REFUSED", meaning: "Records of this type cannot be stored." },
  INVALID_VALUE: { status: 422, rcode: "FORMERR", meaning: "A field has an invalid value." },
  TOO_MANY_REQUESTS: {
    status: 429,
    rcode: "REFUSED",
    meaning: "A limit of the key or address is reached; see Retry-After.",
  },
  UNAVAILABLE: { status: 503, rcode: "SERVFAIL", meaning: "The service is not ready; see Retry-After." },
  INTERNAL_ERROR: { status: 500, rcode: "SERVFAIL", meaning: "Internal error; the log has the cause." },
} as const;

/** An error code; stable for clients. */
export type Code = keyof typeof codes;

/**
 * One reason of a refusal: its code, the field or the line of the master file (from 1), and a sentence that says what
 * to write instead. A sentence about the value of a field begins with the field's name.
 */
export interface Reason {
  readonly code: Code;
  readonly field?: string | undefined;
  readonly line?: number | undefined;
  readonly message: string;
}

/**
 * A request that was understood and refused. It has at least one reason; the first gives the code, the status and the
 * field.
 */
export class Refusal extends Error {
  readonly code: Code;
  readonly field: string | undefined;
  readonly reasons: readonly Reason[];
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: Code, message: string, about: { field?: string; details?: Record<string, unknown> } = {}) {
    super(message);
    this.code = code;
    this.field = about.field;
    this.details = about.details;
    this.reasons = [{ code, message, field: about.field }];
  }

  /** A refusal for several reasons, at least one; its message joins those of the first five. */
  static of(reasons: readonly Reason[], details?: Readonly<Record<string, unknown>>): Refusal {
    const { code, field } = reasons[0] as Reason;
    const sentences = reasons.slice(0, 5).map((reason) => reason.message);
    if (reasons.length > sentences.length) sentences.push(`And ${reasons.length - sentences.length} more.`);
    return Object.assign(new Refusal(code, sentences.join(" ")), { field, reasons, details });
  }

  /** The same refusal with the names that a front has for the fields, also where one begins a sentence. */
  withFieldNames(nameOf: (field: string) => string): Refusal {
    const reasons = this.reasons.map((reason) => {
      if (reason.field === undefined) return reason;
      const field = nameOf(reason.field);
      const beginsWithField = /^[\w.]*\w/.exec(reason.message)?.[0] === reason.field;
      return beginsWithField
        ? { ...reason, field, message: field + reason.message.slice(reason.field.length) }
        : { ...reason, field };
    });
    return Refusal.of(reasons, this.details);
  }

  /** When to try again, seconds; undefined when that would not help. */
  get retryAfter(): number | undefined {
    return this.details?.retryAfter as number | undefined;
  }

  /** The HTTP status of the first reason. */
  get status(): number {
    return codes[this.code].status;
  }
}

/** What has an id, and the list that shows those there are. */
const lists = {
  user: "users",
  domain: "domains",
  record: "records",
  change: "changes",
  key: "keys",
  "TSIG key": "TSIG keys",
  secondary: "secondaries",
} as const;

/** The refusal for something that does not exist, or that the session does not see. */
export function noSuch(thing: keyof typeof lists, which: number | string | undefined, field = "id"): Refusal {
  return new Refusal("NOT_FOUND", `There is no ${thing} ${which}; look it up in the list of ${lists[thing]}.`, {
    field,
  });
}

/** A log of pino's kind. */
interface ErrorLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/**
 * Returns what logs an error that is not the client's: a failure of the database as one line, since there are as many of
 * them as requests while it is away, and a fault of the service with its stack.
 */
export function errorLogger(log: ErrorLog, what: string): (error: unknown, id: string) => void {
  return (error, id) => {
    const failure = databaseFailureOf(error);
    if (failure) log.warn({ id, reason: failure.reason, problem: (error as Error).message }, what);
    else log.error({ err: error, id }, what);
  };
}

/**
 * The refusal to show for any error. A refusal is returned unchanged; any other error is logged with an id, and the
 * client sees only the id: UNAVAILABLE with its reason when the database failed (sqlstate.ts), INTERNAL_ERROR otherwise.
 */
export function refusalOf(error: unknown, logError: (error: unknown, id: string) => void): Refusal {
  if (error instanceof Refusal) return error;
  const id = randomUUID();
  logError(error, id);
  const failure = databaseFailureOf(error);
  if (!failure) return new Refusal("INTERNAL_ERROR", `Internal error; see the service log for error ${id}.`);
  const { reason, retryAfter } = failure;
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  return new Refusal("UNAVAILABLE", `${sentence}; try again in ${retryAfter} s (error ${id}).`, {
    details: { retryAfter },
  });
}
