/** REST_ENVELOPE=restknot: what clients of RESTKnot's code expect, row by row of the table in docs/restknot.md. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { expectRefusal } from "../../setup/service/refusal.ts";
import { type Answer, type Json, testService } from "../../setup/service/service.ts";

const service = testService({ REST_ENVELOPE: "restknot" });

/** Expects the envelope of success, and returns its data. */
function dataOf({ status, body }: Answer, code: number, count: number): Json {
  expect({ status, body }).toEqual({
    status: code,
    body: { code, count, data: expect.anything(), status: "success", message: code === 201 ? "Created" : "OK" },
  });
  return body.data;
}

const get = (path: string, key?: string | null) => service.rest("GET", path, { ...(key !== undefined && { key }) });
const created = async (path: string, form: Record<string, string | number>) =>
  dataOf(await service.rest("POST", path, { form }), 201, 1);

test("a list without rows is 404", async () => {
  for (const path of ["/user/list", "/domain/list", "/record/list?zone=example.com"])
    expectRefusal(await get(path), "NOT_FOUND");
});

test("/ttl/list and /type/list say what records may have", async () => {
  expect(dataOf(await get("/ttl/list"), 200, 9)[1]).toEqual({ id: 2, ttl: "900" });
  const answer = await get("/type/list");
  const types = dataOf(answer, 200, answer.body.data.length);
  expect(types).toContainEqual({ id: 15, type: "MX" });
  expect(types.map(({ type }: Json) => type)).not.toContain("RRSIG");
});

describe("with a user, domains and records", () => {
  let userId: string;
  let zone: Json;

  beforeAll(async () => {
    const email = "first@company.example";
    const user = await created("/user/add", { email });
    expect(user).toEqual({ id: expect.stringMatching(/^\d{16}$/), email, created_at: expect.any(String) });
    userId = user.id;
    zone = await created("/domain/add", { user_id: userId, zone: "company.example" });
    expect(zone).toEqual({ id: expect.any(Number), zone: "company.example" });
  });

  test("lists and lookups of users", async () => {
    expect(dataOf(await get("/user/list"), 200, 1)[0].email).toBe("first@company.example");
    expect(dataOf(await get(`/user/list/${userId}`), 200, 1).id).toBe(userId);
    expect(dataOf(await get("/user/list/?email=first@company.example"), 200, 1).id).toBe(userId);
    const edit = await service.rest("PUT", `/user/edit/${userId}`, { form: { email: "edited@company.example" } });
    expect(dataOf(edit, 200, 1)).toEqual({ email: "edited@company.example" });
  });

  test("lists and lookups of domains, which hold their four default records", async () => {
    const [listed] = dataOf(await get("/domain/list"), 200, 1);
    expect(listed).toMatchObject({ zone_id: zone.id, zone: "company.example", user: { id: Number(userId) } });
    expect(listed.records.map(({ type }: Json) => type)).toEqual(["SOA", "NS", "NS", "CNAME"]);
    for (const path of [`/domain/list/zone/${zone.id}`, "/domain/list/zone/?name=company.example"])
      expect(dataOf(await get(path), 200, 1)).toEqual(listed);
  });

  test("a user's domains are an array, and 404 when there is none", async () => {
    await created("/domain/add", { user_id: userId, zone: "second.example" });
    const [{ zone: first }] = dataOf(await get(`/domain/list/user/${userId}`), 200, 2);
    expect(first).toBe("company.example");
    const idle = await service.user("idle@company.example");
    for (const id of [idle, "1"]) expectRefusal(await get(`/domain/list/user/${id}`), "NOT_FOUND");
    expectRefusal(await get("/domain/list/user/abc"), "INVALID_VALUE", "userid");
  });

  test("records are added, edited, listed and deleted", async () => {
    const form = { zone: "company.example", owner: "host", rtype: "A", rdata: "192.0.2.1", ttl: 3600 };
    const record = await created("/record/add", form);
    const { rtype, ...shown } = form;
    expect(record).toEqual({ id: expect.any(Number), ...shown, type: rtype, ttl: "3600" });
    const other = { form: { ...form, rdata: "192.0.2.2" } };
    const edit = await service.rest("PUT", `/record/edit/${record.id}`, other);
    expect(dataOf(edit, 200, 1).rdata).toBe("192.0.2.2");
    expectRefusal(await service.rest("POST", "/record/add", other), "DUPLICATE_RECORD", "rdata");
    expect(dataOf(await get("/record/list?zone=company.example"), 200, 5)).toHaveLength(5);
    const page = await get("/record/list?limit=2");
    expect(dataOf(page, 200, 2)).toHaveLength(2);
    expect(page.headers.get("link")).toMatch(/rel="next"/);
    const { status, text } = await service.rest("DELETE", `/record/delete/${record.id}`);
    expect([status, text]).toEqual([204, ""]);
    expectRefusal(await get(`/record/list/${record.id}`), "NOT_FOUND", "id");
  });

  test("a list of several pages has one envelope, with the count of all", async () => {
    const body = Array.from({ length: 1500 }, (_, at) => `h${at} 300 A 192.0.2.1\n`).join("");
    const headers = { "Content-Type": "text/dns" };
    await service.rest("POST", "/domain/zonefile/second.example", { headers, body });
    const { body: list } = await get("/record/list?zone=second.example");
    expect([list.count, list.data.length]).toEqual([1504, 1504]);
    expect(dataOf(await get("/domain/list/zone/?name=second.example"), 200, 1).records).toHaveLength(1504);
  });
});

test("/health and /meta/version need no key", async () => {
  expect(dataOf(await get("/health", null), 200, 1)).toEqual({ check: "100" });
  expect(dataOf(await get("/meta/version", null), 200, 1)).toEqual({ build: expect.any(String) });
});

test("a missing key and a wrong one are 400; GraphQL stays as it is", async () => {
  const body = { code: 400, status: "error", error: "UNAUTHENTICATED" };
  for (const key of [null, "wrong-key-wrong-key-wrong-key-wrong-key"])
    expect(await get("/user/list", key)).toMatchObject({ status: 400, body });
  expect((await service.graphql("{ users { totalCount } }", {}, null)).status).toBe(401);
});
