/** Users and domains over REST: what each path answers, and what a lookup identifies. */
import { expect, test } from "@jest/globals";
import { routes } from "../../../src/rest/routes.ts";
import { expectRefusal } from "../../setup/service/refusal.ts";
import { Replay } from "../../setup/service/rest-replay.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const replay = new Replay(service);
const ask = (method: string, path: string, form?: Record<string, string>) => replay.ask(method, path, form);

test("creates a user, the id a string of digits, the time with a blank and microseconds; shows it with a T", async () => {
  const { status, body } = await ask("POST", "/user/add", { email: "New@example.com" });
  expect([status, body]).toStrictEqual([
    201,
    {
      id: expect.stringMatching(/^\d{16}$/),
      email: "New@example.com",
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/),
    },
  ]);
  const stored = `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as time from "user" where id = $1`;
  expect(await service.sql(stored, [body.id])).toEqual([{ time: body.created_at }]);
  const shown = { ...body, created_at: body.created_at.slice(0, 19).replace(" ", "T") };
  expect((await ask("GET", "/user/list")).body).toStrictEqual([shown]);
  expect((await ask("GET", `/user/list/${body.id}`)).body).toStrictEqual(shown);
});

test("edits a user and answers the email alone; the user can keep the address in another letter case", async () => {
  const id = await service.user("before@example.com");
  for (const email of ["after@example.com", "AFTER@example.com", "AFTER@example.com"]) {
    const { status, body } = await ask("PUT", `/user/edit/${id}`, { email });
    expect([status, body]).toStrictEqual([200, { email }]);
  }
  expect((await ask("GET", `/user/list/${id}`)).body.email).toBe("AFTER@example.com");
});

test("deletes a user with no body in the answer, together with the domains by domains=delete alone", async () => {
  const id = await service.user("with-domains@example.com");
  await service.domain("with.example.com", id);
  const refused = await ask("DELETE", `/user/delete/${id}`);
  expectRefusal(refused, "USER_HAS_DOMAINS", "id");
  expect(refused.text).toContain("or send domains=delete.");
  expectRefusal(await ask("DELETE", `/user/delete/${id}?domains=DELETE`), "INVALID_VALUE", "domains");
  const { status, text } = await ask("DELETE", `/user/delete/${id}?domains=delete`);
  expect([status, text]).toEqual([204, ""]);
  expectRefusal(await ask("GET", "/domain/list/zone/with.example.com"), "NOT_FOUND", "zoneid");
  expectRefusal(await ask("GET", `/user/list/${id}`), "NOT_FOUND", "id");
});

/** Expects that these paths show what is looked up, by its name, and that those show nothing. */
async function expectLookup(name: string, agreeing: readonly string[], others: readonly string[]): Promise<void> {
  for (const path of agreeing) {
    const { body } = await ask("GET", path);
    expect([path, body.zone ?? body.email]).toEqual([path, name]);
  }
  for (const path of others) expect([path, (await ask("GET", path)).status]).toEqual([path, 404]);
}

test("a lookup answers the user that every selector given identifies, else 404", async () => {
  const [ada, ben] = [await service.user("ada@example.com"), await service.user("ben@example.com")];
  const agreeing = [
    `/user/list/${ada}`,
    `/user/list/${ada}?id=${ada}&email=ada%40example.com`,
    `/user/list/?email=Ada@example.com`,
    `/user/list?id=${ada}&email=ada@example.com`,
  ];
  await expectLookup("ada@example.com", agreeing, [
    `/user/list/${ada}?id=${ben}`,
    `/user/list/${ada}?id=${ada}&email=ben@example.com`,
    `/user/list?id=${ada}&email=ben@example.com`,
    "/user/list?email=nobody@example.com",
    "/user/list/1",
  ]);
  for (const path of ["/user/list/abc", `/user/list/${ada}?id=abc`, "/user/list?id=abc"])
    expectRefusal(await ask("GET", path), "INVALID_VALUE", "id");
});

let userId: string;

/** A domain as it is shown after its creation. */
const shown = async (id: unknown, zone: string) => ({
  zone_id: id,
  zone,
  user: { id: Number(userId), email: "owner@example.com" },
  records: [
    `@ SOA ns1.zonesmith.example. hostmaster.zonesmith.example. ${await service.serial(zone)} 10800 3600 1209600 3600`,
    "@ NS ns1.zonesmith.example.",
    "@ NS ns2.zonesmith.example.",
    `www CNAME ${zone}.`,
  ].map((line) => {
    const [owner, type, ...rdata] = line.split(" ");
    return { id: expect.any(Number), owner, rdata: rdata.join(" "), type, ttl: "3600" };
  }),
});

test("creates a domain and answers its id, an integer, and its zone; shows it with its owner and records", async () => {
  userId = await service.user("owner@example.com");
  const { status, headers, body } = await ask("POST", "/domain/add", { user_id: userId, zone: "Example.COM." });
  expect([status, body]).toStrictEqual([201, { id: expect.any(Number), zone: "example.com" }]);
  const serial = headers.get("x-zone-serial");
  expect(serial).toMatch(/^\d{8}01$/);
  expect(serial).toBe(String(await service.serial("example.com")));
  expect(headers.get("x-change-id")).toMatch(/^\d{16}$/);
  const one = await ask("GET", `/domain/list/zone/${body.id}`);
  expect([one.status, one.body]).toStrictEqual([200, await shown(body.id, "example.com")]);
});

