/**
 * The past of a zone by GraphQL: as it was at a moment, what differs between two, who did it.
 */
import { describe, expect, jest, test } from "@jest/globals";
import pg from "pg";
import { type Json, testService } from "../setup/service.ts";
import { lines, ofMx, texts, ZoneWithPast } from "../setup/zone-with-past.ts";

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
