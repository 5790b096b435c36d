/**
 * The description of the schema: what a client needs to know besides its types. It is in introspection (`__schema {
 * description }`) and at the top of schema.graphql.
 */
import { defaultPageSize } from "../../lists/pagination.ts";
import { maxPageSize } from "../page-args.ts";
import { limits, maxRequestBytes } from "../query-limits.ts";

const count = (amount: number) => amount.toLocaleString("en");

export const schemaDescription = `Zonesmith: DNS zones, their records, and how far they are published.

Authentication: send an API key in the header \`X-API-Key\` of every request, by POST to /graphql as \`application/json\`; queries by GET
too. Without a valid key the response is HTTP 401.

Errors: an operation that did not run has the HTTP status of its error; one that ran has 200, and a field that was refused is null beside its
error in \`errors\`. A nullable field whose description gives no reason is null only then. The \`extensions\` of an error have the type
\`ErrorExtensions\`: \`{ code, field, retryAfter, details: { reasons: [{ code, field, line, owner, type, edits, message }] } }\`. \`field\` is the input
field that is wrong, with rows from 0: \`add.3.rdata\`, \`remove.0\`. Checks run in three steps: the values, what they name, the zone as it would be;
the first step that fails reports all its reasons, and the first reason gives code and field. A reason about the zone as it would be has the
\`owner\`, the \`type\` where it is about one, and in \`edits\` every edit that takes part. \`message\` says what to write instead.

Inputs: what is left out of an update does not change; null is the same, except where it has a meaning of its own. Enums, unions and interfaces
of results may get more members.

Lists: a field of a type \`…Connection\` has a page of rows, in the form of Relay: the \`first\` rows after the cursor \`after\`, or the
\`last\` rows before \`before\`, 1 to ${count(maxPageSize)}; without both, the first ${defaultPageSize}. \`nodes\` are the rows, \`edges\` the rows with their cursors.
\`totalCount\` counts the rows of all pages where it is selected, and is null where that is refused.

Limits of one operation: ${count(limits.tokens)} tokens, ${limits.depth} levels, ${count(limits.selections)} fields with fragments expanded,
${limits.fragments} fragments, ${limits.aliases} aliases, ${limits.repeats} repetitions of a field in one selection, ${limits.directives} directives, and
${count(limits.rows)} rows, counted before it runs as if every page were full: pages within pages multiply. Beyond a limit the error is
QUERY_TOO_COMPLEX. \`viewer { limits { requestsPerMinute } }\` has the limits of the key; beyond them it is TOO_MANY_REQUESTS, HTTP 429.
A request has at most ${maxRequestBytes / 1024} KB (TOO_LARGE, HTTP 413); a larger master file goes to POST /api/domain/zonefile/ZONE, as \`text/dns\`.

Subscriptions are server-sent events: POST to /graphql with \`Accept: text/event-stream\`, as urql and graphql-sse do (the distinct
connections mode of its protocol); queries and mutations are taken too. Errors of the operation are in the event \`next\`. An event has an
id: send it back as \`Last-Event-ID\`, or as the argument \`after\`, which takes precedence, to continue after an interruption with the
latest event of each zone. Events whose publication had not ended come again. Browsers open six connections to an origin by HTTP/1.1, and
a stream keeps one of them; a key has at most half of its \`requestsInProgress\` for streams. Every 12 seconds a comment shows that a
stream is open.

Scalars in JSON: \`DateTime\` is a string (RFC 3339, UTC), \`Serial\` and \`UInt32\` a number from 0 to 4294967295, \`RecordType\` a string. An \`ID\` is the
decimal digits of a number below 2^53, the same that REST has for the object.`;
