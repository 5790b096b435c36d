/** What the schema says besides the types, and that a field that is refused takes nothing else of the answer with it. */
import { expect, test } from "@jest/globals";
import {
  defaultFieldResolver,
  type GraphQLObjectType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { codes } from "../../../src/error-codes.ts";
import { limits } from "../../../src/graphql/query-limits.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();

test("every code is a value of ErrorCode, with its HTTP status and its meaning", async () => {
  const document = '{ __type(name: "ErrorCode") { enumValues { name description } } }';
  const { enumValues } = (await service.data(document)).__type;
  const described = Object.entries(codes).map(([name, { status, meaning }]) => `${name}: HTTP ${status}: ${meaning}`);
  const shown = enumValues.map(({ name, description }: Json) => `${name}: ${description}`);
  expect(shown.toSorted()).toEqual(described.toSorted());
});

test("every field that holds a code is an ErrorCode, those of notices and findings aside", async () => {
  const document = "{ __schema { types { name fields { name type { name ofType { name } } } } } }";
  const { types } = (await service.data(document)).__schema;
  const holders = types.flatMap(({ name, fields }: Json) =>
    (fields ?? [])
      .filter((field: Json) => field.name === "code" && name !== "RecordTypeInfo")
      .map(({ type }: Json) => `${name} ${type.name ?? type.ofType.name}`),
  );
  const ofErrors = [
    ..."AuditEntry ChangeSetFailure ErrorExtensions ErrorReason RefusedEditOfRecord".split(" "),
    ..."RevertConflict UpdateRefusal".split(" "),
  ];
  const expected = [...ofErrors.map((name) => `${name} ErrorCode`), "Notice NoticeCode", "Finding FindingCode"];
  expect(holders.toSorted()).toEqual(expected.toSorted());
});

test("what an error holds is what ErrorExtensions says", async () => {
  const type = (name: string) => `${name}: __type(name: "${name}") { fields { name type { kind } } }`;
  const names = ["ErrorExtensions", "ErrorDetails", "ErrorReason"];
  const types = await service.data(`{ ${names.map(type).join(" ")} }`);
  const expectFits = (value: Json, name: string) => {
    const fields: Json[] = types[name].fields;
    expect(fields.map((field) => field.name)).toEqual(expect.arrayContaining(Object.keys(value)));
    const required = fields.filter((field) => field.type.kind === "NON_NULL").map((field) => field.name);
    expect(Object.keys(value)).toEqual(expect.arrayContaining(required));
  };
  const userId = await service.user("errors@example.com");
  await service.domain("errors.example.com", userId);
  const change = (edits: string) =>
    `mutation { changeRecords(input: { zone: "errors.example.com", ${edits} }) { notices { code } } }`;
  const documents = [
    "{ nothing }",
    '{ domain(by: { zone: "absent.example" }) { id } }',
    change("expectedSerial: 1"),
    change('add: [{ owner: "www", type: "A", rdata: "192.0.2.1" }]'),
    change('add: [{ owner: "x", type: "A", rdata: "x" }, { owner: "y", type: "A", rdata: "y" }]'),
    `mutation { importZone(input: { zone: "errors.example.com", mode: REPLACE, text: "a A x" }) { notices { code } } }`,
  ];
  for (const document of documents) {
    const [{ extensions }] = (await service.graphql(document)).body.errors;
    expectFits(extensions, "ErrorExtensions");
    expectFits(extensions.details, "ErrorDetails");
    for (const reason of extensions.details.reasons) expectFits(reason, "ErrorReason");
  }
});

test("the schema says how to authenticate, what an error holds, where streams are, and the limits that hold", async () => {
  const { description } = (await service.data("{ __schema { description } }")).__schema;
  for (const word of [
    "X-API-Key",
    "extensions",
    "retryAfter",
    "add.3.rdata",
    "text/event-stream",
    "DateTime",
    "Serial",
  ])
    expect(description).toContain(word);
  for (const limit of [limits.tokens, limits.depth, limits.selections, limits.fragments, limits.rows])
    expect(description).toContain(limit.toLocaleString("en"));
});

test("a query that is answered stays beside one that was refused", async () => {
  const { body } = await service.graphql(
    '{ viewer { role } users(after: "x") { nodes { id } } record(id: "1") { id } }',
  );
  expect(body.data).toEqual({ viewer: { role: "ADMINISTRATOR" }, users: null, record: null });
  expect(body.errors.map(({ path }: Json) => path[0]).toSorted()).toEqual(["record", "users"]);
});

test("a page keeps its rows when one field of them is refused", async () => {
  const long = "long.example.com";
  await service.domain(long, await service.user("long@example.com"));
  for (const part of [0, 1]) {
    const add = Array.from({ length: 600 }, (_, at) => ({ owner: `h${part}-${at}`, type: "A", rdata: "192.0.2.1" }));
    await service.mutate("changeRecords", { zone: long, add }, "change { id }");
  }
  const { body } = await service.graphql(
    `{ domains(first: 2, filter: { zoneContains: "long" }) { nodes { zone zoneFile records(first: 1, owner: "a..b") { totalCount } } } }`,
  );
  expect(body.data.domains.nodes).toEqual([{ zone: long, zoneFile: null, records: null }]);
  const codes = body.errors.map(({ extensions }: Json) => extensions.code);
  expect(codes.toSorted()).toEqual(["INVALID_NAME", "TOO_LARGE"]);
});

/** Fields that nothing can refuse: their resolver computes from the row alone, or leaves out what it cannot count (Service.warnings). */
const computed: Readonly<Record<string, string>> = {
  Catalog: "memberCount",
  ChangeSetPreview:
    "addedCount changedZoneCount conflictCount requiredApprovals demandingZones removedCount deletedZoneCount largeLossCount largeLosses",
  ChangeSetZone: "reasons",
  DeletedDomain: "domainId zoneUnicode",
  DiffLine: "op rdata ttl",
  Domain: "zoneUnicode",
  DomainEvent: "cursor",
  ErrorReason: "message",
  Notice: "message",
  PastRecord: "recordId",
  Record: "data ownerUnicode",
  Service: "warnings",
  User: "quota",
  WebhookDelivery: "state",
  ZoneMoment: "serial",
  ZonePreview: "action zone",
};

test("every field that can be refused is nullable", async () => {
  const schema = await createSchema();
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const isRefusable = (type: GraphQLObjectType, name: string) => {
    const { resolve } = type.getFields()[name] ?? {};
    const isRoot = type === schema.getQueryType() || type === schema.getMutationType();
    return isRoot || (resolve !== undefined && resolve !== defaultFieldResolver);
  };
  const nonNull = types
    .filter((type) => !isIntrospectionType(type) && type !== schema.getSubscriptionType())
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    .filter(({ type, field }) => isNonNullType(field.type) && isRefusable(type, field.name))
    .filter(({ type, field }) => !computed[type.name]?.split(" ").includes(field.name))
    .map(({ type, field }) => `${type.name}.${field.name}`);
  expect(nonNull).toEqual([]);
});
