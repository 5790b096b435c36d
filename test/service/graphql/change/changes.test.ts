/** Lists of changes: the journal of one zone, and the changes of all zones, deleted ones too. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Json, testService } from "../../../setup/service/service.ts";

const service = testService();
const zones = { alice: "alice.example.com", other: "other.example.com", bob: "bob.example.net" };
let [laptop, certbot, limited, aliceKey] = ["", "", "", ""];

const change = (zone: string, edits: Json, key?: string) =>
  service.mutate("changeRecords", { zone, ...edits }, "records { id }", key);
const txt = (owner: string, rdata: string) => ({ owner, type: "TXT", rdata });
const keyOf = async (input: Json) => (await service.mutate("createApiKey", input, "key")).key;

beforeAll(async () => {
  const [alice, bob] = [await service.user("alice@example.com"), await service.user("bob@example.net")];
  [laptop, certbot] = [await keyOf({ name: "laptop" }), await keyOf({ name: "cert_bot" })];
  limited = await keyOf({ name: "limited", userId: alice, zones: [zones.other] });
  aliceKey = await keyOf({ name: "alice", userId: alice });
  await service.domain(zones.alice, alice);
  await service.domain(zones.other, alice);
  await service.domain(zones.bob, bob);
  await change(zones.alice, { add: [txt("a", "one")] }, laptop);
  await change(zones.bob, { add: [txt("a", "one")] }, certbot);
  const add = [txt("b", "two"), { owner: "b", type: "A", rdata: "192.0.2.1" }];
  const [{ id }] = (await change(zones.alice, { add })).records;
  const form = { zone: zones.alice, owner: "c", rtype: "TXT", rdata: "three", ttl: 3600 };
  await service.rest("POST", "/record/add", { form });
  await change(zones.alice, { update: [{ recordId: id, rdata: "four" }] }, certbot);
  await change(zones.alice, { remove: [id] }, laptop);
});

async function ofZone(args: string): Promise<Json> {
  const fields = "nodes { serial added { nodes { owner type } } removed { nodes { owner type } } } totalCount";
  return (await service.data(`{ domain(by: { zone: "${zones.alice}" }) { serial changes(${args}) { ${fields} } } }`))
    .domain;
}
const besidesSoa = ({ added, removed }: Json) => {
  const texts = (sign: string, { nodes }: Json) =>
    nodes.filter(({ type }: Json) => type !== "SOA").map(({ owner, type }: Json) => `${sign}${owner} ${type}`);
  return [...texts("-", removed), ...texts("+", added)].toSorted().join(" ");
};
const shown = ({ changes }: Json) => changes.nodes.map(besidesSoa);

describe("the journal of a zone", () => {
  test.each<[string, readonly string[]]>([
    [`owner: "b", orderBy: CREATED`, ["+b A +b TXT", "+b TXT -b TXT", "-b TXT"]],
    [`owner: "b.alice.example.com.", type: "A"`, ["+b A +b TXT"]],
    [`owner: "B", type: "txt", actor: "none"`, []],
    [`type: "TXT", source: REST`, ["+c TXT"]],
    [`owner: "absent"`, []],
    [`owner: "b", first: 1`, ["-b TXT"]],
  ])("holds what %s selects, and counts it", async (args, expected) => {
    const found = await ofZone(args);
    expect(shown(found)).toEqual(expected);
    expect(found.changes.totalCount).toBe(args.includes("first") ? 3 : expected.length);
  });

  test("goes on after a serial, with all that came after it and nothing else", async () => {
    const { changes, serial } = await ofZone("orderBy: CREATED");
    for (const [at, { serial: since }] of changes.nodes.entries()) {
      const rest = await ofZone(`sinceSerial: ${since}, orderBy: CREATED`);
      expect(rest.changes.nodes).toEqual(changes.nodes.slice(at + 1));
    }
    expect((await ofZone(`sinceSerial: ${serial}`)).changes.nodes).toEqual([]);
    expect(shown(await ofZone(`sinceSerial: ${changes.nodes[1].serial}, owner: "c"`))).toEqual(["+c TXT"]);
  });

  test("does not go on after a serial that it never was at, or that is to come", async () => {
    const { serial } = await ofZone("first: 1");
    for (const since of [serial - 1000, serial + 1]) {
      const document = `{ domain(by: { zone: "${zones.alice}" }) { changes(sinceSerial: ${since}) { nodes { id } } } }`;
      const { body } = await service.graphql(document);
      expect(body.errors[0].extensions).toMatchObject({ code: "NOT_FOUND", field: "sinceSerial" });
    }
  });
});

const list = `query ($filter: ChangeFilter, $first: Int, $after: String, $orderBy: JournalOrder!) {
  changes(filter: $filter, first: $first, after: $after, orderBy: $orderBy) {
    nodes { id zone serial kind actor source createdAt domain { zone } } pageInfo { hasNextPage endCursor } totalCount } }`;
const changes = async (filter: Json = {}, { key, ...rest }: Json = {}) =>
  (await service.data(list, { filter, orderBy: "CREATED_DESC", ...rest }, key)).changes;
const zonesOf = ({ nodes }: Json) => [...new Set(nodes.map(({ zone }: Json) => zone))].toSorted();

describe("the changes of all zones", () => {
  test("are those that the key sees, newest first", async () => {
    const { nodes, totalCount } = await changes();
    expect([zonesOf({ nodes }), nodes.length]).toEqual([Object.values(zones).toSorted(), totalCount]);
    const ids: string[] = nodes.map(({ id }: Json) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(zonesOf(await changes({}, { key: aliceKey }))).toEqual([zones.alice, zones.other]);
    expect(zonesOf(await changes({}, { key: limited }))).toEqual([zones.other]);
    expect(zonesOf(await changes({ zone: zones.bob }, { key: aliceKey }))).toEqual([]);
  });

  test.each(["CREATED_DESC", "CREATED"])("come in pages, the %s first, by each key", async (orderBy) => {
    for (const key of [undefined, aliceKey]) {
      const paged: Json[] = [];
      for (let after: string | null = null, more = true; more; ) {
        const { nodes, pageInfo } = await changes({}, { key, orderBy, first: 3, after });
        paged.push(...nodes);
        [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
      }
      expect(paged).toEqual((await changes({}, { key, orderBy })).nodes);
    }
  });

  test("are selected by actor, source, zone and time", async () => {
    const { nodes } = await changes();
    const { actor } = nodes.find((each: Json) => each.actor.startsWith("cert_bot"));
    const { createdAt } = nodes[3];
    for (const [filter, matches] of [
      [{ actor }, (each) => each.actor === actor],
      [{ actor: actor.replace("_", "x") }, () => false],
      [{ source: "REST" }, (each) => each.source === "REST"],
      [{ actor, zone: "ALICE.example.com." }, (each) => each.actor === actor && each.zone === zones.alice],
      [{ createdSince: createdAt }, (each) => each.createdAt >= createdAt],
      [{ createdBefore: createdAt }, (each) => each.createdAt < createdAt],
    ] as [Json, (each: Json) => boolean][]) {
      const expected = nodes.filter(matches);
      expect(await changes(filter)).toMatchObject({ nodes: expected, totalCount: expected.length });
    }
  });

  test("of a zone are selected by the records that they removed or added", async () => {
    const found = async (filter: Json, key?: string) =>
      (await changes({ zone: zones.alice, ...filter }, { key })).nodes.map(({ serial }: Json) => serial);
    for (const [filter, args] of [
      [{ owner: "b" }, `owner: "b"`],
      [{ owner: "b.alice.example.com.", type: "a" }, `owner: "b", type: "A"`],
      [{ type: "TXT", source: "REST" }, `type: "TXT", source: REST`],
      [{ owner: "absent" }, `owner: "absent"`],
    ] as const)
      expect(await found(filter)).toEqual((await ofZone(args)).changes.nodes.map(({ serial }: Json) => serial));
    expect((await changes({ zone: zones.alice, owner: "b" }, { first: 1 })).totalCount).toBe(3);
    expect(await found({ owner: "b" }, limited)).toEqual([]);
    for (const filter of [{ owner: "b" }, { type: "TXT" }]) {
      const { body } = await service.graphql(list, { filter, orderBy: "CREATED_DESC" });
      expect(body.errors[0].extensions).toMatchObject({ code: "MISSING_FIELD", field: "zone" });
    }
    const filter = { zone: zones.alice, type: "NONE-SUCH" };
    expect(await service.refusal(list, { filter, orderBy: "CREATED_DESC" })).toBe("UNSUPPORTED_TYPE");
  });

  test("include those of a deleted zone, by its name and for its last user", async () => {
    await service.rest("DELETE", "/domain/delete", { form: { zone: zones.other } });
    for (const key of [undefined, aliceKey, limited]) {
      const { nodes } = await changes({ zone: zones.other }, { key });
      expect(nodes).toMatchObject([
        { kind: "DELETE", domain: null },
        { kind: "CREATE", domain: null },
      ]);
    }
    await service.domain(zones.other, await service.user("third@example.com"));
    expect((await changes({ zone: zones.other, owner: "www" })).nodes).toHaveLength(3);
    expect((await changes({ zone: zones.other, owner: "www" }, { key: aliceKey })).nodes).toHaveLength(2);
  });
});
