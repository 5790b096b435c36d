/**
 * Mutations that are done, refused, and refused before they run, for a zone with an `a A 192.0.2.1` of TTL 300 and a trigger that fails.
 */
import { type Json, mutation } from "./client.ts";

export interface Target {
  readonly zone: string;
  readonly user: string;
  readonly recordId: string;
  readonly soaId: string;
}

export interface Sent {
  readonly query: string;
  readonly variables?: Json;
  readonly extensions?: Json;
}

const change = "change { id zone kind previousSerial serial actor source createdAt added { nodes { owner rdata } } }";
const createRecord = mutation(
  "createRecord",
  `record { id owner type ttl rdata domain { serial } } ${change} notices { message }`,
);
export const create = createRecord.replace("mutation", "mutation Create");
const update = `${mutation("updateRecord", `record { ...R } ${change}`)} fragment R on Record { id ttl data { __typename } }`;
const fields = "owner type ttl rdata";
const edited = `records { id rdata } added { ${fields} } removed { ${fields} } ${change} notices { message }`;
const edits = mutation("changeRecords", edited);
const selectDomain = "domain { zone user { email } } notices { message } change { serial }";
const selectImport = "change { serial } notices { message } added { owner type }";
const recordsOf = (selected: string) => `domain { records(first: 1000) { nodes { ${selected} } } }`;

/** The variables of `create`. */
export const a = (zone: string, owner: string, rdata = "192.0.2.7") => ({ input: { zone, owner, type: "A", rdata } });
const input = (query: string, values: object): Sent => ({ query, variables: { input: values } });
/** A record in a document, with other fields of the payload. */
const inline = (zone: string, owner: string, selected: string) =>
  `createRecord(input: { zone: ${zone}, owner: ${owner}, type: "A", rdata: "192.0.2.1" }) { ${selected} }`;

export const done: readonly [string, (target: Target) => Sent][] = [
  ["a record added", ({ zone }) => ({ query: create, variables: a(zone, "new") })],
  ["typed data", ({ zone }) => input(create, { zone, owner: "@", data: { mx: { preference: 10, exchange: "a" } } })],
  ["a warning", ({ zone }) => input(create, { zone, owner: "@", type: "MX", rdata: "10 nowhere" })],
  [
    "values in the document",
    ({ zone }) => ({
      query: `mutation { createRecord(input: { zone: "${zone}", owner: "b", type: "TXT", rdata: "ü" }) { record { rdata } } }`,
    }),
  ],
  ["a record edited", ({ recordId }) => input(update, { recordId, ttl: 60 })],
  ["an edit that changes nothing", ({ recordId }) => input(update, { recordId, ttl: 300 })],
  ["a record deleted", ({ recordId }) => input(mutation("deleteRecord", `deletedId ${change}`), { recordId })],
  [
    "many edits",
    ({ zone, recordId }) => {
      const add = [{ owner: "c", type: "A", rdata: "192.0.2.2" }];
      return input(edits, { zone, update: [{ recordId, rdata: "192.0.2.9" }], add });
    },
  ],
  ["a dry run", ({ zone, recordId }) => input(edits, { zone, remove: [recordId], dryRun: true })],
  [
    "a domain",
    ({ zone, user }) => input(mutation("createDomain", selectDomain), { zone: `sub.${zone}`, userId: user }),
  ],
  [
    "a domain deleted",
    ({ zone }) => ({
      query: `mutation ($z: String!) { deleteDomain(input: { by: { zone: $z } }) { deletedId ${change} } }`,
      variables: { z: zone },
    }),
  ],
  ["a key", ({ zone }) => input(mutation("createApiKey", "key apiKey { id name createdAt }"), { name: zone })],
  ["a user", ({ zone }) => input(mutation("createUser", "user { id email }"), { email: `me@${zone}` })],
  [
    "a zone imported",
    ({ zone }) =>
      input(mutation("importZone", selectImport), { zone, mode: "MERGE", text: "imported 300 IN A 192.0.2.3\n" }),
  ],
  [
    "aliases, directives and the type's name",
    ({ zone }) => {
      const one = inline("$zone", "$x", "__typename record { id @skip(if: $no) o: owner @include(if: $no) }");
      const two = inline("$zone", '"y"', "change { serial }");
      const query = `mutation M($no: Boolean = false, $zone: String!, $x: String = "x") { __typename one: ${one} two: ${two} }`;
      return { query, variables: { zone } };
    },
  ],
];

