/** One field that is refused takes nothing else of the answer with it. */
import { beforeAll, expect, test } from "@jest/globals";
import {
  defaultFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { testZone } from "../../setup/service/graphql-zone.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = testZone(service);

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await createSchema();
});

test("a mutation that was committed is answered beside one that was refused", async () => {
  const create = (rdata: string) =>
    `createRecord(input: { zone: "${zone.name}", owner: "a", type: "A", rdata: "${rdata}" }) { record { owner } change { serial } }`;
  const { serial } = await zone.read();
  const { status, body } = await service.graphql(`mutation { a: ${create("192.0.2.1")} b: ${create("nonsense")} }`);
  expect(status).toBe(200);
  expect(body.data).toEqual({ a: { record: { owner: "a" }, change: { serial: serial + 1 } }, b: null });
  expect(body.errors).toMatchObject([{ path: ["b"], extensions: { code: "INVALID_RDATA", field: "rdata" } }]);
});

test("a query that is answered stays beside one that was refused", async () => {
  const { body } = await service.graphql(
    `{ domain(by: { zone: "${zone.name}" }) { zone } users(after: "x") { nodes { id } } record(id: "1") { id } }`,
  );
  expect(body.data).toEqual({ domain: { zone: zone.name }, users: null, record: null });
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

/** Fields whose resolver computes from the row alone, so that nothing can refuse them. */
const computed: Readonly<Record<string, string>> = {
  Catalog: "memberCount",
  ChangeSetPreview: "addedCount changedZoneCount conflictCount approvalsNeeded demandingZones removedCount",
  ChangeSetZone: "reasons",
  DeletedDomain: "domainId zoneUnicode",
  DiffLine: "op rdata ttl",
  Domain: "zoneUnicode",
  DomainEvent: "cursor",
  PastRecord: "recordId",
  Record: "data fields ownerUnicode",
  User: "quota",
  WebhookDelivery: "state",
  ZoneMoment: "serial",
  ZonePreview: "action zone",
};

test("every field that can be refused is nullable", () => {
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
