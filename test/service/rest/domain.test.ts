import { beforeAll, expect, test } from "@jest/globals";
import { routes } from "../../../src/rest/routes.ts";
import { expectRefusal } from "../../setup/service/refusal.ts";
import { Replay } from "../../setup/service/rest-replay.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const replay = new Replay(service);
let userId: string;
beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

/** A domain as it is shown after its creation. */
const shown = async (id: number, zone: string) => ({
  zone_id: id,
  zone,
  user: { id: Number(userId), email: "owner@example.com" },
  records: [
    [
      "@",
      "SOA",
      `ns1.zonesmith.example. hostmaster.zonesmith.example. ${await service.serial(zone)} 10800 3600 1209600 3600`,
    ],
    ["@", "NS", "ns1.zonesmith.example."],
    ["@", "NS", "ns2.zonesmith.example."],
    ["www", "CNAME", `${zone}.`],
  ].map(([owner, type, rdata]) => ({ id: expect.any(Number), owner, rdata, type, ttl: "3600" })),
});

test("an empty list is []", async () => {
  const { status, text } = await replay.ask("GET", "/domain/list");
  expect({ status, text: text.trim() }).toEqual({ status: 200, text: "[]" });
});

test("creates a domain and answers its id, an integer, and its zone", async () => {
  const { status, headers, body } = await replay.ask("POST", "/domain/add", { user_id: userId, zone: "Example.COM." });
  expect(status).toBe(201);
  expect(body).toStrictEqual({ id: expect.any(Number), zone: "example.com" });
  expect(headers.get("x-zone-serial")).toMatch(/^\d{8}01$/);
  expect(headers.get("x-zone-serial")).toBe(String(await service.serial("example.com")));
  expect(headers.get("x-change-id")).toMatch(/^\d{16}$/);
  const one = await replay.ask("GET", `/domain/list/zone/${body.id}`);
  expect({ status: one.status, body: one.body }).toStrictEqual({
    status: 200,
    body: await shown(body.id, "example.com"),
  });
});

test("takes the user's id as a number or as digits, and a Unicode zone as its A-labels", async () => {
  const json = { user_id: Number(userId), zone: "bücher.example" };
  const first = await replay.ask("POST", "/domain/add", undefined, { json });
  expect(first.body.zone).toBe("xn--bcher-kva.example");
  const second = await replay.ask("POST", "/domain/add", undefined, { json: { user_id: userId, zone: "a.example" } });
  expect([first.status, second.status]).toEqual([201, 201]);
});

test("lists all domains by zone, each with its owner and records", async () => {
  const { status, headers, body } = await replay.ask("GET", "/domain/list");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(body).toStrictEqual(
    await Promise.all(
      ["a.example", "example.com", "xn--bcher-kva.example"].map((zone) => shown(expect.any(Number) as never, zone)),
    ),
  );
});

test("the domain of a user is the oldest one, with a link to the collection when there are more", async () => {
  const user = await service.user("many@example.com");
  const path = `/domain/list/user/${user}`;
  expectRefusal(await replay.ask("GET", path), "NOT_FOUND", "userid");
  await service.domain("z.example.net", user);
  const only = await replay.ask("GET", path);
  expect(only.headers.get("x-total-count")).toBe("1");
  expect(only.headers.get("link")).toBeNull();
  await service.domain("y.example.net", user);
  const { status, headers, body } = await replay.ask("GET", path);
  expect(status).toBe(200);
  expect(body).toStrictEqual(only.body);
  expect(Object.keys(body)).toEqual(["zone_id", "zone", "user", "records"]);
  expect(body.zone).toBe("z.example.net");
  expect(headers.get("x-total-count")).toBe("2");
  expect(headers.get("link")).toBe(`</api/domain/list?user_id=${user}>; rel="collection"`);
  const collection = await replay.ask("GET", `/domain/list?user_id=${user}`);
  expect(collection.body.map(({ zone }: { zone: string }) => zone)).toEqual(["y.example.net", "z.example.net"]);
});

test("refuses the domain of an unknown user, and an id that is none, by the name of the path's field", async () => {
  expectRefusal(await replay.ask("GET", "/domain/list/user/1"), "NOT_FOUND", "userid");
  expectRefusal(await replay.ask("GET", "/domain/list/user/abc"), "INVALID_VALUE", "userid");
});

