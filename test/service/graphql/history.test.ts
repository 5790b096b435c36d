/**
 * The past of a zone by GraphQL: as it was at a moment, what differs between two, who did it.
 */
import { describe, expect, jest, test } from "@jest/globals";
import pg from "pg";
import { type Json, mutation, testService } from "../../setup/service/service.ts";
import { lines, ofMx, texts, ZoneWithPast } from "../../setup/service/zone-with-past.ts";

const service = testService();
const past = new ZoneWithPast(service);
const { ask, refused, zone } = past;

describe("a zone is shown as it was", () => {
  test("at the moment of a change, by its id, its serial or its time", async () => {
    const { id, serial, createdAt } = past.moved.change;
    for (const when of [`changeId: "${id}"`, `serial: ${serial}`]) {
      const { at } = await ask(`at(${when}) { zone serial change { id } endedBy { id note } ${ofMx("ttl rdata")} }`);
      expect(at).toMatchObject({
        zone: zone.name,
        serial,
        change: { id },
        endedBy: { id: past.removed.change.id, note: "clean up" },
      });
      expect(texts(at)).toEqual(["300 10 mail.example.org.", "300 20 backup.example.org."]);
    }
    const { at } = await ask(`at(time: "${createdAt}") { change { createdAt } }`);
    expect(at.change.createdAt).toBe(createdAt);
  });

  test("with the change that had made each record so", async () => {
    const { at } = await ask(`at(changeId: "${past.moved.change.id}") { records(types: ["MX", "CNAME"]) {
      nodes { recordId rdata blame { id note } } } }`);
    expect(at.records.nodes.map(({ blame }: Json) => blame.id)).toEqual([
      past.moved.change.id,
      past.moved.change.id,
      past.created,
    ]);
    expect(at.records.nodes[0].recordId).toBe(past.added.records[0].id);
  });

  test("blamed on who wrote a record, also when it was deleted with its zone and came back", async () => {
    const zoneName = zone.name;
    const input = `input: { by: { zone: "${zoneName}" } }`;
    const around = async (edit: () => Promise<Json>) => {
      await service.data(`mutation { deleteDomain(input: { zone: "${zoneName}" }) { deletedId } }`);
      const { restoreDomain } = await service.data(`mutation { restoreDomain(${input}) { change { id } } }`);
      return { restored: restoreDomain.change.id, edited: await edit() };
    };
    const first = await past.change({ add: [{ owner: "who", type: "A", rdata: "192.0.2.1" }] });
    const [{ id }] = first.records;
    await around(async () => undefined);
    const { restored, edited } = await around(() => past.change({ update: [{ id, rdata: "192.0.2.2" }] }));
    const of = (change: string) => `at(changeId: "${change}") { records(owner: "who") {
      nodes { rdata blame { id } restoredBy { id kind } } } }`;
    const restoredBy = { id: restored, kind: "RESTORE" };
    expect((await ask(of(restored))).at.records.nodes).toEqual([
      { rdata: "192.0.2.1", blame: { id: first.change.id }, restoredBy },
    ]);
    expect((await ask(of(edited.change.id))).at.records.nodes).toEqual([
      { rdata: "192.0.2.2", blame: { id: edited.change.id }, restoredBy: null },
    ]);
    const diff = (from: string, to: string) =>
      ask(
        `diff(from: { changeId: "${from}" }, to: { changeId: "${to}" }) { text rrsets { nodes { owner ${lines} } } }`,
      );
    expect((await diff(first.change.id, restored)).diff.rrsets.nodes).toEqual([]);
    const line = (op: string, rdata: string, change: string) => ({ op, ttl: 3600, rdata, change: { id: change } });
    const both = (await diff(first.change.id, edited.change.id)).diff;
    expect(both.rrsets.nodes).toEqual([
      {
        owner: "who",
        lines: [line("REMOVED", "192.0.2.1", edited.change.id), line("ADDED", "192.0.2.2", edited.change.id)],
      },
    ]);
    expect(both.text).not.toContain(restored);
    const come = (await diff(past.created, restored)).diff.rrsets.nodes;
    expect(come).toEqual([{ owner: "who", lines: [line("ADDED", "192.0.2.1", first.change.id)] }]);
    const refusal = await past.refusal(
      `mutation { revertChange(input: { id: "${first.change.id}" }) { change { id } } }`,
    );
    expect(refusal).toMatchObject({ code: "CHANGE_CONFLICT", details: { changeIds: [edited.change.id] } });
  });

  test("page by page, and by owner and data", async () => {
    const at = `at(changeId: "${past.moved.change.id}")`;
    const whole = (await ask(`${at} { records { nodes { owner type rdata } totalCount } }`)).at.records;
    expect(whole.totalCount).toBe(whole.nodes.length);
    const nodes: Json[] = [];
    for (let after = null, more = true; more; ) {
      const page: Json = (
        await ask(`${at} { records(first: 2, after: ${JSON.stringify(after)}) {
          nodes { owner type rdata } pageInfo { hasNextPage endCursor } } }`)
      ).at.records;
      nodes.push(...page.nodes);
      [after, more] = [page.pageInfo.endCursor, page.pageInfo.hasNextPage];
    }
    expect(nodes).toEqual(whole.nodes);
    const found = (await ask(`${at} { records(owner: "@", rdataContains: "BACKUP") { nodes { rdata } } }`)).at.records;
    expect(found.nodes).toEqual([{ rdata: "20 backup.example.org." }]);
  });

  test("as a master file, which over REST has any size", async () => {
    const { at, zoneFile } = await ask(`at(serial: ${past.moved.change.serial}) { zoneFile } zoneFile`);
    expect(at.zoneFile).toContain(`${zone.name}.\t300\tIN\tMX\t20 backup.example.org.\n`);
    expect(zoneFile).not.toContain("backup");
    const { text, headers } = await service.rest("GET", `/domain/zonefile/${zone.name}?at=${past.moved.change.serial}`);
    expect([text, headers.get("content-type")]).toEqual([at.zoneFile, "text/dns; charset=utf-8"]);
  });

  test.each([
    ["at(serial: 5)", "NOT_FOUND", "serial"],
    [`at(changeId: "5")`, "NOT_FOUND", "changeId"],
    [`at(time: "2020-01-01T00:00:00Z")`, "NOT_FOUND", "time"],
    [`at(time: "2920-01-01T00:00:00Z")`, "INVALID_VALUE", "time"],
    [`at(serial: 5, changeId: "6")`, "INVALID_VALUE", "serial"],
    [`at(changeId: "x")`, "INVALID_VALUE", "changeId"],
    ["at", "MISSING_FIELD", undefined],
  ])("not %s", async (field, code, named) => {
    const found = await refused(`${field} { serial }`);
    expect([found.code, found.field]).toEqual([code, named]);
  });

  test("not at a moment that the journal does not go back to", async () => {
    const [domain] = await service.sql<{ id: string }>("select id from domain where zone = $1", [zone.name]);
    await service.sql("delete from change where domain_id = $1 and kind = 'CREATE'", [domain?.id]);
    expect(await refused(`at(time: "2020-01-01T00:00:00Z") { serial }`)).toMatchObject({
      code: "HISTORY_GONE",
      details: { firstSerial: past.added.change.serial, firstTime: past.added.change.createdAt },
    });
  });
});

