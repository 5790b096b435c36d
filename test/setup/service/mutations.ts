/**
 * Mutations that are done, refused, and refused before they run, for a zone with an `a A 192.0.2.1` of TTL 300 and a trigger that fails.
 */
import { type Json, mutation } from "./service.ts";

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
const created = `record { id owner type ttl rdata domain { serial } } ${change} warnings`;
export const create = mutation("createRecord", created).replace("mutation", "mutation Create");
const update = `mutation ($input: UpdateRecordInput!) { updateRecord(input: $input) { record { ...R } ${change} } }
  fragment R on Record { id ttl data { __typename } }`;
const lists = "added { owner type ttl rdata } removed { owner type ttl rdata }";
const edits = mutation("changeRecords", `records { id rdata } ${lists} ${change} warnings`);
const remove = mutation("deleteRecord", `deletedId ${change}`);
const createDomain = mutation("createDomain", "domain { zone user { email } } warnings change { serial }");
const importZone = mutation("importZone", "change { serial } warnings added { owner type }");
/** The variables of `create`. */
export const a = (zone: string, owner: string, rdata = "192.0.2.7") => ({ input: { zone, owner, type: "A", rdata } });
/** A request with these variables. */
const send = (query: string, variables?: Json): Sent => ({ query, ...(variables && { variables }) });
const sendInput = (query: string, input: Json) => send(query, { input });
/** A field of a mutation that adds an address at an owner, which is written as it stands. */
const adding = (alias: string, owner: string, selection = "change { serial }") =>
  `${alias}: createRecord(input: { zone: $zone, owner: ${owner}, type: "A", rdata: "192.0.2.1" }) { ${selection} }`;
const mx = { mx: { preference: 10, exchange: "a" } };
const [a1, a2] = ["192.0.2.1", "192.0.2.2"].map((rdata) => ({ owner: "c", type: "A", rdata }));

export const done: readonly [string, (target: Target) => Sent][] = [
  ["a record added", ({ zone }) => send(create, a(zone, "new"))],
  ["typed data", ({ zone }) => sendInput(create, { zone, owner: "@", data: mx })],
  ["a warning", ({ zone }) => sendInput(create, { zone, owner: "@", type: "MX", rdata: "10 nowhere" })],
  [
    "values in the document",
    ({ zone }) =>
      send(
        `mutation { createRecord(input: { zone: "${zone}", owner: "b", type: "TXT", rdata: "ü" }) { record { rdata } } }`,
      ),
  ],
  ["a record edited", ({ recordId: id }) => sendInput(update, { id, ttl: 60 })],
  ["an edit that changes nothing", ({ recordId: id }) => sendInput(update, { id, ttl: 300 })],
  ["a record deleted", ({ recordId: id }) => sendInput(remove, { id })],
  [
    "many edits",
    ({ zone, recordId: id }) => sendInput(edits, { zone, update: [{ id, rdata: "192.0.2.9" }], add: [a2] }),
  ],
  ["a dry run", ({ zone, recordId }) => sendInput(edits, { zone, remove: [recordId], dryRun: true })],
  ["a domain", ({ zone, user }) => sendInput(createDomain, { zone: `sub.${zone}`, userId: user })],
  [
    "a domain deleted",
    ({ zone: z }) =>
      send(`mutation ($z: String!) { deleteDomain(input: { zone: $z }) { deletedId ${change} } }`, { z }),
  ],
  [
    "a key",
    ({ zone }) => send(`mutation { createApiKey(input: { name: "${zone}" }) { key apiKey { id name createdAt } } }`),
  ],
  ["a user", ({ zone }) => send(`mutation { createUser(input: { email: "me@${zone}" }) { user { id email } } }`)],
  [
    "a zone imported",
    ({ zone }) => sendInput(importZone, { zone, mode: "MERGE", text: "imported 300 IN A 192.0.2.3\n" }),
  ],
  [
    "aliases, directives and the type's name",
    ({ zone }) =>
      send(
        `mutation M($no: Boolean = false, $zone: String!, $x: String = "x") { __typename
          ${adding("one", "$x", "__typename record { id @skip(if: $no) o: owner @include(if: $no) }")} ${adding("two", '"y"')} }`,
        { zone },
      ),
  ],
];