test("a lookup answers the domain that every selector given identifies, else 404", async () => {
  const id = await service.domain("look.example.com", userId);
  const other = await service.domain("bücher.example.com", userId);
  const agreeing = [
    `/domain/list/zone/${id}`,
    "/domain/list/zone/LOOK.example.com.",
    `/domain/list/zone?id=${id}`,
    "/domain/list/zone/?name=Look.Example.Com",
    `/domain/list/zone?id=${id}&name=look.example.com`,
    `/domain/list/zone/${id}?name=look.example.com`,
    `/domain/list/zone/look.example.com?id=${id}`,
    `/domain/list/zone/${id}?id=${id}&name=look.example.com.`,
    "/domain/list/zone/Look.example.com?name=look.example.com.",
  ];
  for (const path of agreeing) {
    const { status, body } = await replay.ask("GET", path);
    expect({ path, status, zone: body.zone }).toEqual({ path, status: 200, zone: "look.example.com" });
  }
  const spelled = await replay.ask("GET", "/domain/list/zone/b%C3%BCcher.example.com?name=XN--BCHER-KVA.example.com");
  expect(spelled.body.zone_id).toBe(Number(other));
  const disagreeing = [
    `/domain/list/zone/${id}?id=${other}`,
    `/domain/list/zone/${id}?name=unknown.example.com`,
    `/domain/list/zone?id=${id}&name=xn--bcher-kva.example.com`,
    `/domain/list/zone/look.example.com?id=${other}`,
    "/domain/list/zone/unknown.example.com",
    "/domain/list/zone/1",
    "/domain/list/zone?id=1",
  ];
  for (const path of disagreeing)
    expect({ path, status: (await replay.ask("GET", path)).status }).toEqual({ path, status: 404 });
  for (const path of [
    "/domain/list/zone",
    "/domain/list/zone/",
    "/domain/list/zone?id=abc",
    `/domain/list/zone/${id}?id=abc`,
  ])
    expectRefusal(await replay.ask("GET", path), "INVALID_VALUE", "id");
});

test("deletes a domain, named in the body, with all its records", async () => {
  await service.domain("gone.example.com", userId);
  const id = await service.record("gone.example.com", "a", "A", "192.0.2.1");
  const [before] = await service.snapshot("gone.example.com");
  const { status, headers, text } = await replay.ask("DELETE", "/domain/delete/", { zone: "Gone.example.com" });
  expect({ status, text }).toEqual({ status: 204, text: "" });
  expect(headers.get("x-zone-serial")).toBe(before.serial);
  expect(headers.get("x-change-id")).toMatch(/^\d{16}$/);
  expect((await replay.ask("GET", `/record/list/${id}`)).status).toBe(404);
  expect((await replay.ask("GET", "/domain/list/zone/gone.example.com")).status).toBe(404);
});

test("reads the body of a deletion in every media type, and the path without a trailing slash", async () => {
  for (const zone of ["form.example.com", "multipart.example.com", "json.example.com"])
    await service.domain(zone, userId);
  const multipart = new FormData();
  multipart.set("zone", "multipart.example.com");
  const answers = [
    await replay.ask("DELETE", "/domain/delete", { zone: "form.example.com" }),
    await replay.ask("DELETE", "/domain/delete", undefined, { body: multipart }),
    await replay.ask("DELETE", "/domain/delete", undefined, { json: { zone: "json.example.com" } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
});

test("a zone that is created again starts above the last serial it had", async () => {
  await service.domain("again.example.com", userId);
  for (const owner of ["a", "b"]) await service.record("again.example.com", owner, "A", "192.0.2.1");
  const last = await service.serial("again.example.com");
  expect((await replay.ask("DELETE", "/domain/delete/", { zone: "again.example.com" })).status).toBe(204);
  const { headers } = await replay.ask("POST", "/domain/add/", { user_id: userId, zone: "again.example.com" });
  expect(headers.get("x-zone-serial")).toBe(String(last + 1));
});

test("every path works with a trailing slash", async () => {
  const id = await service.domain("slash.example.com", userId);
  for (const path of [
    "/domain/list/",
    `/domain/list/zone/${id}/`,
    `/domain/list/zone/?id=${id}`,
    `/domain/list/user/${userId}/`,
    "/domain/history/slash.example.com/",
  ])
    expect({ path, status: (await replay.ask("GET", path)).status }).toEqual({ path, status: 200 });
});

test("the history of a deleted domain is found by its id, whatever is called so now", async () => {
  const id = await service.domain("past.example.com", userId);
  await replay.ask("DELETE", "/domain/delete", { zone: "past.example.com" });
  const path = `/domain/history/past.example.com?id=${id}`;
  const { status, body } = await replay.ask("GET", path);
  expect([status, (body as { kind: string }[]).map(({ kind }) => kind)]).toEqual([200, ["DELETE", "CREATE"]]);
});

test("every path of domains was replayed, and no noun is without its file", () => {
  expect(replay.unreached("/domain")).toEqual([]);
  expect([...new Set(routes.map(({ path }) => path.split("/")[1]))].toSorted()).toEqual([
    "change",
    "domain",
    "record",
    "user",
  ]);
});