describe("what differs between two moments", () => {
  test("is shown by RRset with the change that did it, in both directions", async () => {
    const [from, to] = [`{ changeId: "${past.created}" }`, `{ serial: ${past.moved.change.serial} }`];
    const { there, back } = await ask(`
      there: diff(from: ${from}, to: ${to}) { from { serial } to { serial } addedCount removedCount rrsets { nodes { owner type ${lines} } } }
      back: diff(from: ${to}, to: ${from}) { addedCount removedCount rrsets { totalCount nodes { owner type ${lines} } } }`);
    const line = (op: string, rdata: string) => ({ op, ttl: 300, rdata, change: { id: past.moved.change.id } });
    expect(there).toMatchObject({ addedCount: 2, removedCount: 0, to: { serial: past.moved.change.serial } });
    expect(there.rrsets.nodes).toEqual([
      {
        owner: "@",
        type: "MX",
        lines: ["10 mail.example.org.", "20 backup.example.org."].map((each) => line("ADDED", each)),
      },
    ]);
    expect(back).toMatchObject({ addedCount: 0, removedCount: 2, rrsets: { totalCount: 1 } });
    expect(back.rrsets.nodes[0].lines).toEqual(
      there.rrsets.nodes[0].lines.map((each: Json) => ({ ...each, op: "REMOVED" })),
    );
  });

  test("is counted by one statement, whichever counts are asked for", async () => {
    const query = jest.spyOn(pg.Client.prototype, "query");
    const [from, to] = [`{ changeId: "${past.created}" }`, `{ serial: ${past.moved.change.serial} }`];
    const { diff } = await ask(
      `diff(from: ${from}, to: ${to}) { addedCount removedCount rrsets(first: 1) { totalCount nodes { owner } } }`,
    );
    const texts = query.mock.calls.map(([sent]) => (sent as unknown as pg.QueryConfig).text ?? String(sent));
    query.mockRestore();
    expect(diff).toMatchObject({ addedCount: 2, removedCount: 0, rrsets: { totalCount: 1 } });
    expect(texts.filter((text) => text.includes("count(distinct position)"))).toHaveLength(1);
  });

  test("is blamed for the SOA on the changes that edited more of it than its serial", async () => {
    const [soa] = (await ask(`records(types: ["SOA"]) { nodes { id rdata } }`)).records.nodes;
    const next = past.removed.change.serial + 1;
    const rdata = soa.rdata.replace(/ \d+ (\d+) /, ` ${next} 7000 `);
    const edited = await past.change({ update: [{ id: soa.id, rdata }] });
    await past.change({ add: [{ owner: "after", type: "TXT", rdata: "x" }] });
    const { diff } = await ask(
      `diff(from: { changeId: "${past.created}" }) { rrsets(first: 1) { nodes { type ${lines} } } }`,
    );
    expect(diff.rrsets.nodes[0].type).toBe("SOA");
    expect(diff.rrsets.nodes[0].lines.map(({ change }: Json) => change.id)).toEqual([
      edited.change.id,
      edited.change.id,
    ]);
  });

  test("is all that there is from a time before the zone was created", async () => {
    const { diff } = await ask(`diff(from: { time: "2020-01-01T00:00:00Z" }, to: { changeId: "${past.created}" }) {
      from { serial } removedCount addedCount text }`);
    const { at } = await ask(`at(changeId: "${past.created}") { records { totalCount } }`);
    expect(diff).toMatchObject({ from: null, removedCount: 0, addedCount: at.records.totalCount });
    expect(diff.text.split("\n")[0]).toBe(`--- ${zone.name}\tbefore it was created`);
  });

  test("leads to the present when it says nothing else, and is empty where all that came has gone", async () => {
    const { diff } = await ask(
      `diff(from: { changeId: "${past.created}" }) { rrsets { nodes { owner } } to { change { id } } text }`,
    );
    expect(diff).toMatchObject({ rrsets: { nodes: [] }, to: { change: { id: past.removed.change.id } } });
  });

  test("is a text in the manner of diff -u, also over REST", async () => {
    const [from, to] = [past.added.change.serial, past.removed.change.serial];
    const { diff } = await ask(`diff(from: { serial: ${from} }, to: { serial: ${to} }) { text }`);
    const { actor, createdAt, id } = past.moved.change;
    expect(diff.text).toBe(`--- ${zone.name} ${from}\t${past.added.change.createdAt}
+++ ${zone.name} ${to}\t${past.removed.change.createdAt}
@@ @ MX @@ ${actor} by graphql, ${createdAt}, change ${id}
-@ 3600 IN MX 10 mail.example.org.
`);
    const answer = await service.rest("GET", `/domain/diff/${zone.name}?from=${from}&to=${to}`);
    expect([answer.text, answer.headers.get("content-type")]).toEqual([diff.text, "text/x-diff; charset=utf-8"]);
  });
});

