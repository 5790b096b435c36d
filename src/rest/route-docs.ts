/**
 * What the reference says of each route (openapi.ts): its summary, the parameters of its query, the fields of its body, and the schema of
 * its answer. The schemas are in body-schemas.ts.
 */
import { arrayOf, type Schema, schemaOf } from "./body-schemas.ts";

/** A parameter of the path or the query, or a field of the body. */
export interface Parameter {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  readonly isRequired?: true;
}

/** A route as the reference shows it. */
export interface RouteDocs {
  readonly summary: string;
  readonly query?: readonly Parameter[];
  readonly body?: readonly Parameter[];
  /** The body of a success; a route without one answers without a body. */
  readonly answer?: Schema;
  /** Whether it commits a change of a zone, so that it may wait for publication. */
  readonly isChange?: true;
  /** Whether it is a list, which comes whole or in pages. */
  readonly isList?: true;
}

const text = (name: string, description: string, more: Schema = {}): Parameter => ({
  name,
  schema: { type: "string", ...more },
  description,
});
const required = (parameter: Parameter): Parameter => ({ ...parameter, isRequired: true });
const yes = (name: string, description: string) => text(name, description, { enum: ["yes", "no"] });

const idText: Schema = { type: "string", pattern: "^[0-9]{1,16}$" };
const paging: readonly Parameter[] = [
  {
    name: "limit",
    schema: { type: "integer", minimum: 1, maximum: 1000 },
    description: "Rows of a page; without it and without `cursor` the whole list comes.",
  },
  text("cursor", "Where the page begins: that of the `Link` header of the page before."),
];
const ofUser = text("user_id", "Only what belongs to the user of this id.", idText);
const zone = required(text("zone", "Zone name in any spelling."));

const recordFields: readonly Parameter[] = [
  zone,
  required(text("owner", "Owner: relative to the zone, absolute with a trailing dot, or `@` for the apex.")),
  required(text("rtype", "Record type.", { examples: ["A", "MX", "TXT"] })),
  required(text("rdata", "Record data in presentation form; that of a TXT may be plain text.")),
  required({
    name: "ttl",
    schema: { type: ["integer", "string", "null"], examples: [3600] },
    description:
      "Time to live, seconds: one of the configured choices, or the RRset's present one. null in JSON is the RRset's, or 3600.",
  }),
];
const email = required(text("email", "E-mail address, unique regardless of letter case."));
const force = yes("force", "Accept an SOA serial more than 10,000,000 ahead.");
const domains = text("domains", "`delete` deletes the domains of the user too; without it, USER_HAS_DOMAINS.", {
  enum: ["delete"],
});

