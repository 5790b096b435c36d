import { expect, test } from "@jest/globals";
import { expectRefusal } from "../../setup/service/refusal.ts";
import { Replay } from "../../setup/service/rest-replay.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const replay = new Replay(service);

test("answers an empty list as []", async () => {
  const { status, text } = await replay.ask("GET", "/user/list");
  expect({ status, text: text.trim() }).toEqual({ status: 200, text: "[]" });
});

test("creates a user: the id a string of digits, the time with a blank and microseconds", async () => {
  const { status, body } = await replay.ask("POST", "/user/add", { email: "New@example.com" });
  expect(status).toBe(201);
  expect(body).toStrictEqual({
    id: expect.stringMatching(/^\d{16}$/),
    email: "New@example.com",
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/),
  });
  const stored = `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as time from "user" where id = $1`;
  expect(await service.sql(stored, [body.id])).toEqual([{ time: body.created_at }]);
});

test("lists and gets users: the time with a T and whole seconds", async () => {
  const created = (await replay.ask("POST", "/user/add", { email: "listed@example.com" })).body;
  const shown = { ...created, created_at: created.created_at.slice(0, 19).replace(" ", "T") };
  const list = await replay.ask("GET", "/user/list");
  expect(list.status).toBe(200);
  expect(list.body).toHaveLength(2);
  expect(list.body[1]).toStrictEqual(shown);
  const one = await replay.ask("GET", `/user/list/${created.id}`);
  expect({ status: one.status, body: one.body }).toStrictEqual({ status: 200, body: shown });
});

test("edits a user and answers the email alone; the user can keep the address in another letter case", async () => {
  const id = await service.user("before@example.com");
  for (const email of ["after@example.com", "AFTER@example.com", "AFTER@example.com"]) {
    const { status, body } = await replay.ask("PUT", `/user/edit/${id}`, { email });
    expect({ status, body }).toStrictEqual({ status: 200, body: { email } });
  }
  expect((await replay.ask("GET", `/user/list/${id}`)).body.email).toBe("AFTER@example.com");
});

test("a blank that was a + before a form is named in the refusal of an address", async () => {
  const refused = await replay.ask("POST", "/user/add", { email: "rest x@example.com" });
  expectRefusal(refused, "INVALID_VALUE", "email");
  expect(refused.body.message).toMatch(/If there was a \+, a form turned it into the blank.*--data-urlencode/);
  expect((await replay.ask("POST", "/user/add", { email: "no body" })).body.message).not.toContain("+");
});

test("deletes a user with no body in the answer", async () => {
  const id = await service.user("gone@example.com");
  const { status, text } = await replay.ask("DELETE", `/user/delete/${id}`);
  expect({ status, text }).toEqual({ status: 204, text: "" });
  expectRefusal(await replay.ask("GET", `/user/list/${id}`), "NOT_FOUND", "id");
});

test("?domains=delete deletes a user together with the domains", async () => {
  const id = await service.user("with-domains@example.com");
  await service.domain("with.example.com", id);
  const refused = await replay.ask("DELETE", `/user/delete/${id}`);
  expectRefusal(refused, "USER_HAS_DOMAINS", "id");
  expect(refused.text).toContain("or send domains=delete.");
  expectRefusal(await replay.ask("DELETE", `/user/delete/${id}?domains=keep`), "INVALID_VALUE", "domains");
  expect((await replay.ask("GET", "/domain/list/zone/with.example.com")).status).toBe(200);
  expect((await replay.ask("DELETE", `/user/delete/${id}?domains=delete`)).status).toBe(204);
  expectRefusal(await replay.ask("GET", "/domain/list/zone/with.example.com"), "NOT_FOUND", "zoneid");
});

test("a lookup answers the user that every selector given identifies, else 404", async () => {
  const [ada, ben] = [await service.user("ada@example.com"), await service.user("ben@example.com")];
  const agreeing = [
    `/user/list/${ada}`,
    `/user/list/${ada}?id=${ada}`,
    `/user/list/${ada}?email=ADA@example.com`,
    `/user/list/${ada}?id=${ada}&email=ada%40example.com`,
    `/user/list?id=${ada}`,
    `/user/list/?email=Ada@example.com`,
    `/user/list?id=${ada}&email=ada@example.com`,
  ];
  for (const path of agreeing) {
    const { status, body } = await replay.ask("GET", path);
    expect({ path, status, email: body.email }).toEqual({ path, status: 200, email: "ada@example.com" });
  }
  const disagreeing = [
    `/user/list/${ada}?id=${ben}`,
    `/user/list/${ada}?email=ben@example.com`,
    `/user/list/${ada}?id=${ada}&email=ben@example.com`,
    `/user/list/${ada}?email=nobody@example.com`,
    `/user/list?id=${ada}&email=ben@example.com`,
    "/user/list?email=nobody@example.com",
    "/user/list/1",
    "/user/list?id=1",
  ];
  for (const path of disagreeing)
    expect({ path, status: (await replay.ask("GET", path)).status }).toEqual({ path, status: 404 });
  for (const path of ["/user/list/abc", `/user/list/${ada}?id=abc`, "/user/list?id=abc"])
    expectRefusal(await replay.ask("GET", path), "INVALID_VALUE", "id");
});

test("every path works with a trailing slash", async () => {
  const created = await replay.ask("POST", "/user/add/", { email: "slash@example.com" });
  const { id } = created.body;
  const statuses = [
    created.status,
    (await replay.ask("GET", "/user/list/")).status,
    (await replay.ask("GET", `/user/list/${id}/`)).status,
    (await replay.ask("PUT", `/user/edit/${id}/`, { email: "slash2@example.com" })).status,
    (await replay.ask("DELETE", `/user/delete/${id}/`)).status,
  ];
  expect(statuses).toEqual([201, 200, 200, 200, 204]);
});

test("every path of users was replayed", () => {
  expect(replay.unreached("/user")).toEqual([]);
});
