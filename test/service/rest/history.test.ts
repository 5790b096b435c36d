/**
 * The past of a zone over REST: its changes, the zone as it was, and differences.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

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

  test("with the records that each removed and added, where they are asked for", async () => {
    const [deleted, edited, added] = (await history("?records=yes&owner=a")).map(
      ({ added_records: plus, removed_records: minus }) =>
        [plus, minus].map((list) => list.filter(({ type }: Json) => type !== "SOA")),
    );
    const [one, two] = ['"one"', '"two"'].map((rdata) => ({ owner: "a", type: "TXT", ttl: "3600", rdata }));
    expect([deleted, edited, added]).toEqual([
      [[], [two]],
      [[two], [one]],
      [[one], []],
    ]);
    expect((await history())[0]).not.toHaveProperty("added_records");
    expect((await get(`/domain/history/${zone}?records=all`)).body).toMatchObject({ code: 422, field: "records" });
  });

  test("by author and until a time", async () => {
    const [{ actor, created_at }] = await history();
    expect(await history(`?actor=${encodeURIComponent(actor)}`)).toHaveLength(4);
    expect(await history("?actor=nobody")).toEqual([]);
    expect(await history("?until=2020-01-01T00:00:00Z")).toEqual([]);
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    expect(await history("?until=2920-01-01T00:00:00Z")).toHaveLength(4);
  });

  test("with the change set that a change is part of", async () => {
    const zone = "set.example.com";
    await service.domain(zone, await service.user("set@example.com"));
    const history = async () => (await get(`/domain/history/${zone}`)).body as Json[];
    const { changeSet } = await service.mutate(
      "createChangeSet",
      { title: "a set", zones: [{ zone, add: [{ owner: "set", type: "TXT", rdata: "x" }] }] },
      "changeSet { id }",
    );
    const { changeSetPreview } = await service.data(`{ changeSetPreview(id: "${changeSet.id}") { fingerprint } }`);
    await service.mutate(
      "applyChangeSet",
      { id: changeSet.id, expectedFingerprint: changeSetPreview.fingerprint },
      "changeSet { state }",
    );
    expect((await history()).map((change) => change.change_set_id)).toEqual([Number(changeSet.id), null]);
  });

  test("are not there of a zone that is not there", async () => {
    expect((await get("/domain/history/absent.example.com")).body).toMatchObject({
      code: 404,
      error: "NOT_FOUND",
      field: "zone",
      message: expect.stringContaining("There is no zone absent.example.com"),
    });
  });

  test("are those of the zone deleted last where there is none of the name", async () => {
    const name = "gone.example.com";
    const userId = await service.user("gone@example.com");
    const kinds = async () => {
      const { body, headers } = await get(`/domain/history/${name}?ownr=x`);
      return [body.map(({ kind }: Json) => kind), headers.get("x-warning")];
    };
    const warning = expect.stringMatching(/^[^,]*\(ownr\)\.$/);
    for (const changes of [1, 2]) {
      await service.domain(name, userId);
      for (let at = 1; at < changes; at += 1)
        await service.rest("POST", "/record/add", {
          form: { zone: name, owner: "a", rtype: "TXT", rdata: "x", ttl: 3600 },
        });
      await service.rest("DELETE", "/domain/delete", { form: { zone: name } });
      const edits = Array.from({ length: changes - 1 }, () => "EDIT");
      expect(await kinds()).toEqual([["DELETE", ...edits, "CREATE"], warning]);
    }
    await service.domain(name, userId);
    expect(await kinds()).toEqual([["CREATE"], warning]);
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

  test("of a master file by a serial or a time alone, with the notes that RRsets have now", async () => {
    const [, edited] = await history();
    const { change } = await service.data(`{ change(id: "${edited.id}") { createdAt } }`);
    const set = mutation("setNote", "note { text }");
    await service.data(set, { input: { zone, owner: "a", type: "TXT", text: "for the test" } });
    const files = await Promise.all(
      [`serial=${edited.serial}`, `time=${change.createdAt}`].map(
        async (when) => (await get(`/domain/zonefile/${zone}?${when}`)).text,
      ),
    );
    expect(files[0]).toContain(`; for the test\na.${zone}.\t3600\tIN\tTXT\t"two"\n`);
    expect(new Set(files).size).toBe(1);
  });

  test("a time with a space in place of the T, and without seconds; one without an offset is refused", async () => {
    const url = (at: string) => `/domain/zonefile/${zone}?at=${encodeURIComponent(at)}`;
    expect(await get(url("2020-01-01 00:00Z"))).toMatchObject({ status: 404 });
    const { status, text } = await get(url("2020-01-01 00:00"));
    expect([status, text]).toEqual([
      422,
      expect.stringContaining("write 2020-01-01 00:00Z for UTC, or another offset"),
    ]);
  });

  test("of a difference from before the zone was created: all of it has come, and a warning says so", async () => {
    const { text, headers } = await get(`/domain/diff/${zone}?from=2020-01-01T00:00:00Z`);
    expect(text).toMatch(new RegExp(`^--- ${zone}\tbefore it was created\n\\+\\+\\+ ${zone} `));
    const lines = text
      .split("\n")
      .slice(2)
      .filter((line) => !line.startsWith("@@"));
    expect(lines.every((line) => line === "" || line.startsWith("+"))).toBe(true);
    expect(headers.get("x-warning")).toBe(`${zone} was created later; all that it has came since.`);
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
    [`/domain/zonefile/${zone}?serial=5`, 404, "NOT_FOUND", "serial"],
    [`/domain/zonefile/${zone}?serial=2026-02-20T00:00:00Z`, 422, "INVALID_VALUE", "serial"],
    [`/domain/zonefile/${zone}?at=2020-01-01`, 404, "NOT_FOUND", "at"],
    [`/domain/zonefile/${zone}?at=09:51`, 422, "INVALID_VALUE", "at"],
    [`/domain/zonefile/${zone}?time=5`, 422, "INVALID_VALUE", "time"],
    [`/domain/zonefile/${zone}?time=2020-01-01T00:00:00Z`, 404, "NOT_FOUND", "time"],
    [`/domain/zonefile/${zone}?serial=5&time=2020-01-01T00:00:00Z`, 422, "INVALID_VALUE", "time"],
    [`/domain/zonefile/${zone}?id=5`, 404, "NOT_FOUND", "zone"],
    [`/domain/zonefile/${zone}?id=x`, 422, "INVALID_VALUE", "id"],
    [`/domain/history/${zone}?id=5`, 404, "NOT_FOUND", "id"],
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
    const { body } = await get(`/domain/history/${zone}`);
    expect(body[0].kind).toBe("DELETE");
  });

  test("by its id also of one whose name is used again", async () => {
    const first = "again.example.com";
    await service.domain(first, await service.user("again@example.com"));
    const [created] = (await get(`/domain/history/${first}`)).body as Json[];
    const { deleteDomain } = await service.data(`mutation { deleteDomain(input: { zone: "${first}" }) { deletedId } }`);
    const id = deleteDomain.deletedId;
    const user = await service.user("other@example.com");
    await service.sql("update deleted_domain set user_id = $1 where id = $2", [user, id]);
    await service.domain(first, user);
    expect((await get(`/domain/history/${first}?id=${id}`)).body).toMatchObject([
      { kind: "DELETE" },
      { kind: "CREATE", id: created?.id },
    ]);
    const { text } = await get(`/domain/zonefile/${first}?id=${id}`);
    expect(text).toBe((await get(`/domain/zonefile/${first}?id=${id}&serial=${created?.serial}`)).text);
    expect(text).toContain(` ${created?.serial} `);
    expect((await get(`/domain/zonefile/${first}`)).text).not.toContain(` ${created?.serial} `);
    expect((await get(`/domain/diff/${first}?id=${id}&from=${created?.serial}`)).text).toMatch(
      new RegExp(`^--- ${first} ${created?.serial}`),
    );
  });
});
