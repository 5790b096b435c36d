/**
 * The past of a zone over REST: its changes, the zone as it was, and differences.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Json, testService } from "../setup/service.ts";

const service = testService();
const zone = "past.example.com";
const get = (path: string) => service.rest("GET", path);
const history = async (query = "") => (await get(`/domain/history/${zone}${query}`)).body as Json[];

beforeAll(async () => {
  await service.domain(zone, await service.user("past@example.com"));
  const form = { zone, owner: "a", rtype: "TXT", rdata: "one", ttl: 3600 };
  const { body } = await service.rest("POST", "/record/add", { form });
  await service.rest("PUT", `/record/edit/${body.id}`, { form: { ...form, rdata: "two" } });
  await service.rest("DELETE", `/record/delete/${body.id}`);
});

describe("the changes of a zone", () => {
  test("are listed, the newest first, with how much they did besides the SOA", async () => {
    const changes = await history();
    const counts = changes.map(({ kind, door, added, removed }) => [kind, door, added, removed]);
    expect(counts).toEqual([
      ["EDIT", "rest", 0, 1],
      ["EDIT", "rest", 1, 1],
      ["EDIT", "rest", 1, 0],
      ["CREATE", "graphql", 3, 0],
    ]);
    expect(changes[0]).toMatchObject({
      previous_serial: changes[1].serial,
      note: null,
      undoes: null,
      returns_to: null,
    });
  });

  test("are selected and come in pages", async () => {
    expect(await history("?owner=a&rtype=TXT")).toHaveLength(3);
    expect(await history("?rtype=CNAME")).toHaveLength(1);
    expect(await history("?since=2920-01-01T00:00:00Z")).toEqual([]);
    const { headers, body } = await get(`/domain/history/${zone}?limit=3`);
    expect([body.length, headers.get("x-total-count")]).toEqual([3, "4"]);
    const [, next = ""] = /<\/api([^>]*)>/.exec(headers.get("link") ?? "") ?? [];
    expect((await get(next)).body).toMatchObject([{ kind: "CREATE" }]);
  });

  test("are not there of a zone that is not there", async () => {
    expect((await get("/domain/history/absent.example.com")).body).toMatchObject({ code: 404, error: "NOT_FOUND" });
  });
});

describe("a moment is written as a serial, the id of a change, or a time", () => {
  test("of a master file", async () => {
    const [, edited] = await history();
    const { change } = await service.data(`{ change(id: "${edited.id}") { createdAt } }`);
    const files = await Promise.all(
      [edited.serial, edited.id, change.createdAt].map(
        async (at) => (await get(`/domain/zonefile/${zone}?at=${at}`)).text,
      ),
    );
    expect(files[0]).toContain(`a.${zone}.\t3600\tIN\tTXT\t"two"\n`);
    expect(new Set(files).size).toBe(1);
  });

  test("of a difference", async () => {
    const [, edited, added] = await history();
    const { text } = await get(`/domain/diff/${zone}?from=${added.id}&to=${edited.serial}`);
    expect(text.split("\n").slice(3)).toEqual([`-a 3600 IN TXT "one"`, `+a 3600 IN TXT "two"`, ""]);
  });

  test.each([
    [`/domain/zonefile/${zone}?at=5`, 404, "NOT_FOUND", "at"],
    [`/domain/zonefile/${zone}?at=yesterday`, 422, "INVALID_VALUE", "at"],
    [`/domain/zonefile/${zone}?at=2026-02-30T00:00:00Z`, 422, "INVALID_VALUE", "at"],
    [`/domain/diff/${zone}?from=5`, 404, "NOT_FOUND", "from"],
    [`/domain/diff/${zone}`, 400, "MISSING_FIELD", "from"],
    ["/domain/diff/absent.example.com?from=5", 404, "NOT_FOUND", "zone"],
  ])("not so: %s", async (path, status, error, field) => {
    const { body } = await get(path);
    expect([body.code, body.error, body.field]).toEqual([status, error, field]);
  });

  test("also of a zone that was deleted", async () => {
    const [last] = await history();
    await service.rest("DELETE", "/domain/delete", { form: { zone } });
    expect((await get(`/domain/zonefile/${zone}?at=${last.serial}`)).text).toContain("SOA");
    expect((await get(`/domain/diff/${zone}?from=${last.serial}`)).text).toMatch(/^--- .*\n\+\+\+ .*\n$/);
  });
});
