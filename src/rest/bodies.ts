/** The bodies of REST: of each field its JSON Schema, and the function that reads its value from GraphQL's data. */
import { codes } from "../error-codes.ts";
import type { Refusal } from "../errors.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** A field of a body. An optional field is left out when its value is undefined. */
type BodyField<Data> = readonly [schema: Schema, read: (data: Data) => unknown, isOptional?: "optional"];

interface Body<Data> {
  readonly schema: Schema;
  readonly view: (data: Data) => Readonly<Record<string, unknown>>;
}

function bodyOf<Data>(fields: Readonly<Record<string, BodyField<Data>>>): Body<Data> {
  const entries = Object.entries(fields);
  const properties = Object.fromEntries(entries.map(([name, [schema]]) => [name, schema]));
  const optional = entries.filter(([, [, , isOptional]]) => isOptional).map(([name]) => name);
  const readers = entries.map(([name, [, read]]) => [name, read] as const);
  const empty = Object.fromEntries(entries.map(([name]) => [name, undefined]));
  return {
    schema: object(properties, optional),
    view: (data) => {
      // A copy has the fields already, so that setting them is as fast as in a literal.
      const body: Record<string, unknown> = { ...empty };
      for (const [name, read] of readers) body[name] = read(data);
      return body;
    },
  };
}

const object = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const text: Schema = { type: "string" };
const integer = (description: string): Schema => ({ type: "integer", minimum: 0, description });
const serial: Schema = { type: "integer", minimum: 0, maximum: 4294967295, description: "SOA serial (RFC 1982)." };
const orNull = ({ type, ...schema }: Schema): Schema => ({ ...schema, type: [type, "null"] });
const seconds: Schema = {
  type: "string",
  pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d$",
  description: "Time in UTC, without a zone.",
};
const microseconds = { ...seconds, pattern: "^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d\\.\\d{6}$" };
const kind: Schema = { type: "string", enum: ["CREATE", "EDIT", "DELETE", "RESTORE"] };
const source: Schema = { type: "string", enum: ["graphql", "rest", "console", "update", "import", "system"] };
const state: Schema = { type: "string", enum: ["UNSERVED", "PENDING", "LIVE", "LATE"] };
const id = integer("From 10^15 up, below 2^53.");
const digits: Schema = { type: "string", pattern: "^\\d+$", description: "The digits of the id." };
const withoutSoa = (verb: string) => integer(`Records ${verb}, without the SOA.`);

type Time = string | Date;
const iso = (time: Time) => new Date(time).toISOString();
const secondsOf = (time: Time) => iso(time).slice(0, 19);
const microsecondsOf = (time: Time) => `${iso(time).slice(0, 23).replace("T", " ")}000`;

interface WithId {
  readonly id: string;
}
const idOf = (object: WithId) => Number(object.id);
const idOrNull = (object: WithId | null) => object && Number(object.id);

export interface UserData extends WithId {
  readonly email: string;
  readonly createdAt: Time;
}

const userFields: Readonly<Record<string, BodyField<UserData>>> = {
  id: [digits, ({ id }) => id],
  email: [text, ({ email }) => email],
  created_at: [seconds, ({ createdAt }) => secondsOf(createdAt)],
};

export const user = bodyOf(userFields);

export const createdUser = bodyOf<UserData>({
  ...userFields,
  created_at: [microseconds, ({ createdAt }) => microsecondsOf(createdAt)],
});

export interface RecordFields {
  readonly owner: string;
  readonly rdata: string;
  readonly type: string;
  readonly ttl: number;
}

export interface RecordData extends RecordFields, WithId {
  readonly zone: string;
}

const recordFields: Readonly<Record<keyof RecordFields, BodyField<RecordFields>>> = {
  owner: [{ ...text, description: "Relative to the zone; `@` is the apex." }, ({ owner }) => owner],
  rdata: [{ ...text, description: "In canonical presentation form." }, ({ rdata }) => rdata],
  type: [{ ...text, description: "Mnemonic, upper case." }, ({ type }) => type],
  ttl: [
    { type: "string", pattern: "^\\d+$", description: "Seconds, as a string of digits." },
    ({ ttl }) => String(ttl),
  ],
};

const changedRecord = bodyOf<RecordFields>(recordFields);

export const innerRecord = bodyOf<RecordData>({ id: [id, idOf], ...recordFields });

const { owner, rdata, type, ttl } = recordFields;

export const record = bodyOf<RecordData>({ id: [id, idOf], owner, rdata, zone: [text, ({ zone }) => zone], type, ttl });

export interface PageData<Node> {
  readonly nodes: Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly totalCount?: number;
}