/** The reference of the routes, by what they do. */
export const docs = {
  recordList: {
    summary: "The records of all zones that the key may see",
    query: [
      text("zone", "Only records of this zone."),
      text("owner", "Only records of this owner."),
      text("type", "Only records of this type."),
      ofUser,
      ...paging,
    ],
    answer: arrayOf("Record"),
    isList: true,
  },
  record: { summary: "One record", answer: schemaOf("Record") },
  recordAdd: { summary: "Adds a record to a zone", body: recordFields, answer: schemaOf("Record"), isChange: true },
  recordEdit: {
    summary: "Edits a record; an edit that changes nothing leaves the serial",
    query: [force],
    body: [...recordFields, force],
    answer: schemaOf("Record"),
    isChange: true,
  },
  recordDelete: { summary: "Deletes a record; not the SOA, nor the last NS at the apex", isChange: true },
  userList: {
    summary: "The users: all of them for an administrator, the key's own for a user; with `id` or `email` one user",
    query: paging,
    answer: arrayOf("User"),
    isList: true,
  },
  userBy: {
    summary: "One user",
    query: [text("id", "The user's id.", idText), text("email", "The user's e-mail address.")],
    answer: schemaOf("User"),
  },
  user: { summary: "One user", query: [text("email", "Must be that user's.")], answer: schemaOf("User") },
  userAdd: { summary: "Creates a user. Administrators only", body: [email], answer: schemaOf("CreatedUser") },
  userEdit: {
    summary: "Changes a user's e-mail address. Administrators only",
    body: [email],
    answer: schemaOf("Email"),
  },
  userDelete: {
    summary: "Deletes a user with the user's keys. Administrators only",
    query: [domains],
    body: [domains],
  },
  domainList: {
    summary: "The domains that the key may see, with all their records",
    query: [text("zone", "Only the domain of this zone."), ofUser, ...paging],
    answer: arrayOf("Domain"),
    isList: true,
  },
  domainBy: {
    summary: "One domain with all its records",
    query: [text("id", "The domain's id.", idText), text("name", "The zone name.")],
    answer: schemaOf("Domain"),
  },
  domainOfUser: { summary: "The user's oldest domain with all its records", answer: schemaOf("Domain") },
  domainAdd: {
    summary: "Creates a domain with default records: SOA, NS and www",
    body: [
      required({
        name: "user_id",
        schema: { type: ["string", "integer"] },
        description: "Id of the user who will own it.",
      }),
      zone,
    ],
    answer: schemaOf("CreatedDomain"),
    isChange: true,
  },
  domainDelete: {
    summary: "Deletes a domain with all its records; the zone is in the body or the query",
    query: [text("zone", "Zone name in any spelling.")],
    body: [text("zone", "Zone name in any spelling.")],
    isChange: true,
  },
  domainHistory: {
    summary: "The changes of a zone, the newest first",
    query: [
      text(
        "id",
        "The changes of the deleted zone that had this id, whatever the name in the path; without it those of the zone, or of the one of the name deleted last.",
        idText,
      ),
      yes(
        "records",
        "Show the records that each change added and removed, 100 of each at most, the SOA first where more of it than its serial changed.",
      ),
      text("owner", "Only changes that removed or added a record of this owner."),
      text("rtype", "Only changes of records of this type."),
      text("actor", "Only changes of this actor, such as `laptop (a0d623c6)`."),
      text("since", "Only changes at this time or later (RFC 3339)."),
      text("until", "Only changes before this time."),
      ...paging,
    ],
    answer: arrayOf("HistoryChange"),
    isList: true,
  },
  change: { summary: "A change and its publication", answer: schemaOf("Change") },
  domainsOfUser: {
    summary: "All domains of a user with all their records",
    query: paging,
    answer: arrayOf("Domain"),
    isList: true,
  },
  ttlList: { summary: "The TTLs that records may have", answer: { type: "array", items: { type: "object" } } },
  typeList: { summary: "The record types", answer: { type: "array", items: { type: "object" } } },
} as const satisfies Record<string, RouteDocs>;

const idOfZone = text("id", "The zone of the name that has or had this id, also a deleted one.", idText);

const moment =
  "a serial, the id of a change, or a time (RFC 3339); HISTORY_GONE when the journal does not go back so far.";

/** The reference of the path of differences, which is no row of the table. */
export const differenceDocs: RouteDocs = {
  summary: "The difference of two moments of a zone, as text in the manner of `diff -u`",
  query: [
    required(text("from", `The moment that it is from: ${moment}`)),
    text("to", `The moment that it leads to, the present without it: ${moment}`),
    idOfZone,
  ],
};

/** The reference of the two zone-file paths, which are no rows of the table. */
export const zoneFileDocs = {
  read: {
    summary: "The zone as a master file (RFC 1035 §5), as it is or as it was",
    query: [
      text("at", `The zone as it was, also of one that was deleted: ${moment}`),
      text("serial", "The same by a serial alone."),
      text("time", "The same by a time alone."),
      idOfZone,
    ],
  },
  write: {
    summary: "Imports a master file as one change, all or nothing",
    query: [
      text("mode", "Whether the file is merged into the zone, or replaces it.", {
        enum: ["merge", "replace"],
        default: "merge",
      }),
      text("user_id", "Creates the zone for the user of this id when it does not exist.", idText),
      {
        name: "expected_serial",
        schema: { type: "integer", minimum: 0, maximum: 4294967295 },
        description: "The serial the zone must be at, such as `X-Zone-Serial` of a dry run; or STALE_SERIAL.",
      },
      yes("dry_run", "Check everything and say what would change, but change nothing."),
      yes("skip_unsupported", "Leave out lines that no zone can hold, with a warning each."),
    ],
    answer: schemaOf("Import"),
    isChange: true,
  },
} as const satisfies Record<string, RouteDocs>;
