/**
 * Mutations that are done, refused, and refused before they run, for a zone with an `a A 192.0.2.1` of TTL 300 and a trigger that fails.
 */
import type { Json } from "./service.ts";

/** What a mutation writes to. */
export interface Target {
  readonly zone: string;
  readonly user: string;
  readonly recordId: string;
  readonly soaId: string;
}

/** A request. */
export interface Sent {
  readonly query: string;
  readonly variables?: Json;
  readonly extensions?: Json;
}

const change = "change { id zone kind previousSerial serial actor door createdAt added { nodes { owner rdata } } }";
export const create = `mutation Create($input: CreateRecordInput!) { createRecord(input: $input) { record { id owner type ttl rdata domain { serial } } ${change} warnings } }`;
const update = `mutation ($input: UpdateRecordInput!) { updateRecord(input: $input) { record { ...R } ${change} } } fragment R on Record { id ttl data { __typename } }`;
const edits = `mutation ($input: ChangeRecordsInput!) { changeRecords(input: $input) { records { id rdata } added { owner type ttl rdata } removed { owner type ttl rdata } ${change} warnings } }`;
/** The variables of `create`. */
export const a = (zone: string, owner: string, rdata = "192.0.2.7") => ({ input: { zone, owner, type: "A", rdata } });

export const done: readonly [string, (target: Target) => Sent][] = [
  ["a record added", ({ zone }) => ({ query: create, variables: a(zone, "new") })],
  [
    "typed data",
    ({ zone }) => ({
      query: create,
      variables: { input: { zone, owner: "@", data: { mx: { preference: 10, exchange: "a" } } } },
    }),
  ],
  [
    "a warning",
    ({ zone }) => ({ query: create, variables: { input: { zone, owner: "@", type: "MX", rdata: "10 nowhere" } } }),
  ],
  [
    "values in the document",
    ({ zone }) => ({
      query: `mutation { createRecord(input: { zone: "${zone}", owner: "b", type: "TXT", rdata: "ü" }) { record { rdata } } }`,
    }),
  ],
  ["a record edited", ({ recordId }) => ({ query: update, variables: { input: { id: recordId, ttl: 60 } } })],
  [
    "an edit that changes nothing",
    ({ recordId }) => ({ query: update, variables: { input: { id: recordId, ttl: 300 } } }),
  ],
  [
    "a record deleted",
    ({ recordId }) => ({
      query: `mutation ($id: ID!) { deleteRecord(input: { id: $id }) { deletedId ${change} } }`,
      variables: { id: recordId },
    }),
  ],
  [
    "many edits",
    ({ zone, recordId }) => ({
      query: edits,
      variables: {
        input: {
          zone,
          update: [{ id: recordId, rdata: "192.0.2.9" }],
          add: [{ owner: "c", type: "A", rdata: "192.0.2.2" }],
        },
      },
    }),
  ],
  [
    "a dry run",
    ({ zone, recordId }) => ({ query: edits, variables: { input: { zone, remove: [recordId], dryRun: true } } }),
  ],
  [
    "a domain",
    ({ zone, user }) => ({
      query:
        "mutation ($input: CreateDomainInput!) { createDomain(input: $input) { domain { zone user { email } } warnings change { serial } } }",
      variables: { input: { zone: `sub.${zone}`, userId: user } },
    }),
  ],
  [
    "a domain deleted",
    ({ zone }) => ({
      query: `mutation ($z: String!) { deleteDomain(input: { zone: $z }) { deletedId ${change} } }`,
      variables: { z: zone },
    }),
  ],
  [
    "a key",
    ({ zone }) => ({
      query: `mutation { createApiKey(input: { name: "${zone}" }) { key apiKey { id name createdAt } } }`,
    }),
  ],
  [
    "a user",
    ({ zone }) => ({ query: `mutation { createUser(input: { email: "me@${zone}" }) { user { id email } } }` }),
  ],
  [
    "a zone imported",
    ({ zone }) => ({
      query:
        "mutation ($input: ImportZoneInput!) { importZone(input: $input) { change { serial } warnings added { owner type } } }",
      variables: { input: { zone, mode: "MERGE", text: "imported 300 IN A 192.0.2.3\n" } },
    }),
  ],
  [
    "aliases, directives and the type's name",
    ({ zone }) => ({
      query: `mutation M($no: Boolean = false, $zone: String!, $x: String = "x") { __typename one: createRecord(input: { zone: $zone, owner: $x, type: "A", rdata: "192.0.2.1" }) { __typename record { id @skip(if: $no) o: owner @include(if: $no) } } two: createRecord(input: { zone: $zone, owner: "y", type: "A", rdata: "192.0.2.1" }) { change { serial } } }`,
      variables: { zone },
    }),
  ],
];

