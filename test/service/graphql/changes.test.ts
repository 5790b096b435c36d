/**
 * Lists of changes: the journal of one zone with what selects from it, and the changes of all zones, deleted ones too.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const zones = { alice: "alice.example.com", other: "other.example.com", bob: "bob.example.net" };
const ids: Record<string, string> = {};
let [laptop, certbot, limited, aliceKey] = ["", "", "", ""];

const change = async (zone: string, edits: Json, key?: string) =>
  await service.mutate("changeRecords", { zone, ...edits }, "records { id } change { serial }", key);
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
  const { records } = await change(zones.alice, {
    add: [txt("b", "two"), { owner: "b", type: "A", rdata: "192.0.2.1" }],
  });
  ids.b = records[0].id;
  await service.rest("POST", "/record/add", {
    form: { zone: zones.alice, owner: "c", rtype: "TXT", rdata: "three", ttl: 3600 },
  });
  await change(zones.alice, { update: [{ id: ids.b, rdata: "four" }] }, certbot);
  await change(zones.alice, { remove: [ids.b] }, laptop);
});

const ofZone = async (args: string, zone = zones.alice) =>
  (
    await service.data(
      `query ($zone: String!) { domain(by: { zone: $zone }) { serial changes(${args}) {
        nodes { serial actor door kind added { nodes { owner type rdata } } removed { nodes { owner type rdata } } } totalCount } } }`,
      { zone },
    )
  ).domain;
const besidesSoa = ({ added, removed }: Json) => {
  const texts = (sign: string, { nodes }: Json) =>
    nodes.filter(({ type }: Json) => type !== "SOA").map(({ owner, type }: Json) => `${sign}${owner} ${type}`);
  return [...texts("-", removed), ...texts("+", added)].toSorted().join(" ");
};
const shown = ({ changes }: Json) => changes.nodes.map(besidesSoa);

describe("the journal of a zone", () => {
  test.each<[string, readonly string[]]>([
    [`owner: "b", orderBy: OLDEST`, ["+b A +b TXT", "+b TXT -b TXT", "-b TXT"]],
    [`owner: "b.alice.example.com.", type: "A"`, ["+b A +b TXT"]],
    [`owner: "B", type: "txt", actor: "none"`, []],
    [`type: "TXT", door: REST`, ["+c TXT"]],
    [`owner: "absent"`, []],
    [`owner: "b", first: 1`, ["-b TXT"]],
  ])("holds what %s selects", async (args, expected) => {
    expect(shown(await ofZone(args))).toEqual(expected);
  });

  test("counts what is selected", async () => {
    expect((await ofZone(`owner: "b", first: 1`)).changes.totalCount).toBe(3);
  });

  test("goes on after a serial, with all that came after it and nothing else", async () => {
    const { changes, serial } = await ofZone("orderBy: OLDEST");
    for (const [at, { serial: since }] of changes.nodes.entries()) {
      const rest = await ofZone(`sinceSerial: ${since}, orderBy: OLDEST`);
      expect(rest.changes.nodes).toEqual(changes.nodes.slice(at + 1));
    }
    expect((await ofZone(`sinceSerial: ${serial}`)).changes.nodes).toEqual([]);
    expect(shown(await ofZone(`sinceSerial: ${changes.nodes[1].serial}, owner: "c"`))).toEqual(["+c TXT"]);
  });

  test.each([
    ["one that it never was at", (serial: number) => serial - 1000],
    ["one to come", (serial: number) => serial + 1],
  ])("does not go on after a serial that it does not have: %s", async (_, at) => {
    const { serial } = await ofZone("first: 1");
    const { body } = await service.graphql(
      `{ domain(by: { zone: "${zones.alice}" }) { changes(sinceSerial: ${at(serial)}) { nodes { id } } } }`,
    );
    expect(body.errors[0].extensions).toMatchObject({ code: "NOT_FOUND", field: "sinceSerial" });
  });
});

const list = `query ($filter: ChangeFilter, $first: Int, $after: String, $orderBy: ChangeOrder!) {
  changes(filter: $filter, first: $first, after: $after, orderBy: $orderBy) {
    nodes { id zone kind actor door createdAt domain { zone } } pageInfo { hasNextPage endCursor } totalCount } }`;
const changes = async (filter: Json = {}, { key, ...rest }: Json = {}) =>
  (await service.data(list, { filter, orderBy: "NEWEST", ...rest }, key)).changes;
const all = Object.values(zones).toSorted();
const zonesOf = ({ nodes }: Json) => [...new Set(nodes.map(({ zone }: Json) => zone))].toSorted();

describe("the changes of all zones", () => {
  test("are those that the key sees, newest first", async () => {
    const { nodes, totalCount } = await changes();
    expect([zonesOf({ nodes }), nodes.length]).toEqual([all, totalCount]);
    expect(nodes.map(({ id }: Json) => id)).toEqual(
      nodes
        .map(({ id }: Json) => id)
        .toSorted()
        .toReversed(),
    );
    expect(zonesOf(await changes({}, { key: aliceKey }))).toEqual([zones.alice, zones.other]);
    expect(zonesOf(await changes({}, { key: limited }))).toEqual([zones.other]);
    expect(zonesOf(await changes({ zone: zones.bob }, { key: aliceKey }))).toEqual([]);
  });

  test.each([undefined, "alice"])("come in pages, by the key %s", async (name) => {
    const key = name && aliceKey;
    for (const orderBy of ["NEWEST", "OLDEST"]) {
      const whole = (await changes({}, { key, orderBy })).nodes;
      const paged: Json[] = [];
      for (let after: string | null = null; ; ) {
        const { nodes, pageInfo } = await changes({}, { key, orderBy, first: 3, after });
        paged.push(...nodes);
        if (!pageInfo.hasNextPage) break;
        after = pageInfo.endCursor;
      }
      expect(paged).toEqual(whole);
    }
  });

  test("are selected by actor, door, zone and time", async () => {
    const { nodes } = await changes();
    const actor = nodes.find((each: Json) => each.actor.startsWith("cert_bot")).actor;
    const expected = (matches: (each: Json) => boolean) => nodes.filter(matches).map(({ id }: Json) => id);
    const found = async (filter: Json) => (await changes(filter)).nodes.map(({ id }: Json) => id);
    expect(await found({ actor })).toEqual(expected((each) => each.actor === actor));
    expect(await found({ actor: actor.replace("_", "x") })).toEqual([]);
    expect(await found({ door: "REST" })).toEqual(expected((each) => each.door === "REST"));
    expect(await found({ actor, zone: "ALICE.example.com." })).toEqual(
      expected((each) => each.actor === actor && each.zone === zones.alice),
    );
    const { createdAt } = nodes[3];
    expect(await found({ createdSince: createdAt })).toEqual(expected((each) => each.createdAt >= createdAt));
    expect(await found({ createdBefore: createdAt })).toEqual(expected((each) => each.createdAt < createdAt));
    expect((await changes({ door: "REST" })).totalCount).toBe(1);
  });

  test("of a zone are selected by the records that they removed or added", async () => {
    const found = async (filter: Json, key?: string) =>
      (await changes({ zone: zones.alice, ...filter }, { key })).nodes;
    const ofJournal = async (args: string) =>
      (await ofZone(args)).changes.nodes.map(({ serial }: Json) => serial).toSorted();
    const whole = (await changes({ zone: zones.alice })).nodes.map(({ id }: Json) => id);
    for (const [filter, args] of [
      [{ owner: "b" }, `owner: "b"`],
      [{ owner: "b.alice.example.com.", type: "a" }, `owner: "b", type: "A"`],
      [{ type: "TXT", door: "REST" }, `type: "TXT", door: REST`],
      [{ owner: "absent" }, `owner: "absent"`],
    ] as const) {
      const nodes = await found(filter);
      expect(nodes).toHaveLength((await ofJournal(args)).length);
      expect(whole).toEqual(expect.arrayContaining(nodes.map(({ id }: Json) => id)));
    }
    expect(await found({ owner: "b" })).toHaveLength(3);
    expect((await changes({ zone: zones.alice, owner: "b" }, { first: 1 })).totalCount).toBe(3);
    expect(await found({ owner: "b" }, limited)).toEqual([]);
    for (const filter of [{ owner: "b" }, { type: "TXT" }]) {
      const { body } = await service.graphql(list, { filter, orderBy: "NEWEST" });
      expect(body.errors[0].extensions).toMatchObject({ code: "MISSING_FIELD", field: "zone" });
    }
    expect(await service.refusal(list, { filter: { zone: zones.alice, type: "NONE-SUCH" }, orderBy: "NEWEST" })).toBe(
      await service.refusal(
        `{ domain(by: { zone: "${zones.alice}" }) { changes(type: "NONE-SUCH") { nodes { id } } } }`,
      ),
    );
  });

  test("include those of a deleted zone, by its name and for its last user", async () => {
    await service.rest("DELETE", "/domain/delete", { form: { zone: zones.other } });
    for (const key of [undefined, aliceKey, limited]) {
      const { nodes } = await changes({ zone: zones.other }, { key });
      expect(nodes.map(({ kind, domain }: Json) => [kind, domain])).toEqual([
        ["DELETE", null],
        ["CREATE", null],
      ]);
    }
    await service.domain(zones.other, await service.user("third@example.com"));
    expect((await changes({ zone: zones.other })).nodes.map(({ kind }: Json) => kind)).toEqual([
      "CREATE",
      "DELETE",
      "CREATE",
    ]);
    expect((await changes({ zone: zones.other }, { key: aliceKey })).nodes).toHaveLength(2);
    expect((await changes({ zone: zones.other, owner: "www" })).nodes).toHaveLength(3);
    expect((await changes({ zone: zones.other, owner: "www" }, { key: aliceKey })).nodes).toHaveLength(2);
  });
});
