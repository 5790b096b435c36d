/** The past of a zone over REST: its changes with their notes, the zone as it was, and differences. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Json, type RestOptions, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "past.example.com";
let userId: string;
const get = (path: string) => service.rest("GET", path);
const history = async (query = "", of = zone) => (await get(`/domain/history/${of}${query}`)).body as Json[];
const kinds = async (of: string) => (await history("", of)).map(({ kind }) => kind);
const remove = (name: string) => service.rest("DELETE", "/domain/delete", { form: { zone: name } });

beforeAll(async () => {
  userId = await service.user("past@example.com");
  await service.domain(zone, userId);
  const form = { zone, owner: "a", rtype: "TXT", rdata: "one", ttl: 3600 };
  const { body } = await service.rest("POST", "/record/add", { form });
  await service.rest("PUT", `/record/edit/${body.id}`, { form: { ...form, rdata: "two" } });
  await service.rest("DELETE", `/record/delete/${body.id}`);
});

describe("the changes of a zone", () => {
  test("are listed, the newest first, with how much they did besides the SOA", async () => {
    const changes = await history();
    expect(changes.map(({ kind, source, added, removed }) => `${kind} ${source} +${added} -${removed}`)).toEqual([
      "EDIT rest +0 -1",
      "EDIT rest +1 -1",
      "EDIT rest +1 -0",
      "CREATE graphql +3 -0",
    ]);
    const [, { serial }] = changes;
    expect(changes[0]).toMatchObject({ previous_serial: serial, note: null, undoes: null, returns_to: null });
    expect(changes[0].created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
  });

  test("are selected and come in pages", async () => {
    const [{ actor }] = await history();
    for (const [query, count] of [
      ["?owner=a&rtype=TXT", 3],
      ["?rtype=CNAME", 1],
      ["?since=2920-01-01T00:00:00Z", 0],
      ["?until=2920-01-01T00:00:00Z", 4],
      ["?until=2020-01-01T00:00:00Z", 0],
      [`?actor=${encodeURIComponent(actor)}`, 4],
      ["?actor=nobody", 0],
    ] as const)
      expect([query, (await history(query)).length]).toEqual([query, count]);
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
    expect(await history("?records=all")).toMatchObject({ code: 422, field: "records" });
  });

  test("with the change set that a change is part of", async () => {
    const set = "set.example.com";
    await service.domain(set, userId);
    const zones = [{ edit: { zone: set, add: [{ owner: "set", type: "TXT", rdata: "x" }] } }];
    const fields = "changeSet { id } preview { fingerprint }";
    const { changeSet, preview } = await service.mutate("createChangeSet", { title: "a set", zones }, fields);
    const input = { changeSetId: changeSet.id, expectedFingerprint: preview.fingerprint };
    await service.mutate("applyChangeSet", input, "changeSet { state }");
    expect((await history("", set)).map((change) => change.change_set_id)).toEqual([Number(changeSet.id), null]);
  });

  test("are those of the zone deleted last where there is none of the name", async () => {
    const name = "gone.example.com";
    for (const edits of [[], ["EDIT"]]) {
      await service.domain(name, userId);
      for (const _ of edits) await service.record(name, "a", "TXT", "x");
      await remove(name);
      expect(await kinds(name)).toEqual(["DELETE", ...edits, "CREATE"]);
    }
    await service.domain(name, userId);
    expect(await kinds(name)).toEqual(["CREATE"]);
    expect(await history("", "absent.example.com")).toMatchObject({
      error: "NOT_FOUND",
      field: "zone",
      message: "There is no zone absent.example.com; check the name.",
    });
  });
});

describe("a moment is", () => {
  test("a serial, the id of a change, or a time; a master file then has the notes that RRsets have now", async () => {
    const [, edited] = await history();
    const { change } = await service.data(`{ change(id: "${edited.id}") { createdAt } }`);
    await service.mutate("setNote", { zone, owner: "a", type: "TXT", text: "for the test" }, "note { text }");
    const { serial, id } = edited;
    const moments = [`at=${serial}`, `at=${id}`, `at=${change.createdAt}`, `serial=${serial}`];
    const files = await Promise.all(
      [...moments, `time=${change.createdAt}`].map(
        async (moment) => (await get(`/domain/zonefile/${zone}?${moment}`)).text,
      ),
    );
    expect(files[0]).toContain(`; for the test\na.${zone}.\t3600\tIN\tTXT\t"two"\n`);
    expect(new Set(files).size).toBe(1);
  });

  test("a time with a space in place of the T, and without seconds; one without an offset is refused", async () => {
    const url = (at: string) => `/domain/zonefile/${zone}?at=${encodeURIComponent(at)}`;
    expect(await get(url("2020-01-01 00:00Z"))).toMatchObject({ status: 404 });
    expect(await get(url("2020-01-01 00:00"))).toMatchObject({
      status: 422,
      text: expect.stringContaining("write 2020-01-01 00:00Z for UTC, or another offset"),
    });
  });

  test("also one before the zone was created: all of it has come since, and a warning says so", async () => {
    const { text, headers } = await get(`/domain/diff/${zone}?from=2020-01-01T00:00:00Z`);
    expect(text).toMatch(new RegExp(`^--- ${zone}\tbefore it was created\n\\+\\+\\+ ${zone} `));
    const [, , ...lines] = text.split("\n");
    expect(lines.filter((line) => !/^(@@|\+|$)/.test(line))).toEqual([]);
    expect(headers.get("x-warning")).toBe(`${zone} was created later; all of its records were added since.`);
  });

  test("either end of a difference", async () => {
    const [, edited, added] = await history();
    const { text } = await get(`/domain/diff/${zone}?from=${added.id}&to=${edited.serial}`);
    expect(text.split("\n").slice(3)).toEqual([`-a 3600 IN TXT "one"`, `+a 3600 IN TXT "two"`, ""]);
  });

  test.each([
    [`/domain/zonefile/${zone}?at=5`, "NOT_FOUND", "at"],
    [`/domain/zonefile/${zone}?at=2026-02-30T00:00:00Z`, "INVALID_VALUE", "at"],
    [`/domain/zonefile/${zone}?serial=5`, "NOT_FOUND", "serial"],
    [`/domain/zonefile/${zone}?serial=2026-02-20T00:00:00Z`, "INVALID_VALUE", "serial"],
    [`/domain/zonefile/${zone}?at=2020-01-01`, "NOT_FOUND", "at"],
    [`/domain/zonefile/${zone}?at=09:51`, "INVALID_VALUE", "at"],
    [`/domain/zonefile/${zone}?time=5`, "INVALID_VALUE", "time"],
    [`/domain/zonefile/${zone}?time=2020-01-01T00:00:00Z`, "NOT_FOUND", "time"],
    [`/domain/zonefile/${zone}?serial=5&time=2020-01-01T00:00:00Z`, "INVALID_VALUE", "time"],
    [`/domain/zonefile/${zone}?id=5`, "NOT_FOUND", "zone"],
    [`/domain/zonefile/${zone}?id=x`, "INVALID_VALUE", "id"],
    [`/domain/history/${zone}?id=5`, "NOT_FOUND", "id"],
    [`/domain/diff/${zone}?from=5`, "NOT_FOUND", "from"],
    [`/domain/diff/${zone}`, "MISSING_FIELD", "from"],
    ["/domain/diff/absent.example.com?from=5", "NOT_FOUND", "zone"],
  ])("not so: %s", async (path, error, field) => {
    expect((await get(path)).body).toMatchObject({ error, field });
  });

  test("also one of a zone that was deleted, by its id also where its name is used again", async () => {
    const name = "again.example.com";
    const id = await service.domain(name, userId);
    const [{ serial }] = await history("", name);
    await remove(name);
    expect((await get(`/domain/zonefile/${name}?at=${serial}`)).text).toContain("SOA");
    expect((await get(`/domain/diff/${name}?from=${serial}`)).text).toMatch(/^--- .*\n\+\+\+ .*\n$/);
    const user = await service.user("other@example.com");
    await service.sql("update deleted_domain set user_id = $1 where id = $2", [user, id]);
    await service.domain(name, user);
    const { text } = await get(`/domain/zonefile/${name}?id=${id}`);
    expect(text).toBe((await get(`/domain/zonefile/${name}?id=${id}&serial=${serial}`)).text);
    expect(text).toContain(` ${serial} `);
    expect((await get(`/domain/zonefile/${name}`)).text).not.toContain(` ${serial} `);
    const { text: diff } = await get(`/domain/diff/${name}?id=${id}&from=${serial}`);
    expect(diff).toMatch(new RegExp(`^--- ${name} ${serial}`));
  });
});

describe("X-Change-Note", () => {
  /** The octets of a text, as a header holds them. */
  const noted = (note: string) => ({ "X-Change-Note": Buffer.from(note).toString("latin1") });
  const ofFile = { "Content-Type": "text/dns" };
  const txt = (name: string, rdata = "one") => ({ zone: name, owner: "a", rtype: "TXT", rdata, ttl: 3600 });

  test("is kept in the journal by every write, and ignored by a read", async () => {
    const name = "noted.example.com";
    const write = async (method: string, path: string, note: string, options: RestOptions = {}) => {
      const answer = await service.rest(method, path, { ...options, headers: { ...options.headers, ...noted(note) } });
      expect([path, answer.status < 300]).toEqual([path, true]);
      return answer;
    };
    const long = "ü".repeat(500);
    await write("POST", "/domain/add", long, { form: { zone: name, user_id: userId } });
    const { body } = await write("POST", "/record/add", "  für Zürich ✓ ", { form: txt(name) });
    await write("PUT", `/record/edit/${body.id}`, "edited", { form: txt(name, "two") });
    await write("POST", `/domain/zonefile/${name}`, "imported", { body: "b 300 IN A 192.0.2.1\n", headers: ofFile });
    await write("DELETE", `/record/delete/${body.id}`, "");
    await write("DELETE", "/domain/delete", "over", { form: { zone: name } });
    const read = await write("GET", `/domain/history/${name}`, "x".repeat(600));
    expect(read.body.map(({ note }: Json) => note)).toEqual(["over", null, "imported", "edited", "für Zürich ✓", long]);
  });

  test.each<[string, Record<string, string>]>([
    ["longer than 500 characters", noted("x".repeat(501))],
    ["not UTF-8", { "X-Change-Note": "f\xfcr" }],
    ["not of one line", noted("a\tb")],
  ])("that is %s is refused, and nothing is changed", async (_, headers) => {
    const before = await service.state();
    const refused = { code: 422, error: "INVALID_VALUE", field: "X-Change-Note" };
    const form = txt("gone.example.com");
    expect((await service.rest("POST", "/record/add", { form, headers })).body).toMatchObject(refused);
    const file = { headers: { ...headers, ...ofFile }, body: "b 300 IN A 192.0.2.1\n" };
    expect((await service.rest("POST", "/domain/zonefile/gone.example.com", file)).body).toMatchObject(refused);
    expect(await service.state()).toEqual(before);
  });
});
