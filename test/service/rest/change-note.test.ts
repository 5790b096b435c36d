/**
 * X-Change-Note: the note of a change over REST, for every path that makes one.
 */
import { expect, test } from "@jest/globals";
import { type Json, type RestOptions, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "noted.example.com";
/** The octets of a text, as a header holds them. */
const noted = (note: string) => ({ "X-Change-Note": Buffer.from(note).toString("latin1") });
const notes = async () => (await service.rest("GET", `/domain/history/${zone}`)).body.map(({ note }: Json) => note);

test("every write keeps its note in the journal", async () => {
  const userId = await service.user("notes@example.com");
  const write = async (method: string, path: string, note: string, options: RestOptions = {}) => {
    const answer = await service.rest(method, path, { ...options, headers: { ...options.headers, ...noted(note) } });
    expect([path, answer.status < 300]).toEqual([path, true]);
    return answer;
  };
  await write("POST", "/domain/add", "why it is there", { form: { zone, user_id: userId } });
  const form = { zone, owner: "a", rtype: "TXT", rdata: "one", ttl: 3600 };
  const { body } = await write("POST", "/record/add", "  für Zürich ✓ ", { form });
  await write("PUT", `/record/edit/${body.id}`, "edited", { form: { ...form, rdata: "two" } });
  const headers = { "Content-Type": "text/dns" };
  await write("POST", `/domain/zonefile/${zone}`, "imported", { body: "b 300 IN A 192.0.2.1\n", headers });
  await write("DELETE", `/record/delete/${body.id}`, "");
  expect(await notes()).toEqual([null, "imported", "edited", "für Zürich ✓", "why it is there"]);
  const { headers: deleted } = await write("DELETE", "/domain/delete", "over", { form: { zone } });
  const id = deleted.get("x-change-id");
  expect((await service.data(`{ change(id: "${id}") { note kind } }`)).change).toEqual({
    note: "over",
    kind: "DELETE",
  });
});

test.each<[string, Record<string, string>]>([
  ["longer than 500 characters", noted("x".repeat(501))],
  ["not UTF-8", { "X-Change-Note": "f\xfcr" }],
  ["not of one line", noted("a\tb")],
])("a note that is %s is refused, and nothing is changed", async (_, headers) => {
  const other = `n${_.length}.example.com`;
  await service.domain(other, await service.user(`${other.replace(".", "@")}`));
  const before = await service.snapshot(other);
  const form = { zone: other, owner: "a", rtype: "TXT", rdata: "one", ttl: 3600 };
  const refused = { code: 422, error: "INVALID_VALUE", field: "X-Change-Note" };
  expect((await service.rest("POST", "/record/add", { form, headers })).body).toMatchObject(refused);
  const file = { headers: { ...headers, "Content-Type": "text/dns" }, body: "b 300 IN A 192.0.2.1\n" };
  expect((await service.rest("POST", `/domain/zonefile/${other}`, file)).body).toMatchObject(refused);
  expect(await service.snapshot(other)).toEqual(before);
});

test("a note of 500 characters is kept, and a read ignores one", async () => {
  const other = "long.example.com";
  const long = "ü".repeat(500);
  const form = { zone: other, user_id: await service.user("long@example.com") };
  await service.rest("POST", "/domain/add", { form, headers: noted(long) });
  expect(
    (await service.rest("GET", `/domain/history/${other}`, { headers: noted("x".repeat(600)) })).body,
  ).toMatchObject([{ note: long }]);
});
