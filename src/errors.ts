/**
 * Every way in which a request is turned down: one table of codes with the HTTP status and the DNS rcode (RFC 1035, 2136) of each,
 * one exception, and one function that makes either of any error. The fronts only render what stands here.
 */
import { randomUUID } from "node:crypto";

/** The codes of the API: what each means, its HTTP status, and the rcode a DNS client is given for it. */
export const codes = {
  BAD_REQUEST: { status: 400, rcode: "FORMERR", meaning: "The request cannot be read." },
  MISSING_FIELD: { status: 400, rcode: "FORMERR", meaning: "A field that is needed was not sent." },
  QUERY_TOO_COMPLEX: { status: 400, rcode: "REFUSED", meaning: "The GraphQL query asks for too much at once." },
  UNAUTHENTICATED: { status: 401, rcode: "NOTAUTH", meaning: "No API key was sent, or one that is not valid." },
  FORBIDDEN: { status: 403, rcode: "REFUSED", meaning: "The key is known and may not do this." },
  PROTECTED_RECORD: { status: 403, rcode: "REFUSED", meaning: "The zone cannot be without this record." },
  ZONE_CONFLICT: { status: 403, rcode: "REFUSED", meaning: "A zone above or below this one belongs to another user." },
  NOT_FOUND: { status: 404, rcode: "NOTAUTH", meaning: "There is no such thing, or the key may not see it." },
  DUPLICATE_RECORD: { status: 409, rcode: "REFUSED", meaning: "The zone holds an equal record already." },
  DUPLICATE_ZONE: { status: 409, rcode: "REFUSED", meaning: "The zone exists already." },
  DUPLICATE_EMAIL: { status: 409, rcode: "REFUSED", meaning: "A user with this e-mail address exists already." },
  RECORD_CONFLICT: { status: 409, rcode: "REFUSED", meaning: "The record cannot stand beside another one." },
  SERIAL_NOT_INCREASED: { status: 409, rcode: "REFUSED", meaning: "The SOA serial must grow (RFC 1982)." },
  STALE_SERIAL: { status: 409, rcode: "NXRRSET", meaning: "The zone moved on since the expected serial." },
  NAME_IN_USE: { status: 409, rcode: "YXDOMAIN", meaning: "A precondition failed: the name has records." },
  NAME_NOT_IN_USE: { status: 409, rcode: "NXDOMAIN", meaning: "A precondition failed: the name has no record." },
  RRSET_EXISTS: { status: 409, rcode: "YXRRSET", meaning: "A precondition failed: the RRset exists." },
  RRSET_MISSING: {
    status: 409,
    rcode: "NXRRSET",
    meaning: "A precondition failed: the RRset does not exist, or has other data.",
  },
  USER_HAS_DOMAINS: { status: 409, rcode: "REFUSED", meaning: "The user still owns domains." },
  TOO_LARGE: { status: 413, rcode: "REFUSED", meaning: "The request is larger than allowed." },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    rcode: "FORMERR",
    meaning: "The body is of a media type that is not understood.",
  },
  INVALID_RDATA: { status: 422, rcode: "FORMERR", meaning: "The record data is not of its type's form." },
  INVALID_NAME: { status: 422, rcode: "FORMERR", meaning: "The text is not a domain name." },
  AMBIGUOUS_NAME: { status: 422, rcode: "REFUSED", meaning: "A relative name ends in the zone's own name." },
  OUT_OF_ZONE: { status: 422, rcode: "NOTZONE", meaning: "The name lies outside the zone." },
  INVALID_TTL: { status: 422, rcode: "REFUSED", meaning: "The TTL is not an allowed one." },
  UNSUPPORTED_TYPE: { status: 422, rcode: "REFUSED", meaning: "Records of this type cannot be stored." },
  INVALID_VALUE: { status: 422, rcode: "FORMERR", meaning: "A value is not of the form its field needs." },
  TOO_MANY_REQUESTS: { status: 429, rcode: "REFUSED", meaning: "The limit of requests is reached; see Retry-After." },
  UNAVAILABLE: { status: 503, rcode: "SERVFAIL", meaning: "The service is not ready; try again." },
  INTERNAL_ERROR: { status: 500, rcode: "SERVFAIL", meaning: "The service failed; the log holds the reason." },
} as const;

/** The identifier of a refusal, stable for clients. */
export type Code = keyof typeof codes;

/** One reason of a refusal: its code, the field or the line of a master file it is about, and a sentence that says what to write instead. */
export interface Reason {
  readonly code: Code;
  readonly field?: string | undefined;
  readonly line?: number | undefined;
  readonly message: string;
}

/** A request that was understood and is turned down. Several reasons travel together, the first one leads. */
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

  /** One refusal of many reasons, of which the message says the first few; `reasons` holds at least one. */
  static of(reasons: readonly Reason[]): Refusal {
    const first = reasons[0] as Reason;
    const said = reasons.slice(0, 5).map((reason) => reason.message);
    if (reasons.length > said.length) said.push(`And ${reasons.length - said.length} more.`);
    const refusal = new Refusal(first.code, said.join(" "), {
      ...(first.field !== undefined && { field: first.field }),
    });
    return Object.assign(refusal, { reasons });
  }

  /** The HTTP status of the leading reason. */
  get status(): number {
    return codes[this.code].status;
  }
}

/** The refusal to show for any error: a refusal stays as it is, anything else is our bug, logged under an id and shown without its inside. */
export function refusalOf(error: unknown, logBug: (error: unknown, id: string) => void): Refusal {
  if (error instanceof Refusal) return error;
  const id = randomUUID();
  if (isLostDatabase(error)) {
    logBug(error, id);
    return new Refusal("UNAVAILABLE", `The database cannot be reached; try again in a moment (error ${id}).`);
  }
  logBug(error, id);
  return new Refusal("INTERNAL_ERROR", `The service failed; its log tells why under error ${id}.`);
}

/** PostgreSQL's classes 08 (connection), 57P (shut down), 53300 (too many), 3D000 (no such database), and node's socket errors. */
const lostCodes = /^(08...|57P..|53300|3D000|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/;
const lostMessages =
  /Connection terminated|timeout exceeded when trying to connect|not currently accepting connections/;

function isLostDatabase(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = String((cause as { code?: unknown }).code ?? "");
    if (lostCodes.test(code) || lostMessages.test(cause.message)) return true;
  }
  return false;
}