test("takes the user's id as a number or as digits, and a Unicode zone as its A-labels; lists all by zone", async () => {
  const add = (user_id: unknown, zone: string) =>
    replay.ask("POST", "/domain/add", undefined, { json: { user_id, zone } });
  expect((await add(Number(userId), "bücher.example")).body.zone).toBe("xn--bcher-kva.example");
  expect((await add(userId, "a.example")).status).toBe(201);
  const { headers, body } = await ask("GET", "/domain/list");
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  const zones = ["a.example", "example.com", "xn--bcher-kva.example"];
  expect(body).toStrictEqual(await Promise.all(zones.map((zone) => shown(expect.any(Number), zone))));
});

test("the domain of a user is the oldest one, with a link to the collection when there are more", async () => {
  const user = await service.user("many@example.com");
  const path = `/domain/list/user/${user}`;
  expectRefusal(await ask("GET", path), "NOT_FOUND", "userid");
  await service.domain("z.example.net", user);
  const only = await ask("GET", path);
  expect([only.headers.get("x-total-count"), only.headers.get("link")]).toEqual(["1", null]);
  await service.domain("y.example.net", user);
  const { headers, body } = await ask("GET", path);
  expect(body).toStrictEqual(only.body);
  expect(body.zone).toBe("z.example.net");
  const collection = `/domain/list?user_id=${user}`;
  expect([headers.get("x-total-count"), headers.get("link")]).toEqual(["2", `</api${collection}>; rel="collection"`]);
  const zones = (await ask("GET", collection)).body.map(({ zone }: Json) => zone);
  expect(zones).toEqual(["y.example.net", "z.example.net"]);
  expectRefusal(await ask("GET", "/domain/list/user/1"), "NOT_FOUND", "userid");
  expectRefusal(await ask("GET", "/domain/list/user/abc"), "INVALID_VALUE", "userid");
});

test("a lookup answers the domain that every selector given identifies, else 404", async () => {
  const id = await service.domain("look.example.com", userId);
  const other = await service.domain("bücher.example.com", userId);
  const agreeing = [
    `/domain/list/zone/${id}`,
    "/domain/list/zone/LOOK.example.com.",
    "/domain/list/zone/?name=Look.Example.Com",
    `/domain/list/zone?id=${id}&name=look.example.com`,
    `/domain/list/zone/look.example.com?id=${id}`,
    `/domain/list/zone/${id}?id=${id}&name=look.example.com.`,
  ];
  await expectLookup("look.example.com", agreeing, [
    `/domain/list/zone/${id}?id=${other}`,
    `/domain/list/zone/${id}?name=unknown.example.com`,
    `/domain/list/zone?id=${id}&name=xn--bcher-kva.example.com`,
    `/domain/list/zone/look.example.com?id=${other}`,
    "/domain/list/zone/unknown.example.com",
    "/domain/list/zone?id=1",
  ]);
  const spelled = "/domain/list/zone/b%C3%BCcher.example.com?name=XN--BCHER-KVA.example.com";
  await expectLookup("xn--bcher-kva.example.com", [spelled], []);
  for (const path of ["/domain/list/zone", "/domain/list/zone?id=abc", `/domain/list/zone/${id}?id=abc`])
    expectRefusal(await ask("GET", path), "INVALID_VALUE", "id");
});

test("deletes a domain, named in a body of any media type, with all its records", async () => {
  const multipart = new FormData();
  multipart.set("zone", "multipart.example.com");
  for (const [zone, options] of [
    ["form.example.com", { form: { zone: "Form.example.com" } }],
    ["multipart.example.com", { body: multipart }],
    ["json.example.com", { json: { zone: "json.example.com" } }],
  ] as const) {
    await service.domain(zone, userId);
    const id = await service.record(zone, "a", "A", "192.0.2.1");
    const serial = await service.serial(zone);
    const { status, headers, text } = await replay.ask("DELETE", "/domain/delete", undefined, options);
    expect([status, text, headers.get("x-zone-serial")]).toEqual([204, "", String(serial)]);
    expect(headers.get("x-change-id")).toMatch(/^\d{16}$/);
    await expectLookup(zone, [], [`/record/list/${id}`, `/domain/list/zone/${zone}`]);
  }
});

test("the past of a zone is found by its id, whatever is called so now", async () => {
  const zone = "again.example.com";
  const id = await service.domain(zone, userId);
  await ask("DELETE", "/domain/delete", { zone });
  await ask("POST", "/domain/add", { user_id: userId, zone });
  const kinds = async (query: string) =>
    (await ask("GET", `/domain/history/${zone}${query}`)).body.map(({ kind }: Json) => kind);
  expect([await kinds(`?id=${id}`), await kinds("")]).toEqual([["DELETE", "CREATE"], ["CREATE"]]);
});

test("every path works with a trailing slash", async () => {
  for (const { method, path } of routes) {
    const filled = path.replaceAll(/:\w+/g, "1");
    const [plain, slashed] = [await service.rest(method, filled), await service.rest(method, `${filled}/`)];
    expect([path, slashed.status, slashed.text]).toEqual([path, plain.status, plain.text]);
  }
});

test("every path of users and domains was replayed, and no noun is without its file", () => {
  expect(replay.unreached("/user", "/domain")).toEqual([]);
  const nouns = new Set(routes.map(({ path }) => path.split("/")[1]));
  expect([...nouns].toSorted()).toEqual(["change", "domain", "record", "user"]);
});
