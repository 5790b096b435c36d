import { beforeAll, expect, test } from "@jest/globals";
import { Replay } from "../../setup/service/rest-replay.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const replay = new Replay(service);
const zone = "example.com";

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
});

/** The form of a record as the document's samples send it. */
const form = (fields: Record<string, string | number> = {}) => ({
  zone,
  owner: "@",
  rtype: "MX",
  rdata: "10 mail.example.com.",
  ttl: 3600,
  ...fields,
});

test("a record is shown with six fields, its id an integer and its TTL digits, alone and in a list", async () => {
  const id = await service.record(zone, "one", "SRV", "1 2 443 target.example.net.");
  const shown = {
    id: Number(id),
    owner: "one",
    rdata: "1 2 443 target.example.net.",
    zone,
    type: "SRV",
    ttl: "3600",
  };
  expect(shown.id).toBeGreaterThanOrEqual(1e15);
  expect(Number.isSafeInteger(shown.id)).toBe(true);
  const one = await replay.ask("GET", `/record/list/${id}`);
  expect([one.status, one.body]).toStrictEqual([200, shown]);
  const { status, headers, body } = await replay.ask("GET", "/record/list");
  expect([status, headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  expect(body.find((record: { id: number }) => record.id === shown.id)).toStrictEqual(shown);
});

test("creates a record from a form and answers it with its change and serial", async () => {
  const serial = (await service.serial(zone)) + 1;
  const { status, headers, body } = await replay.ask("POST", "/record/add", form({ rdata: "010 mail" }));
  expect([status, body]).toStrictEqual([
    201,
    { id: expect.any(Number), owner: "@", rdata: "10 mail.example.com.", zone, type: "MX", ttl: "3600" },
  ]);
  expect(headers.get("x-zone-serial")).toBe(String(serial));
  const document = "query ($id: ID!) { change(id: $id) { zone serial source added { nodes { type } } } }";
  const { change } = await service.data(document, { id: headers.get("x-change-id") });
  expect(change).toEqual({ zone, serial, source: "REST", added: { nodes: [{ type: "MX" }] } });
});

test("edits a record, whose id stays, and its siblings take its TTL", async () => {
  const id = await service.record(zone, "edit", "A", "192.0.2.10");
  const sibling = await service.record(zone, "edit", "A", "192.0.2.11");
  const serial = (await service.serial(zone)) + 1;
  const fields = form({ owner: "edit", rtype: "a", rdata: "192.0.2.12", ttl: "900" });
  const { status, headers, body } = await replay.ask("PUT", `/record/edit/${id}`, fields);
  const edited = { id: Number(id), owner: "edit", rdata: "192.0.2.12", zone, type: "A", ttl: "900" };
  expect([status, body]).toStrictEqual([200, edited]);
  expect(headers.get("x-zone-serial")).toBe(String(serial));
  expect(headers.get("x-change-id")).toMatch(/^\d{16}$/);
  expect((await replay.ask("GET", `/record/list/${sibling}`)).body.ttl).toBe("900");
});

test("an addition with another TTL says how many records of its RRset take it, and from what to what", async () => {
  for (const last of [21, 22]) await service.record(zone, "moved", "A", `192.0.2.${last}`);
  const fields = form({ owner: "moved", rtype: "A", rdata: "192.0.2.23", ttl: 300 });
  const { status, headers } = await replay.ask("POST", "/record/add", fields);
  expect([status, headers.get("x-warning")]).toEqual([
    201,
    "The TTL of 2 other records of moved A changes from 3600 to 300 too: an RRset has one TTL (RFC 2181 ?5.2).",
  ]);
});

test("an edit that changes nothing is 200 and moves nothing, in whatever spelling", async () => {
  const id = await service.record(zone, "six", "AAAA", "2001:db8::1");
  const before = await service.state();
  const same = form({ owner: "SIX.example.com.", rtype: "aaaa", rdata: "2001:DB8:0::1" });
  const { status, headers, body } = await replay.ask("PUT", `/record/edit/${id}`, same);
  expect([status, body]).toMatchObject([200, { owner: "six", type: "AAAA", rdata: "2001:db8::1", ttl: "3600" }]);
  expect([headers.get("x-change-id"), headers.get("x-zone-serial")]).toEqual([null, null]);
  expect(await service.state()).toEqual(before);
});

test("a TTL of null is that of the RRset, or 3600, and leaves that of an edited record, as in GraphQL", async () => {
  const json = { ...form({ owner: "null", rtype: "A", rdata: "192.0.2.60" }), ttl: null };
  const ofRest = async (method: string, path: string, sent: object) =>
    (await service.rest(method, path, { json: { ...json, ...sent } })).body;
  const ofGraphql = async (name: string, input: object) =>
    (await service.mutate(name, { ttl: null, ...input }, "record { id ttl }")).record;
  const first = await ofRest("POST", "/record/add", {});
  expect(first).toMatchObject({ ttl: "3600" });
  expect(await ofGraphql("createRecord", { zone, owner: "null2", type: "A", rdata: "192.0.2.60" })).toMatchObject({
    ttl: 3600,
  });
  await service.rest("PUT", `/record/edit/${first.id}`, { json: { ...json, ttl: 900 } });
  expect(await ofRest("POST", "/record/add", { rdata: "192.0.2.61" })).toMatchObject({ ttl: "900" });
  expect(await ofGraphql("createRecord", { zone, owner: "null", type: "A", rdata: "192.0.2.62" })).toMatchObject({
    ttl: 900,
  });
  expect(await ofRest("PUT", `/record/edit/${first.id}`, { rdata: "192.0.2.63" })).toMatchObject({ ttl: "900" });
  expect(await ofGraphql("updateRecord", { recordId: String(first.id), rdata: "192.0.2.64" })).toMatchObject({
    ttl: 900,
  });
});

test("deletes a record with no body in the answer", async () => {
  const id = await service.record(zone, "gone", "A", "192.0.2.20");
  const serial = (await service.serial(zone)) + 1;
  const { status, headers, text } = await replay.ask("DELETE", `/record/delete/${id}`);
  expect([status, text, headers.get("x-zone-serial")]).toEqual([204, "", String(serial)]);
  expect(headers.get("x-change-id")).toMatch(/^\d{16}$/);
  expect((await replay.ask("GET", `/record/list/${id}`)).status).toBe(404);
});

test("reads the same fields from a form, a multipart form and JSON, whose TTL is a number or digits", async () => {
  const fields = (owner: string) => form({ owner, rtype: "TXT", rdata: "ä; b" });
  const multipart = new FormData();
  for (const [name, value] of Object.entries(fields("body1"))) multipart.set(name, String(value));
  const json = { ...fields("body2"), unknown: { is: "ignored" } };
  const answers = [
    await replay.ask("POST", "/record/add", fields("body0")),
    await replay.ask("POST", "/record/add", undefined, { body: multipart }),
    await replay.ask("POST", "/record/add", undefined, { json }),
    await replay.ask("POST", "/record/add", undefined, { json: { ...json, owner: "body3", ttl: "3600" } }),
  ];
  for (const { status, body } of answers)
    expect([status, body]).toMatchObject([201, { rdata: '"\\195\\164; b"', zone, type: "TXT", ttl: "3600" }]);
});

test("a TTL is a preserved one, as a number or digits, or the one that the RRset has", async () => {
  await service.record(zone, "odd", "A", "192.0.2.5", 77);
  const add = (owner: string, ttl: string | number) =>
    replay.ask("POST", "/record/add", undefined, { json: form({ owner, rtype: "A", rdata: "192.0.2.6", ttl }) });
  const choices = [300, 900, 1800, 3600, 7200, 14400, 28800, 43200, 86400];
  for (const ttl of choices) expect([ttl, (await add(`t${ttl}`, ttl)).status]).toEqual([ttl, 201]);
  expect((await add("digits", "300")).status).toBe(201);
  expect((await add("odd", "77")).status).toBe(201);
  const refused = await add("new", 78);
  for (const choice of choices) expect(refused.body.message).toContain(String(choice));
});

test("every path of records was replayed", () => {
  expect(replay.unreached("/record")).toEqual([]);
});