/** Each with the code of its first error. */
export const refused: readonly [string, string, (target: Target) => Sent][] = [
  ["data", "INVALID_RDATA", ({ zone }) => ({ query: create, variables: a(zone, "b", "nonsense") })],
  ["a twin", "DUPLICATE_RECORD", ({ zone }) => ({ query: create, variables: a(zone, "a", "192.0.2.1") })],
  ["a zone that is not there", "NOT_FOUND", ({ zone }) => ({ query: create, variables: a(`no.${zone}`, "a") })],
  ["an id that is none", "INVALID_VALUE", () => ({ query: update, variables: { input: { id: "x", ttl: 1 } } })],
  [
    "the SOA's removal",
    "PROTECTED_RECORD",
    ({ soaId }) => ({
      query: "mutation ($id: ID!) { deleteRecord(input: { id: $id }) { deletedId } }",
      variables: { id: soaId },
    }),
  ],
  [
    "two reasons",
    "INVALID_NAME",
    ({ zone }) => ({
      query: edits,
      variables: {
        input: {
          zone,
          add: [
            { owner: "a..b", type: "A", rdata: "1" },
            { owner: "b", type: "NO", rdata: "x" },
          ],
        },
      },
    }),
  ],
  [
    "an old serial",
    "STALE_SERIAL",
    ({ zone }) => ({
      query: edits,
      variables: { input: { zone, expectedSerial: 1, add: [{ owner: "b", type: "A", rdata: "192.0.2.1" }] } },
    }),
  ],
  [
    "an argument that class-validator checks",
    "INVALID_VALUE",
    () => ({ query: 'mutation { createApiKey(input: { name: "" }) { key } }' }),
  ],
  [
    "a name that is taken",
    "DUPLICATE_ZONE",
    ({ user }) => ({
      query: "mutation ($input: CreateDomainInput!) { createDomain(input: $input) { domain { id } } }",
      variables: { input: { zone: "taken.example", userId: user } },
    }),
  ],
  [
    "a text that Apollo's abortion has",
    "INVALID_RDATA",
    ({ zone }) => ({
      query: `mutation ($input: CreateRecordInput!) { a: createRecord(input: $input) { change { id } } b: createRecord(input: $input) { change { id } } }`,
      variables: a(zone, "b", "Validation aborted"),
    }),
  ],
  ["a failure of the database", "UNAVAILABLE", ({ zone }) => ({ query: create, variables: a(zone, "fail-53200") })],
  ["a failure of the service", "INTERNAL_ERROR", ({ zone }) => ({ query: create, variables: a(zone, "fail-22012") })],
  [
    "one of several",
    "UNAVAILABLE",
    ({ zone }) => ({
      query: `mutation ($z: String!) { a: createRecord(input: { zone: $z, owner: "n1", type: "A", rdata: "192.0.2.1" }) { change { serial } } b: createRecord(input: { zone: $z, owner: "fail-53300", type: "A", rdata: "192.0.2.1" }) { change { serial } } c: createRecord(input: { zone: $z, owner: "fail-53200", type: "A", rdata: "192.0.2.1" }) { change { serial } } d: createRecord(input: { zone: $z, owner: "n2", type: "A", rdata: "192.0.2.1" }) { record { owner } } }`,
      variables: { z: zone },
    }),
  ],
  [
    "a field of the answer",
    "INVALID_NAME",
    ({ zone }) => ({
      query:
        'mutation ($input: CreateRecordInput!) { createRecord(input: $input) { record { domain { zone records(owner: "a..b") { totalCount } } } } }',
      variables: a(zone, "b"),
    }),
  ],
];

export const notRun: readonly [string, string, (target: Target) => Sent][] = [
  [
    "a variable of the wrong type",
    "INVALID_VALUE",
    ({ zone }) => ({ query: create, variables: { input: { zone, owner: 1, type: "A", rdata: {} } } }),
  ],
  ["a variable that is missing", "MISSING_FIELD", () => ({ query: create })],
  [
    "a field that is not known",
    "BAD_REQUEST",
    ({ zone }) => ({ query: create, variables: { input: { ...a(zone, "b").input, no: 1 } } }),
  ],
  ["a document that is not valid", "MISSING_FIELD", () => ({ query: "mutation { createRecord { record { id } } }" })],
  [
    "too many rows",
    "QUERY_TOO_COMPLEX",
    ({ zone }) => ({
      query: `mutation ($input: CreateRecordInput!) { createRecord(input: $input) { record { domain { records(first: 1000) { nodes { domain { records(first: 1000) { nodes { id } } } } } } } } }`,
      variables: a(zone, "b"),
    }),
  ],
];