/** Each with the code of its first error. */
export const refused: readonly [string, string, (target: Target) => Sent][] = [
  ["data", "INVALID_RDATA", ({ zone }) => send(create, a(zone, "b", "nonsense"))],
  ["a twin", "DUPLICATE_RECORD", ({ zone }) => send(create, a(zone, "a", "192.0.2.1"))],
  ["a zone that is not there", "NOT_FOUND", ({ zone }) => send(create, a(`no.${zone}`, "a"))],
  ["an id that is none", "INVALID_VALUE", () => sendInput(update, { id: "x", ttl: 1 })],
  ["the SOA's removal", "PROTECTED_RECORD", ({ soaId: id }) => sendInput(remove, { id })],
  [
    "two reasons",
    "INVALID_NAME",
    ({ zone }) =>
      sendInput(edits, {
        zone,
        add: [
          { ...a1, owner: "a..b" },
          { ...a1, type: "NO" },
        ],
      }),
  ],
  ["an old serial", "STALE_SERIAL", ({ zone }) => sendInput(edits, { zone, expectedSerial: 1, add: [a1] })],
  [
    "an argument that class-validator checks",
    "INVALID_VALUE",
    () => send('mutation { createApiKey(input: { name: "" }) { key } }'),
  ],
  [
    "a name that is taken",
    "DUPLICATE_ZONE",
    ({ user }) => sendInput(createDomain, { zone: "taken.example", userId: user }),
  ],
  [
    "a text that Apollo's abortion has",
    "INVALID_RDATA",
    ({ zone }) =>
      send(
        `mutation ($input: CreateRecordInput!) { a: createRecord(input: $input) { change { id } } b: createRecord(input: $input) { change { id } } }`,
        a(zone, "b", "Validation aborted"),
      ),
  ],
  ["a failure of the database", "UNAVAILABLE", ({ zone }) => send(create, a(zone, "fail-53200"))],
  ["a failure of the service", "INTERNAL_ERROR", ({ zone }) => send(create, a(zone, "fail-22012"))],
  [
    "one of several",
    "UNAVAILABLE",
    ({ zone }) =>
      send(
        `mutation ($zone: String!) { ${adding("a", '"n1"')} ${adding("b", '"fail-53300"')}
          ${adding("c", '"fail-53200"')} ${adding("d", '"n2"', "record { owner }")} }`,
        { zone },
      ),
  ],
  [
    "a field of the answer",
    "INVALID_NAME",
    ({ zone }) =>
      send(mutation("createRecord", 'record { domain { zone records(owner: "a..b") { totalCount } } }'), a(zone, "b")),
  ],
];

const pages = "records(first: 1000) { nodes { domain { records(first: 1000) { nodes { id } } } } }";

export const notRun: readonly [string, string, (target: Target) => Sent][] = [
  [
    "a variable of the wrong type",
    "INVALID_VALUE",
    ({ zone }) => sendInput(create, { zone, owner: 1, type: "A", rdata: {} }),
  ],
  ["a variable that is missing", "MISSING_FIELD", () => send(create)],
  ["a field that is not known", "BAD_REQUEST", ({ zone }) => sendInput(create, { ...a(zone, "b").input, no: 1 })],
  ["a document that is not valid", "MISSING_FIELD", () => send("mutation { createRecord { record { id } } }")],
  [
    "too many rows",
    "QUERY_TOO_COMPLEX",
    ({ zone }) => send(mutation("createRecord", `record { domain { ${pages} } }`), a(zone, "b")),
  ],
];