/** A domain as GraphQL returns it, with its first page of records. */
export interface DomainData {
  readonly zone_id: string;
  readonly zone: string;
  readonly user: { readonly id: string; readonly email: string };
  readonly records: PageData<RecordData>;
}

/** A domain up to its records, which are written as they are read (body-text.ts). */
const domain: Readonly<Record<string, BodyField<DomainData>>> = {
  zone_id: [id, ({ zone_id }) => Number(zone_id)],
  zone: [text, ({ zone }) => zone],
  user: [object({ id, email: text }), ({ user }) => ({ id: Number(user.id), email: user.email })],
};
const opening = bodyOf(domain);

export const domainOpening = (data: DomainData) => `${JSON.stringify(opening.view(data)).slice(0, -1)},"records":[`;

export const createdDomain = bodyOf<WithId & { readonly zone: string }>({
  id: [id, idOf],
  zone: [text, ({ zone }) => zone],
});

export interface ChangeData extends WithId {
  readonly zone: string;
  readonly kind: string;
  readonly previousSerial: number | null;
  readonly serial: number;
  readonly actor: string;
  readonly source: string;
  readonly createdAt: Time;
  readonly publication: {
    readonly state: string;
    readonly since: Time;
    readonly secondaries: readonly ServedData[];
  };
}

interface ServedData {
  readonly name: string;
  readonly state: string;
  readonly serial: number | null;
  readonly seenAt: Time | null;
  readonly lastError: string | null;
}

const served = bodyOf<ServedData>({
  name: [text, ({ name }) => name],
  state: [state, ({ state }) => state],
  serial: [orNull(serial), ({ serial }) => serial],
  seen_at: [orNull(seconds), ({ seenAt }) => seenAt && secondsOf(seenAt)],
  last_error: [orNull(text), ({ lastError }) => lastError],
});

export const change = bodyOf<ChangeData>({
  id: [id, idOf],
  zone: [text, ({ zone }) => zone],
  kind: [kind, ({ kind }) => kind],
  previous_serial: [orNull(serial), ({ previousSerial }) => previousSerial],
  serial: [serial, ({ serial }) => serial],
  actor: [text, ({ actor }) => actor],
  source: [source, ({ source }) => source.toLowerCase()],
  created_at: [seconds, ({ createdAt }) => secondsOf(createdAt)],
  state: [state, ({ publication }) => publication.state],
  since: [seconds, ({ publication }) => secondsOf(publication.since)],
  secondaries: [{ type: "array", items: served.schema }, ({ publication }) => publication.secondaries.map(served.view)],
});

/** A change of a zone's history as GraphQL returns it. */
interface HistoryData extends Omit<ChangeData, "zone" | "publication"> {
  readonly appliedBy: string | null;
  readonly note: string | null;
  readonly undoes: WithId | null;
  readonly returnsTo: WithId | null;
  readonly changeSet: WithId | null;
  readonly added: SideData;
  readonly removed: SideData;
  /** Only with `records=yes`. */
  readonly addedRecords?: { readonly nodes: readonly RecordFields[] };
  readonly removedRecords?: { readonly nodes: readonly RecordFields[] };
}

/** The number of records that a change removed or added, and the first; an SOA is the first. */
interface SideData {
  readonly totalCount: number;
  readonly nodes: readonly { readonly type: string }[];
}

const countBesidesSoa = ({ totalCount, nodes: [first] }: SideData) => totalCount - Number(first?.type === "SOA");
const changedRecords: Schema = {
  type: "array",
  maxItems: 100,
  items: changedRecord.schema,
  description: "With `records=yes`: the first records, the SOA before the others.",
};

export const historyChange = bodyOf<HistoryData>({
  id: [id, idOf],
  serial: [serial, ({ serial }) => serial],
  previous_serial: [orNull(serial), ({ previousSerial }) => previousSerial],
  kind: [kind, ({ kind }) => kind],
  actor: [text, ({ actor }) => actor],
  applied_by: [orNull(text), ({ appliedBy }) => appliedBy],
  source: [source, ({ source }) => source.toLowerCase()],
  note: [orNull(text), ({ note }) => note],
  change_set_id: [orNull(integer("The change set that it is part of.")), ({ changeSet }) => idOrNull(changeSet)],
  undoes: [orNull(integer("The change that it undid.")), ({ undoes }) => idOrNull(undoes)],
  returns_to: [
    orNull(integer("The change that made the zone what this one made it again.")),
    ({ returnsTo }) => idOrNull(returnsTo),
  ],
  added: [withoutSoa("added"), ({ added }) => countBesidesSoa(added)],
  removed: [withoutSoa("removed"), ({ removed }) => countBesidesSoa(removed)],
  created_at: [seconds, ({ createdAt }) => secondsOf(createdAt)],
  added_records: [changedRecords, ({ addedRecords }) => addedRecords?.nodes.map(changedRecord.view), "optional"],
  removed_records: [changedRecords, ({ removedRecords }) => removedRecords?.nodes.map(changedRecord.view), "optional"],
});

