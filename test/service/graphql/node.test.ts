/** Ids: one number is one object, whatever its type, and `node` reads any of them. */
import { beforeAll, expect, test } from "@jest/globals";
import { isObjectType } from "graphql";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { idRemainders } from "../../../src/sql/typed-ids.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { Actors, type Fixture } from "../../setup/service/actors.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const actors = new Actors(service);
let fixture: Fixture;
beforeAll(async () => {
  await actors.enter();
  fixture = await actors.fixture();
});

/** Every id that the schema shows, with its type, by the lists of an administrator. */
const everything = `{
  users(first: 100) { nodes { __typename id } }
  domains(first: 10) { nodes { __typename id changes { nodes { __typename id } } records { nodes { __typename id } } } }
  apiKeys(first: 100) { nodes { __typename id } } tsigKeys(first: 100) { nodes { __typename id } }
  secondaries(first: 100) { nodes { __typename id } }
}`;

function idsOf(data: Json): [string, string][] {
  if (typeof data !== "object" || data === null) return [];
  const own: [string, string][] = typeof data.id === "string" ? [[data.id, data.__typename]] : [];
  return [...own, ...Object.values(data).flatMap(idsOf)];
}

test("no two objects have the same id, and an id says its type", async () => {
  const ids = idsOf(await service.data(everything));
  expect(new Set(ids.map(([, type]) => type)).size).toBe(7);
  expect(new Set(ids.map(([id]) => id)).size).toBe(ids.length);
  for (const [id, type] of ids) expect([type, Number(id) % 16]).toEqual([type, idRemainders[type as "User"]]);
});

test("node reads every object by its id, with its type", async () => {
  for (const [id, type] of idsOf(await service.data(everything)))
    expect((await service.data(`{ node(id: "${id}") { __typename id } }`)).node).toEqual({ __typename: type, id });
});

test("node reads the fields of the type that a fragment names", async () => {
  const { domainId, zone, recordId } = fixture;
  const document = `query ($id: ID!) { node(id: $id) { id ...Zone ... on Record { domain { zone } } } }
    fragment Zone on Domain { zone user { email } }`;
  const read = async (id: string) => (await service.data(document, { id })).node;
  expect(await read(domainId)).toEqual({ id: domainId, zone, user: { email: "alice@example.com" } });
  expect(await read(recordId)).toEqual({ id: recordId, domain: { zone } });
});

test("node shows nothing that the key may not see, and says of it what it says of nothing", async () => {
  const key = actors.key("another user");
  const { domainId, recordId, changeId, aliceId, keyId, tsigKeyId, secondaryId } = fixture;
  for (const id of [domainId, recordId, changeId, aliceId, keyId, tsigKeyId, secondaryId, "1000000000999999"]) {
    const { body } = await service.graphql(`{ node(id: "${id}") { id } }`, {}, key);
    expect(body.data).toEqual({ node: null });
    expect(body.errors).toMatchObject([
      { message: `There is nothing of the id ${id}.`, extensions: { code: "NOT_FOUND", field: "id" } },
    ]);
  }
});

test("every type that has an id is a Node", async () => {
  const schema = await createSchema();
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const withId = types.filter((type) => "id" in type.getFields());
  expect(withId.map(({ name }) => name).toSorted()).toEqual(Object.keys(idRemainders).toSorted());
  expect(withId.filter((type) => !type.getInterfaces().some(({ name }) => name === "Node"))).toEqual([]);
});

test("an id from before is read by the type that a fragment names, when it is that of several objects", async () => {
  const old = "1000000000000003";
  await service.sql('insert into "user" (id, email) values ($1, $2)', [old, "old@example.com"]);
  await service.sql("insert into domain (id, zone, user_id, serial) values ($1, $2, $1, 1)", [old, "old.example.com"]);
  // As in a database that version 0.1 wrote. The service reads the origin once.
  await service.sql("update id_origin set origin = 1000000000001600");
  await service.pause();
  await service.run();
  const ask = (selection: string) => service.graphql(`{ node(id: "${old}") { __typename ${selection} } }`);
  const zone = { __typename: "Domain", zone: "old.example.com" };
  expect((await ask("... on Domain { zone }")).body.data.node).toEqual(zone);
  expect((await ask("... on User { email }")).body.data.node).toEqual({ __typename: "User", email: "old@example.com" });
  expect((await ask("")).body.errors[0]).toMatchObject({
    message: expect.stringContaining("several objects (User, Domain, Change)"),
    extensions: { code: "INVALID_VALUE", field: "id" },
  });
  await eventually(async () => (await service.refusal(`{ node(id: "${fixture.domainId}") { id } }`)) === undefined);
});

test("the viewer says whose key it is, what it may do, and its limits", async () => {
  const document = `{ viewer { role readOnly user { email } key { id name readOnly }
    limits { requestsPerMinute requestsInProgress rowsPerOperation rowsPerPage recordsPerChange importMegabytes importRecords } } }`;
  const ofRows = { rowsPerOperation: 10000, rowsPerPage: 1000, recordsPerChange: 1000 };
  const { viewer } = await service.data(document, {}, actors.key("the owner, read-only"));
  expect(viewer).toEqual({
    role: "USER",
    readOnly: true,
    user: { email: "alice@example.com" },
    key: { id: expect.stringMatching(/^\d{16}$/), name: "test", readOnly: true },
    limits: {
      requestsPerMinute: null,
      requestsInProgress: 100,
      importMegabytes: 256,
      importRecords: 2_000_000,
      ...ofRows,
    },
  });
  const admin = (await service.data("{ viewer { role user { id } key { name } } }")).viewer;
  expect(admin).toEqual({ role: "ADMINISTRATOR", user: null, key: { name: "administrator" } });
});