/** Each with the code of its first error. */
export const refused: readonly [string, string, (target: Target) => Sent][] = [
  ["data", "INVALID_RDATA", ({ zone }) => ({ query: create, variables: a(zone, "b", "nonsense") })],
  ["a twin", "DUPLICATE_RECORD", ({ zone }) => ({ query: create, variables: a(zone, "a", "192.0.2.1") })],
  ["a zone that is not there", "NOT_FOUND", ({ zone }) => ({ query: create, variables: a(`no.${zone}`, "a") })],
  [
    "the SOA's removal",
    "PROTECTED_RECORD",
    ({ soaId }) => input(mutation("deleteRecord", "deletedId"), { recordId: soaId }),
  ],
  [
    "two reasons",
    "INVALID_NAME",
    ({ zone }) => {
      const wrong = { owner: "b", type: "NO", rdata: "x" };
      return input(edits, { zone, add: [{ owner: "a..b", type: "A", rdata: "1" }, wrong] });
    },
  ],
  [
    "an old serial",
    "STALE_SERIAL",
    ({ zone }) => input(edits, { zone, expectedSerial: 1, add: [{ owner: "b", type: "A", rdata: "192.0.2.1" }] }),
  ],
  [
    "an argument that class-validator checks",
    "INVALID_VALUE",
    () => ({ query: 'mutation { createApiKey(input: { name: "" }) { key } }' }),
  ],
  [
    "a name that is taken",
    "DUPLICATE_ZONE",
    ({ user }) => input(mutation("createDomain", "domain { id }"), { zone: "taken.example", userId: user }),
  ],
  [
    "a text that Apollo's abortion has",
    "INVALID_RDATA",
    ({ zone }) => {
      const one = "createRecord(input: $input) { change { id } }";
      const query = `mutation ($input: CreateRecordInput!) { a: ${one} b: ${one} }`;
      return { query, variables: a(zone, "b", "Validation aborted") };
    },
  ],
  ["a failure of the database", "UNAVAILABLE", ({ zone }) => ({ query: create, variables: a(zone, "fail-53200") })],
  ["a failure of the service", "INTERNAL_ERROR", ({ zone }) => ({ query: create, variables: a(zone, "fail-22012") })],
  [
    "one of several",
    "UNAVAILABLE",
    ({ zone }) => {
      const owners = Object.entries({ a: "n1", b: "fail-53300", c: "fail-53200", d: "n2" });
      const several = owners.map(([alias, owner]) => `${alias}: ${inline("$z", `"${owner}"`, "change { serial }")}`);
      return { query: `mutation ($z: String!) { ${several.join(" ")} }`, variables: { z: zone } };
    },
  ],
  [
    "a field of the answer",
    "INVALID_NAME",
    ({ zone }) => ({
      query: mutation("createRecord", 'record { domain { zone records(owner: "a..b") { totalCount } } }'),
      variables: a(zone, "b"),
    }),
  ],
];

export const notRun: readonly [string, string, (target: Target) => Sent][] = [
  ["an id that is none", "INVALID_VALUE", () => input(update, { recordId: "x", ttl: 1 })],
  [
    "a variable of the wrong type",
    "INVALID_VALUE",
    ({ zone }) => input(create, { zone, owner: 1, type: "A", rdata: {} }),
  ],
  ["a variable that is missing", "MISSING_FIELD", () => ({ query: create })],
  ["a field that is not known", "BAD_REQUEST", ({ zone }) => input(create, { ...a(zone, "b").input, no: 1 })],
  ["a document that is not valid", "MISSING_FIELD", () => ({ query: "mutation { createRecord { record { id } } }" })],
  [
    "too many rows",
    "QUERY_TOO_COMPLEX",
    ({ zone }) => ({
      query: mutation("createRecord", `record { ${recordsOf(recordsOf("id"))} }`),
      variables: a(zone, "b"),
    }),
  ],
];
