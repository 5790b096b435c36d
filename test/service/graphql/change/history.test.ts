/** The past of a zone by GraphQL: as it was at a moment, what differs between two, who did it. */
import { describe, expect, jest, test } from "@jest/globals";
import pg from "pg";
import { textOf } from "../../../setup/database/statement-text.ts";
import { type Json, testService } from "../../../setup/service/service.ts";
import { lines, ZoneWithPast } from "../../../setup/service/zone-with-past.ts";

const service = testService();
const past = new ZoneWithPast(service);
const { ask, refused, zone } = past;

describe("a zone is shown as it was", () => {
  test("at the moment of a change, by its id, its serial or its time, with the change that had made each record so", async () => {
    const { id, serial, createdAt } = past.moved.change;
    const blamed = `records(types: ["MX", "CNAME"]) { nodes { recordId ttl rdata blame { id } } }`;
    for (const when of [`changeId: "${id}"`, `serial: ${serial}`]) {
      const { at } = await ask(`at(moment: { ${when} }) { zone serial change { id } endedBy { id note } ${blamed} }`);
      const endedBy = { id: past.removed.change.id, note: "clean up" };
      expect(at).toMatchObject({ zone: zone.name, serial, change: { id }, endedBy });
      expect(at.records.nodes.map(({ ttl, rdata, blame }: Json) => `${ttl} ${rdata} ${blame.id}`)).toEqual([
        `300 10 mail.example.org. ${id}`,
        `300 20 backup.example.org. ${id}`,
        `3600 ${zone.name}. ${past.created}`,
      ]);
      expect(at.records.nodes[0].recordId).toBe(past.added.records[0].id);
    }
    const { at } = await ask(`at(moment: { time: "${createdAt}" }) { change { createdAt } }`);
    expect(at.change.createdAt).toBe(createdAt);
  });

  test("blamed on who wrote a record, also when it was deleted with its zone and came back, which it says", async () => {
    const { change } = await past.change({ add: [{ owner: "who", type: "A", rdata: "192.0.2.1" }] });
    await service.mutate("deleteDomain", { by: { zone: zone.name } }, "deletedId");
    const back = await service.mutate("restoreDomain", { by: { zone: zone.name } }, "change { id }");
    const records = `records(owner: "who") { nodes { blame { id } restoredBy { id kind } } }`;
    const { at } = await ask(`at(moment: { changeId: "${back.change.id}" }) { ${records} }`);
    const restoredBy = { id: back.change.id, kind: "RESTORE" };
    expect(at.records.nodes).toEqual([{ blame: { id: change.id }, restoredBy }]);
    const { records: present } = await ask(`records(owner: "who") { nodes { changedAt changedBy { id } } }`);
    expect(present.nodes).toEqual([{ changedAt: change.createdAt, changedBy: { id: change.id } }]);
  });

  test("page by page, and by owner and data", async () => {
    const at = `at(moment: { changeId: "${past.moved.change.id}" })`;
    const whole = (await ask(`${at} { records { nodes { owner type rdata } totalCount } }`)).at.records;
    expect(whole.totalCount).toBe(whole.nodes.length);
    const page = async (args: string) =>
      (await ask(`${at} { records(${args}) { nodes { owner type rdata } pageInfo { hasNextPage endCursor } } }`)).at
        .records;
    const first = await page("first: 2");
    const rest = await page(`after: "${first.pageInfo.endCursor}"`);
    expect([...first.nodes, ...rest.nodes]).toEqual(whole.nodes);
    expect([first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
    const found = (await ask(`${at} { records(owner: "@", rdataContains: "BACKUP") { nodes { rdata } } }`)).at.records;
    expect(found.nodes).toEqual([{ rdata: "20 backup.example.org." }]);
  });

  test("as a master file, which over REST has any size", async () => {
    const { at, zoneFile } = await ask(`at(moment: { serial: ${past.moved.change.serial} }) { zoneFile } zoneFile`);
    expect(at.zoneFile).toContain(`${zone.name}.\t300\tIN\tMX\t20 backup.example.org.\n`);
    expect(zoneFile).not.toContain("backup");
    const { text, headers } = await service.rest("GET", `/domain/zonefile/${zone.name}?at=${past.moved.change.serial}`);
    expect([text, headers.get("content-type")]).toEqual([at.zoneFile, "text/dns; charset=utf-8"]);
  });

  test.each([
    ["at(moment: { serial: 5 })", "NOT_FOUND", "moment.serial"],
    [`at(moment: { changeId: "5" })`, "NOT_FOUND", "moment.changeId"],
    [`at(moment: { time: "2020-01-01T00:00:00Z" })`, "NOT_FOUND", "moment.time"],
    [`at(moment: { time: "2920-01-01T00:00:00Z" })`, "INVALID_VALUE", "moment.time"],
    [`at(moment: { serial: 5, changeId: "6" })`, "INVALID_VALUE", "moment"],
    [`at(moment: { changeId: "x" })`, "INVALID_VALUE", "moment.changeId"],
    ["at", "MISSING_FIELD", "moment"],
  ])("not %s", async (field, code, named) => {
    const found = await refused(`${field} { serial }`);
    expect([found.code, found.field]).toEqual([code, named]);
  });

  test("not at a moment that the journal does not go back to", async () => {
    const [domain] = await service.sql<{ id: string }>("select id from domain where zone = $1", [zone.name]);
    await service.sql("delete from change where domain_id = $1 and kind = 'CREATE'", [domain?.id]);
    expect(await refused(`at(moment: { time: "2020-01-01T00:00:00Z" }) { serial }`)).toMatchObject({
      code: "HISTORY_GONE",
      details: { firstSerial: past.added.change.serial, firstTime: past.added.change.createdAt },
    });
  });
});

describe("what differs between two moments", () => {
  test("is shown by RRset with the change that did it, in both directions, and counted by one statement", async () => {
    const query = jest.spyOn(pg.Client.prototype, "query");
    const [from, to] = [`{ changeId: "${past.created}" }`, `{ serial: ${past.moved.change.serial} }`];
    const selection = `addedCount removedCount rrsets { totalCount nodes { owner type ${lines} } }`;
    const { there } = await ask(`there: diff(from: ${from}, to: ${to}) { to { serial } ${selection} }`);
    const texts = query.mock.calls.map(([sent]) => textOf(sent));
    query.mockRestore();
    expect(texts.filter((text) => text.includes("count(distinct position)"))).toHaveLength(1);
    const { back } = await ask(`back: diff(from: ${to}, to: ${from}) { ${selection} }`);
    const change = { id: past.moved.change.id };
    const rrsets = (op: string) => ({
      totalCount: 1,
      nodes: [
        {
          owner: "@",
          type: "MX",
          lines: ["10 mail.example.org.", "20 backup.example.org."].map((rdata) => ({ op, ttl: 300, rdata, change })),
        },
      ],
    });
    const { serial } = past.moved.change;
    expect(there).toEqual({ to: { serial }, addedCount: 2, removedCount: 0, rrsets: rrsets("ADDED") });
    expect(back).toEqual({ addedCount: 0, removedCount: 2, rrsets: rrsets("REMOVED") });
  });

  test("is blamed for the SOA on the changes that edited more of it than its serial", async () => {
    const [soa] = (await ask(`records(types: ["SOA"]) { nodes { id rdata } }`)).records.nodes;
    const next = past.removed.change.serial + 1;
    const rdata = soa.rdata.replace(/ \d+ (\d+) /, ` ${next} 7000 `);
    const edited = await past.change({ update: [{ recordId: soa.id, rdata }] });
    await past.change({ add: [{ owner: "after", type: "TXT", rdata: "x" }] });
    const { diff } = await ask(
      `diff(from: { changeId: "${past.created}" }) { rrsets(first: 1) { nodes { type ${lines} } } }`,
    );
    const [first] = diff.rrsets.nodes;
    const { id } = edited.change;
    expect([first.type, ...first.lines.map(({ change }: Json) => change.id)]).toEqual(["SOA", id, id]);
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
  const { added, moved, removed } = past;
  const version = (recordId: string, ttl: number, from: Json, until: Json) =>
    [recordId, ttl, from.change.id, until.change.id].join(" ");
  expect(
    recordVersions.nodes.map((each: Json) => [each.recordId, each.ttl, each.from.id, each.until.id].join(" ")),
  ).toEqual([
    version(second, 300, moved, removed),
    version(first, 300, moved, removed),
    version(first, 3600, added, moved),
  ]);
});

describe("a change is by a user and a key", () => {
  const userOf = async (id: string, key?: string) =>
    (await service.data("query ($id: ID!) { change(id: $id) { actor user { id email } } }", { id }, key)).change;
  const transfer = (userId: string) =>
    service.mutate("transferDomain", { by: { zone: zone.name }, userId }, "domain { id }");

  test("also when the key was revoked; for another user, the user does not exist", async () => {
    const email = `${zone.name.split(".")[0]}@author.example`;
    const user = await service.user(email);
    await transfer(user);
    const own = await service.mutate("createApiKey", { name: "laptop", userId: user }, "key apiKey { id }");
    const input = { zone: zone.name, owner: "by", type: "TXT", rdata: "x" };
    const { id } = (await service.mutate("createRecord", input, "change { id }", own.key)).change;
    const author = { actor: expect.stringMatching(/^laptop \(/), user: { id: user, email } };
    expect(await userOf(id, own.key)).toEqual(author);
    await service.mutate("revokeApiKey", { apiKeyId: own.apiKey.id }, "apiKey { id }");
    expect(await userOf(id)).toEqual(author);
    const other = await service.user(`other-${email}`);
    await transfer(other);
    const otherKey = await service.key({ name: "laptop", userId: other });
    expect(await userOf(id, otherKey)).toEqual({ ...author, user: null });
  });

  test("by the user of a TSIG key, too; of an administrator's key there is no user", async () => {
    const { id } = past.added.change;
    expect((await userOf(id)).user).toBeNull();
    const email = `tsig-${zone.name.split(".")[0]}@author.example`;
    const userId = await service.user(email);
    const name = `${zone.name.split(".")[0]}.key`;
    await service.mutate("createTsigKey", { name, userId, zones: [zone.name] }, "tsigKey { name }");
    // As a dynamic update would have made it.
    await service.sql("update change set actor = $1, door = 'update' where id = $2", [`${name} (TSIG)`, id]);
    expect((await userOf(id)).user).toEqual({ id: userId, email });
  });
});
