import { beforeAll, expect, test } from "@jest/globals";
import { raw } from "../../setup/service/raw-http.ts";
import { Replay } from "../../setup/service/rest-replay.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();
const replay = new Replay(service);
const zone = "example.com";

beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  await service.domain(zone, userId);
  await service.domain("b.example.net", userId);
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

test("lists all records: zone, then owner and type, with the apex and the SOA first", async () => {
  await service.record(zone, "mail", "AAAA", "2001:db8::1");
  await service.record(zone, "mail", "A", "192.0.2.1", 300);
  await service.record(zone, "@", "A", "192.0.2.80");
  await service.record(zone, "*", "TXT", "any");
  const { status, headers, body } = await replay.ask("GET", "/record/list");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(body.map((record: Record<string, unknown>) => `${record.zone} ${record.owner} ${record.type}`)).toEqual([
    "b.example.net @ SOA",
    "b.example.net @ NS",
    "b.example.net @ NS",
    "b.example.net www CNAME",
    "example.com @ SOA",
    "example.com @ A",
    "example.com @ NS",
    "example.com @ NS",
    "example.com * TXT",
    "example.com mail A",
    "example.com mail AAAA",
    "example.com www CNAME",
  ]);
  expect(body[9]).toStrictEqual({
    id: expect.any(Number),
    owner: "mail",
    rdata: "192.0.2.1",
    zone,
    type: "A",
    ttl: "300",
  });
  expect(body[9].id).toBeGreaterThanOrEqual(1e15);
  expect(Number.isSafeInteger(body[9].id)).toBe(true);
});

test("gets one record with all six fields", async () => {
  const id = await service.record(zone, "one", "SRV", "1 2 443 target.example.net.");
  const { status, body } = await replay.ask("GET", `/record/list/${id}`);
  expect(status).toBe(200);
  expect(body).toStrictEqual({
    id: Number(id),
    owner: "one",
    rdata: "1 2 443 target.example.net.",
    zone,
    type: "SRV",
    ttl: "3600",
  });
});

test("creates a record from a form and answers it with its change and serial", async () => {
  const [before] = await service.snapshot(zone);
  const { status, headers, body } = await replay.ask("POST", "/record/add", form({ rdata: "010 mail" }));
  expect(status).toBe(201);
  expect(body).toStrictEqual({
    id: expect.any(Number),
    owner: "@",
    rdata: "10 mail.example.com.",
    zone,
    type: "MX",
    ttl: "3600",
  });
  expect(headers.get("x-zone-serial")).toBe(String(Number(before.serial) + 1));
  const change = await service.data(
    "query ($id: ID!) { change(id: $id) { zone serial door added { nodes { type } } } }",
    {
      id: headers.get("x-change-id"),
    },
  );
  expect(change).toEqual({
    change: {
      zone,
      serial: Number(before.serial) + 1,
      door: "REST",
      added: { nodes: [{ type: "SOA" }, { type: "MX" }] },
    },
  });
});

test("edits a record, whose id stays, and its siblings take its TTL", async () => {
  const id = await service.record(zone, "edit", "A", "192.0.2.10");
  const sibling = await service.record(zone, "edit", "A", "192.0.2.11");
  const [before] = await service.snapshot(zone);
  const { status, headers, body } = await replay.ask(
    "PUT",
    `/record/edit/${id}`,
    form({ owner: "edit", rtype: "a", rdata: "192.0.2.12", ttl: "900" }),
  );
  expect(status).toBe(200);
  expect(body).toStrictEqual({ id: Number(id), owner: "edit", rdata: "192.0.2.12", zone, type: "A", ttl: "900" });
  expect(headers.get("x-zone-serial")).toBe(String(Number(before.serial) + 1));
  expect(headers.get("x-change-id")).toMatch(/^\d{16}$/);
  expect((await replay.ask("GET", `/record/list/${sibling}`)).body.ttl).toBe("900");
});

test("edits the SOA with a greater serial, which is kept as given", async () => {
  const { body: records } = await replay.ask("GET", "/record/list?zone=b.example.net&type=SOA");
  const serial = (await service.serial("b.example.net")) + 70;
  const rdata = `ns1.zonesmith.example. hostmaster.zonesmith.example. ${serial} 7200 3600 1209600 900`;
  const { status, headers, body } = await replay.ask(
    "PUT",
    `/record/edit/${records[0].id}`,
    form({ zone: "b.example.net", rtype: "SOA", rdata }),
  );
  expect(status).toBe(200);
  expect(body).toStrictEqual({ ...records[0], rdata });
  expect(headers.get("x-zone-serial")).toBe(String(serial));
});

test("deletes a record with no body in the answer", async () => {
  const id = await service.record(zone, "gone", "A", "192.0.2.20");
  const [before] = await service.snapshot(zone);
  const { status, headers, text } = await replay.ask("DELETE", `/record/delete/${id}`);
  expect({ status, text }).toEqual({ status: 204, text: "" });
  expect(headers.get("x-zone-serial")).toBe(String(Number(before.serial) + 1));
  expect(headers.get("x-change-id")).toMatch(/^\d{16}$/);
  expect((await replay.ask("GET", `/record/list/${id}`)).status).toBe(404);
});

test("every path works with a trailing slash", async () => {
  const created = await replay.ask("POST", "/record/add/", form({ owner: "slash", rtype: "A", rdata: "192.0.2.30" }));
  const { id } = created.body;
  const edited = form({ owner: "slash", rtype: "A", rdata: "192.0.2.31" });
  const statuses = [
    created.status,
    (await replay.ask("GET", "/record/list/")).status,
    (await replay.ask("GET", `/record/list/${id}/`)).status,
    (await replay.ask("PUT", `/record/edit/${id}/`, edited)).status,
    (await replay.ask("DELETE", `/record/delete/${id}/`)).status,
  ];
  expect(statuses).toEqual([201, 200, 200, 200, 204]);
});

test.each(["X-API-Key", "X-API-key", "x-api-key"])("reads the key from the header %s", async (header) => {
  const { body } = await replay.ask("GET", "/record/list?type=SOA");
  const head = [`GET /api/record/list/${body[0].id} HTTP/1.1`, "Host: service.example"];
  expect((await raw(service.url, [...head, `${header}: ${adminKey}`])).body).toEqual(body[0]);
  expect((await raw(service.url, head)).status).toBe(401);
});

test("reads the same fields from a form, a multipart form and JSON, whose TTL is a number or digits", async () => {
  const multipart = new FormData();
  for (const [name, value] of Object.entries(form({ owner: "body1", rtype: "TXT", rdata: "ä; b" })))
    multipart.set(name, String(value));
  const json = { ...form({ owner: "body2", rtype: "TXT", rdata: "ä; b" }), unknown: { is: "ignored" } };
  const answers = [
    await replay.ask("POST", "/record/add", form({ owner: "body0", rtype: "TXT", rdata: "ä; b" })),
    await replay.ask("POST", "/record/add", undefined, { body: multipart }),
    await replay.ask("POST", "/record/add", undefined, { json }),
    await replay.ask("POST", "/record/add", undefined, { json: { ...json, owner: "body3", ttl: "3600" } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(answers.map(({ body: { id, owner, ...rest } }) => rest)).toEqual(
    answers.map(() => ({ rdata: '"\\195\\164; b"', zone, type: "TXT", ttl: "3600" })),
  );
});

test("every path of records was replayed", () => {
  expect(replay.unreached("/record")).toEqual([]);
});