/** The result of the import of a master file; the lists hold its first records. */
export interface ImportData {
  readonly change: { readonly id: number; readonly serial: number } | null;
  /** The serial of the zone; null when the zone does not exist yet. */
  readonly serial: number | null;
  readonly added: number;
  readonly removed: number;
  readonly addedRecords: readonly RecordFields[];
  readonly removedRecords: readonly RecordFields[];
  readonly loss: { readonly lostCount: number; readonly recordCount: number; readonly isLarge: boolean };
  /** The first notices, and the number of all. */
  readonly notices: readonly { readonly message: string }[];
  readonly noticeCount: number;
}

const firstRecords = (verb: string): Schema => ({
  type: "array",
  maxItems: 1000,
  items: changedRecord.schema,
  description: `The first records ${verb}; before them the SOA, when more of it changes than its serial.`,
});

const loss = bodyOf<ImportData["loss"]>({
  lost: [integer("Records that go; one that only gets another TTL stays."), ({ lostCount }) => lostCount],
  records: [integer("Records of the zone before."), ({ recordCount }) => recordCount],
  large: [
    { type: "boolean", description: "Whether more than ten records and a tenth of the zone go." },
    ({ isLarge }) => isLarge,
  ],
});

function warningsOf({ notices, noticeCount }: ImportData): string[] {
  const more = noticeCount - notices.length;
  return [...notices.map(({ message }) => message), ...(more > 0 ? [`And ${more} more.`] : [])];
}

export const importResult = bodyOf<ImportData>({
  change_id: [orNull(id), ({ change }) => change?.id ?? null],
  serial: [orNull(serial), ({ change }) => change?.serial ?? null],
  added: [withoutSoa("added"), ({ added }) => added],
  removed: [withoutSoa("removed"), ({ removed }) => removed],
  added_records: [firstRecords("added"), ({ addedRecords }) => addedRecords.map(changedRecord.view)],
  removed_records: [firstRecords("removed"), ({ removedRecords }) => removedRecords.map(changedRecord.view)],
  loss: [loss.schema, (result) => loss.view(result.loss)],
  warnings: [{ type: "array", items: text }, warningsOf],
});

/** The body of a refusal. The refusal of a master file lists the reason of each line. */
export function restBody(refusal: Refusal, status: number = codes[refusal.code].status): unknown {
  const { code, message, field, reasons, details } = refusal;
  const more = {
    ...(field !== undefined && { field }),
    ...(details?.errorId !== undefined && { error_id: details.errorId }),
    ...(reasons.some(({ line }) => line !== undefined) && { reasons }),
  };
  return { code: status, status: "error", message, error: code, ...more };
}

const code: Schema = { type: "string", enum: Object.keys(codes) };
const reason = object(
  {
    code,
    message: text,
    field: text,
    part: text,
    line: integer("From 1."),
    owner: text,
    type: text,
    edits: { type: "array", items: text },
  },
  ["field", "part", "line", "owner", "type", "edits"],
);

export const schemas = {
  User: user.schema,
  CreatedUser: createdUser.schema,
  Email: object({ email: text }),
  Record: record.schema,
  InnerRecord: innerRecord.schema,
  Domain: bodyOf<DomainData>({
    ...domain,
    records: [{ type: "array", items: { $ref: "#/components/schemas/InnerRecord" } }, ({ records }) => records],
  }).schema,
  CreatedDomain: createdDomain.schema,
  Change: change.schema,
  HistoryChange: historyChange.schema,
  Import: importResult.schema,
  Refusal: object(
    {
      code: integer("The HTTP status."),
      status: { const: "error" },
      message: { ...text, description: "What is wrong, and what to write instead." },
      error: { ...code, description: "The error code; more of them may follow." },
      field: { ...text, description: "The field that is wrong." },
      error_id: { ...text, description: "The id under which the service log has the cause." },
      reasons: { type: "array", description: "What is wrong with a master file, by line.", items: reason },
    },
    ["field", "error_id", "reasons"],
  ),
} as const satisfies Record<string, Schema>;

/** A reference to a schema, and the schema of a list of such objects. */
export const schemaOf = (name: keyof typeof schemas): Schema => ({ $ref: `#/components/schemas/${name}` });
export const arrayOf = (name: keyof typeof schemas): Schema => ({ type: "array", items: schemaOf(name) });
