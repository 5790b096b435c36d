/**
 * The table of error codes with the HTTP status and the DNS rcode (RFC 1035, RFC 2136) of each. `docs/errors.md` is generated
 * from it. It imports nothing, so that the commands have it too.
 */

const row = <Rcode extends string>(status: number, rcode: Rcode, meaning: string) => ({ status, rcode, meaning });

/** The codes of the API: the HTTP status, the rcode that answers a dynamic update, and the meaning of each. */
export const codes = {
  BAD_REQUEST: row(400, "FORMERR", "The request is malformed."),
  MISSING_FIELD: row(400, "FORMERR", "A required field is missing."),
  QUERY_TOO_COMPLEX: row(400, "REFUSED", "The operation exceeds a limit of size or time."),
  UNAUTHENTICATED: row(401, "NOTAUTH", "The API key is missing or not valid."),
  FORBIDDEN: row(403, "REFUSED", "The key is valid but not allowed to do this."),
  PROTECTED_RECORD: row(403, "REFUSED", "The zone cannot exist without this record."),
  ZONE_CONFLICT: row(
    403,
    "REFUSED",
    "The name is taken by another user, the catalog or a name server, also above or below it.",
  ),
  REVIEW_REQUIRED: row(403, "REFUSED", "The zone is changed by change sets alone; the message has the call."),
  QUOTA_EXCEEDED: row(403, "REFUSED", "A quota of the user (details.quotas) or another maximum is reached."),
  NOT_FOUND: row(404, "NOTAUTH", "It does not exist, or the key may not see it."),
  METHOD_NOT_ALLOWED: row(405, "REFUSED", "The path does not take this method; see Allow."),
  DUPLICATE_RECORD: row(409, "REFUSED", "The zone already has an equal record."),
  DUPLICATE_ZONE: row(409, "REFUSED", "The zone already exists."),
  DUPLICATE_EMAIL: row(409, "REFUSED", "A user with this address already exists."),
  RECORD_CONFLICT: row(409, "REFUSED", "The record cannot coexist with an existing one."),
  SERIAL_NOT_INCREASED: row(409, "REFUSED", "The SOA serial must increase (RFC 1982)."),
  SERIAL_LEAP: row(409, "REFUSED", "The SOA serial leaps by more than 10,000,000; `force` allows that."),
  STALE_SERIAL: row(409, "NXRRSET", "The zone is not at the expected serial."),
  CHANGE_CONFLICT: row(409, "REFUSED", "Later changes (details.changeIds) are in the way."),
  STALE_CHANGE_SET: row(409, "REFUSED", "The change set, or what it would do, has changed; look at it again."),
  WRONG_STATE: row(409, "REFUSED", "The change set is in a state in which this is not possible."),
  NAME_IN_USE: row(409, "YXDOMAIN", "A precondition failed: the name has records."),
  NAME_NOT_IN_USE: row(409, "NXDOMAIN", "A precondition failed: the name has no records."),
  RRSET_EXISTS: row(409, "YXRRSET", "A precondition failed: the RRset exists."),
  RRSET_MISSING: row(409, "NXRRSET", "A precondition failed: the RRset does not exist or has other data."),
  USER_HAS_DOMAINS: row(409, "REFUSED", "The user still owns domains."),
  HISTORY_GONE: row(410, "REFUSED", "The journal does not go back so far."),
  TOO_LARGE: row(413, "REFUSED", "The request, or the result it asks for, is too large."),
  UNSUPPORTED_MEDIA_TYPE: row(415, "FORMERR", "The media type of the body is not supported."),
  INVALID_RDATA: row(422, "FORMERR", "The record data is not valid for its type."),
  INVALID_NAME: row(422, "FORMERR", "The text is not a valid domain name."),
  AMBIGUOUS_NAME: row(422, "REFUSED", "A relative name may mean two names; the message has both."),
  OUT_OF_ZONE: row(422, "NOTZONE", "The name is outside the zone."),
  INVALID_TTL: row(422, "REFUSED", "The TTL is not allowed."),
  UNSUPPORTED_TYPE: row(422, "REFUSED", "Records of this type cannot be stored."),
  INVALID_VALUE: row(422, "FORMERR", "A field has an invalid value."),
  TOO_MANY_REQUESTS: row(429, "REFUSED", "A limit of the key or address is reached; see Retry-After."),
  UNAVAILABLE: row(503, "SERVFAIL", "The service is not ready; see Retry-After."),
  INTERNAL_ERROR: row(500, "SERVFAIL", "Internal error; the log has the cause."),
} as const;

/** An error code; stable for clients. */
export type Code = keyof typeof codes;
