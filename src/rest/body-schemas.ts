/**
 * The bodies of REST as JSON Schemas, for the reference (openapi.ts).
 */
import { codes } from "../error-codes.ts";

/** A JSON Schema (2020-12). */
export type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const integer = (description: string): Schema => ({ type: "integer", minimum: 0, description });
const serial: Schema = { type: "integer", minimum: 0, maximum: 4294967295, description: "SOA serial (RFC 1982)." };
const orNull = ({ type, ...schema }: Schema): Schema => ({ ...schema, type: [type, "null"] });
const nullableText: Schema = { type: ["string", "null"] };
const seconds: Schema = {
  type: "string",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$",
  description: "Time in UTC, without a zone.",
};
const kind: Schema = { type: "string", enum: ["CREATE", "EDIT", "DELETE", "RESTORE"] };
const source: Schema = { type: "string", enum: ["graphql", "rest", "console", "update", "import", "system"] };
const state: Schema = { type: "string", enum: ["UNSERVED", "PENDING", "LIVE", "LATE"] };
const object = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const innerRecord = {
  owner: { ...text, description: "Relative to the zone; `@` is the apex." },
  rdata: { ...text, description: "In canonical presentation form." },
  type: { ...text, description: "Mnemonic, upper case." },
  ttl: { type: "string", pattern: "^\\d+$", description: "Seconds, as a string of digits." },
};
const id = integer("From 10^15 up, below 2^53.");
const userId: Schema = { type: "string", pattern: "^\\d+$", description: "The digits of the id." };

/** The records that an import added or removed, as far as they are shown. */
const firstRecords = (verb: string): Schema => ({
  type: "array",
  maxItems: 1000,
  items: object(innerRecord),
  description: `The first records ${verb}; before them the SOA, when more of it changes than its serial.`,
});

const changedRecords: Schema = {
  type: "array",
  maxItems: 100,
  items: object(innerRecord),
  description: "With `records=yes`: the first records, the SOA before the others.",
};

/** The schemas of the bodies, by their names in the reference. */
export const schemas = {
  User: object({ id: userId, email: text, created_at: seconds }),
  CreatedUser: object({
    id: userId,
    email: text,
    created_at: {
      type: "string",
      pattern: "^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{6}$",
      description: "Time in UTC, without a zone.",
    },
  }),
  Email: object({ email: text }),
  Record: object({ id, zone: text, ...innerRecord }),
  InnerRecord: object({ id, ...innerRecord }),
  Domain: object({
    zone_id: id,
    zone: text,
    user: object({ id, email: text }),
    records: { type: "array", items: { $ref: "#/components/schemas/InnerRecord" } },
  }),
  CreatedDomain: object({ id, zone: text }),
  Change: object({
    id,
    zone: text,
    kind,
    previous_serial: orNull(serial),
    serial,
    actor: text,
    source,
    created_at: seconds,
    state,
    since: seconds,
    secondaries: {
      type: "array",
      items: object({ name: text, state, serial: orNull(serial), seen_at: orNull(seconds), last_error: nullableText }),
    },
  }),
  HistoryChange: object(
    {
      id,
      serial,
      previous_serial: orNull(serial),
      kind,
      actor: text,
      applied_by: nullableText,
      source,
      note: nullableText,
      change_set_id: orNull(integer("The change set that it is part of.")),
      undoes: orNull(integer("The change that it undid.")),
      returns_to: orNull(integer("The change that made the zone what this one made it again.")),
      added: integer("Records added, without the SOA."),
      removed: integer("Records removed, without the SOA."),
      created_at: seconds,
      added_records: changedRecords,
      removed_records: changedRecords,
    },
    ["added_records", "removed_records"],
  ),
  Import: object({
    change_id: orNull(id),
    serial: orNull(serial),
    added: integer("Records added, without the SOA."),
    removed: integer("Records removed, without the SOA."),
    added_records: firstRecords("added"),
    removed_records: firstRecords("removed"),
    loss: object({
      lost: integer("Records that go; one that only gets another TTL stays."),
      records: integer("Records of the zone before."),
      large: { type: "boolean", description: "Whether more than ten records and a tenth of the zone go." },
    }),
    warnings: { type: "array", items: text },
  }),
  Refusal: object(
    {
      code: { ...integer("The HTTP status.") },
      status: { const: "error" },
      message: { ...text, description: "What is wrong, and what to write instead." },
      error: { type: "string", enum: Object.keys(codes), description: "The error code; more of them may follow." },
      field: { ...text, description: "The field that is wrong." },
      error_id: { ...text, description: "The id under which the service log has the cause." },
      reasons: {
        type: "array",
        description: "What is wrong with a master file, by line.",
        items: object(
          {
            code: { type: "string", enum: Object.keys(codes) },
            message: text,
            field: text,
            line: integer("From 1."),
            owner: text,
            type: text,
            edits: { type: "array", items: text },
          },
          ["field", "line", "owner", "type", "edits"],
        ),
      },
    },
    ["field", "error_id", "reasons"],
  ),
} as const satisfies Record<string, Schema>;

/** A reference to a schema, and to a list of what it describes. */
export const schemaOf = (name: keyof typeof schemas): Schema => ({ $ref: `#/components/schemas/${name}` });
export const arrayOf = (name: keyof typeof schemas): Schema => ({ type: "array", items: schemaOf(name) });
