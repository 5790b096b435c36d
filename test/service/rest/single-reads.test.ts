/** Objects over REST are the same on the road and behind Express, to which a Content-Encoding leads. */
import { beforeAll, expect, jest, test } from "@jest/globals";
import express from "express";
import { eventually } from "../../setup/basics/eventually.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService({ LOG_LEVEL: "info", CORS_ORIGINS: "https://app.example.com" });
const restknot = testService({ LOG_LEVEL: "info", REST_ENVELOPE: "restknot" });
const byExpress = [jest.spyOn(express.response, "json"), jest.spyOn(express.response, "type")];

const fill = async (of: typeof service) => {
  const userId = await of.user("owner@example.com");
  await of.domain("bücher.example", userId);
  const key = await of.key({ name: "other", userId: await of.user("other@example.com") });
  const [change] = await of.sql<{ id: string }>("select id::text as id from change limit 1");
  return { userId, key, recordId: await of.record("bücher.example", "a", "A", "192.0.2.1", 300), changeId: change?.id };
};
let made: Awaited<ReturnType<typeof fill>>;
let enveloped: typeof made;
beforeAll(async () => {
  made = await fill(service);
  enveloped = await fill(restknot);
});

/** The answer by both ways, which are the same; and whether the road had it. */
async function both(of: typeof service, path: string, key = adminKey, sent: Record<string, string> = {}) {
  const ask = async (headers: Record<string, string>) => {
    for (const each of byExpress) each.mockClear();
    const id = `id-${Math.random().toString(36).slice(2)}`;
    const response = await fetch(`${of.url}/api${path}`, {
      headers: { "X-API-Key": key, "X-Request-Id": id, ...sent, ...headers },
    });
    const isOfRoad = byExpress.every((each) => each.mock.calls.length === 0);
    const compared = [...response.headers].filter(([name]) => !["date", "x-request-id"].includes(name));
    const text = await response.text();
    const lines = () => of.logged.map((line) => JSON.parse(line)).filter(({ requestId }) => requestId === id);
    await eventually(() => lines().length > 0);
    const logged = lines().map(({ time: _, requestId: __, ms: ___, ...line }) => line);
    return { isOfRoad, answer: { status: response.status, headers: Object.fromEntries(compared), text, logged } };
  };
  const road = await ask({});
  const ordinary = await ask({ "Content-Encoding": "identity" });
  expect(ordinary.isOfRoad).toBe(false);
  const framing = ["content-length", "transfer-encoding"];
  for (const { headers } of [road.answer, ordinary.answer]) for (const name of framing) delete headers[name];
  expect(road.answer).toEqual(ordinary.answer);
  return { ...road.answer, isOfRoad: road.isOfRoad };
}

test.each<[string, () => string]>([
  ["a record", () => `/record/list/${made.recordId}`],
  ["a user", () => `/user/list/${made.userId}`],
  ["a domain by its name", () => "/domain/list/zone/xn--bcher-kva.example"],
])("on the road: %s", async (_, path) => {
  const { status, isOfRoad } = await both(service, path(), adminKey, { Origin: "https://app.example.com" });
  expect([status, isOfRoad]).toEqual([200, true]);
});

test.each<[string, () => string]>([
  ["a record", () => `/record/list/${enveloped.recordId}`],
  ["a domain by its name", () => "/domain/list/zone/xn--bcher-kva.example"],
])("on the road, in the envelope of RESTKnot: %s", async (_, path) => {
  const { status, isOfRoad, text } = await both(restknot, path());
  expect([status, isOfRoad, JSON.parse(text).count]).toEqual([200, true, 1]);
});

test.each<[string, () => string, number]>([
  ["a record that is not there", () => "/record/list/1", 404],
  ["an id that is none", () => "/record/list/none", 422],
  ["a zone in Unicode", () => `/domain/list/zone/${encodeURIComponent("bücher.example")}`, 200],
  ["a zone that is not there", () => "/domain/list/zone/nothing.example", 404],
  ["a parameter that is not read", () => `/record/list/${made.recordId}?other=1`, 422],
  ["a slash at the end", () => `/record/list/${made.recordId}/`, 200],
  ["a change", () => `/change/${made.changeId}`, 200],
  ["a path that is not there", () => "/record/none", 404],
])("as behind Express: %s", async (_, path, status) => {
  expect((await both(service, path())).status).toBe(status);
});

test("a user does not see the objects of another, and a wrong key sees nothing", async () => {
  expect((await both(service, `/record/list/${made.recordId}`, made.key)).status).toBe(404);
  expect((await both(service, `/record/list/${made.recordId}`, "wrong-key-0123456789")).status).toBe(401);
});

test("a domain of more records than its first page has is streamed behind Express", async () => {
  await service.domain("large.example", made.userId);
  const add = Array.from({ length: 1200 }, (_, at) => ({ owner: `h${at}`, type: "A", rdata: "192.0.2.1" }));
  for (let at = 0; at < add.length; at += 600)
    await service.mutate("changeRecords", { zone: "large.example", add: add.slice(at, at + 600) }, "change { id }");
  const { isOfRoad, text } = await both(service, "/domain/list/zone/large.example");
  expect(isOfRoad).toBe(false);
  expect(JSON.parse(text).records.length).toBeGreaterThanOrEqual(1200);
});
