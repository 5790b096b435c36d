/**
 * The table of error codes with the HTTP status and the DNS rcode (RFC 1035, RFC 2136) of each. `docs/errors.md` is generated
 * from it. It imports nothing, so that the commands have it too.
 */

/** The codes of the API: the HTTP status, the rcode that answers a dynamic update, and the meaning of each. */
export const codes = {
  BAD_REQUEST: { status: 400, rcode: "FORMERR", meaning: "The request is malformed." },
  MISSING_FIELD: { status: 400, rcode: "FORMERR", meaning: "A required field is missing." },
  QUERY_TOO_COMPLEX: { status: 400, rcode: "REFUSED", meaning: "The operation exceeds a limit of size or time." },
  UNAUTHENTICATED: { status: 401, rcode: "NOTAUTH", meaning: "The API key is missing or not valid." },
  FORBIDDEN: { status: 403, rcode: "REFUSED", meaning: "The key is valid but not allowed to do this." },
  PROTECTED_RECORD: { status: 403, rcode: "REFUSED", meaning: "The zone cannot exist without this record." },
  ZONE_CONFLICT: {
    status: 403,
    rcode: "REFUSED",
    meaning: "The name is taken by another user, the catalog or a name server, also above or below it.",
  },
  REVIEW_REQUIRED: {
    status: 403,
    rcode: "REFUSED",
    meaning: "The zone is changed by change sets alone; the message has the call.",
  },
  QUOTA_EXCEEDED: {
    status: 403,
    rcode: "REFUSED",
    meaning: "A quota of the user (details.quotas) or another maximum is reached.",
  },
  NOT_FOUND: { status: 404, rcode: "NOTAUTH", meaning: "It does not exist, or the key may not see it." },
  METHOD_NOT_ALLOWED: { status: 405, rcode: "REFUSED", meaning: "The path does not take this method; see Allow." },
  DUPLICATE_RECORD: { status: 409, rcode: "REFUSED", meaning: "The zone already has an equal record." },
  DUPLICATE_ZONE: { status: 409, rcode: "REFUSED", meaning: "The zone already exists." },
  DUPLICATE_EMAIL: { status: 409, rcode: "REFUSED", meaning: "A user with this address already exists." },
  RECORD_CONFLICT: { status: 409, rcode: "REFUSED", meaning: "The record cannot coexist with an existing one." },
  SERIAL_NOT_INCREASED: { status: 409, rcode: "REFUSED", meaning: "The SOA serial must increase (RFC 1982)." },
  SERIAL_LEAP: {
    status: 409,
    rcode: "REFUSED",
    meaning: "The SOA serial leaps by more than 10,000,000; `force` allows that.",
  },
  STALE_SERIAL: { status: 409, rcode: "NXRRSET", meaning: "The zone is not at the expected serial." },
  CHANGE_CONFLICT: {
    status: 409,
    rcode: "REFUSED",
    meaning: "Later changes (details.changeIds) are in the way.",
  },
  STALE_CHANGE_SET: {
    status: 409,
    rcode: "REFUSED",
    meaning: "The change set, or what it would do, has changed; look at it again.",
  },
  WRONG_STATE: {
    status: 409,
    rcode: "REFUSED",
    meaning: "The change set is in a state in which this is not possible.",
  },
  NAME_IN_USE: { status: 409, rcode: "YXDOMAIN", meaning: "A precondition failed: the name has records." },
  NAME_NOT_IN_USE: { status: 409, rcode: "NXDOMAIN", meaning: "A precondition failed: the name has no records." },
  RRSET_EXISTS: { status: 409, rcode: "YXRRSET", meaning: "A precondition failed: the RRset exists." },
  RRSET_MISSING: {
    status: 409,
    rcode: "NXRRSET",
    meaning: "A precondition failed: the RRset does not exist or has other data.",
  },
  USER_HAS_DOMAINS: { status: 409, rcode: "REFUSED", meaning: "The user still owns domains." },
  HISTORY_GONE: { status: 410, rcode: "REFUSED", meaning: "The journal does not go back so far." },
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