test("an RRset has all its versions, each with the changes that began and ended it", async () => {
  const { recordVersions } = await ask(`recordVersions(owner: "@", type: "MX") {
    nodes { recordId ttl rdata from { id } until { id } } }`);
  const [first, second] = [past.added.records[0].id, past.moved.records[1].id];
  expect(
    recordVersions.nodes.map(({ recordId, ttl, from, until }: Json) => [recordId, ttl, from.id, until.id]),
  ).toEqual([
    [second, 300, past.moved.change.id, past.removed.change.id],
    [first, 300, past.moved.change.id, past.removed.change.id],
    [first, 3600, past.added.change.id, past.moved.change.id],
  ]);
});

describe("a change is by a user and a key", () => {
  const add = mutation("createRecord", "change { id }");
  const userOf = "query ($id: ID!) { change(id: $id) { actor user { id email } } }";

  test("also when the key was revoked; for another user, the user does not exist", async () => {
    const email = `${zone.name.split(".")[0]}@author.example`;
    const user = await service.user(email);
    await service.data(
      `mutation { transferDomain(input: { zone: "${zone.name}", userId: "${user}" }) { domain { id } } }`,
    );
    const key = await service.key({ name: "laptop", userId: user });
    const input = { zone: zone.name, owner: "by", type: "TXT", rdata: "x" };
    const { id } = (await service.data(add, { input }, key)).createRecord.change;
    const { apiKeys } = await service.data(`{ apiKeys(first: 1000) { nodes { id user { id } } } }`);
    const [{ id: keyId }] = apiKeys.nodes.filter(({ user: of }: Json) => of?.id === user);
    const author = { actor: expect.stringMatching(/^laptop \(/), user: { id: user, email } };
    expect((await service.data(userOf, { id }, key)).change).toEqual(author);
    await service.data(`mutation { revokeApiKey(input: { id: "${keyId}" }) { apiKey { id } } }`);
    expect((await service.data(userOf, { id })).change).toEqual(author);
    const other = await service.user(`other-${email}`);
    await service.data(
      `mutation { transferDomain(input: { zone: "${zone.name}", userId: "${other}" }) { domain { id } } }`,
    );
    const otherKey = await service.key({ name: "laptop", userId: other });
    expect((await service.data(userOf, { id }, otherKey)).change).toEqual({ ...author, user: null });
  });

  test("by the user of a TSIG key, too", async () => {
    const email = `tsig-${zone.name.split(".")[0]}@author.example`;
    const userId = await service.user(email);
    const name = `${zone.name.split(".")[0]}.key`;
    const create = mutation("createTsigKey", "tsigKey { name }");
    await service.data(create, { input: { name, userId, zones: [zone.name] } });
    const { id } = past.added.change;
    // As a dynamic update would have made it.
    await service.sql("update change set actor = $1, door = 'update' where id = $2", [`${name} (TSIG)`, id]);
    expect((await service.data(userOf, { id })).change.user).toEqual({ id: userId, email });
  });

  test("of an administrator's key there is no user", async () => {
    expect((await service.data(userOf, { id: past.added.change.id })).change.user).toBeNull();
  });
});
