/** Domains and their users: creation, deletion and transfer, and what happens to the domains of a deleted user. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { createUser } from "../../../../src/account/user.ts";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { createDomain, deleteUser, transferDomain } from "../../../../src/zone/lifecycle/domain-lifecycle.ts";
import { actorOf, administrator, fieldsOf, reasonsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
let otherId: number;
let made = 0;
beforeAll(async () => {
  otherId = (await createUser(zones.session(), "other@example.com")).id;
});
const newUser = async () => (await createUser(zones.session(), `u${++made}@example.com`)).id;
const newName = () => `d${++made}.example.org`;
const ownerOf = async (zone: string) => (await zones.domain(zone)).userId;

describe("a domain is created", () => {
  test("with its default records, by one change of the journal, at the day's first serial", async () => {
    const zone = newName();
    const { domain, change, notices } = await zones.create(zone);
    expect(domain).toMatchObject({ zone, userId: zones.userId, serial: 2026112101 });
    expect(change).toMatchObject({ kind: "CREATE", previousSerial: null, serial: 2026112101, zone, source: "graphql" });
    expect(notices).toEqual([]);
    const records = await zones.lines(zone);
    expect(records).toEqual([
      "@ 3600 SOA ns1.example.net. hostmaster.example.net. 2026112101 10800 3600 1209600 3600",
      "@ 3600 NS ns1.example.net.",
      "@ 3600 NS ns2.example.net.",
      `www 3600 CNAME ${zone}.`,
    ]);
    expect(await zones.journal(zone)).toMatchObject([{ removed: [], added: expect.arrayContaining(records) as never }]);
  });

  test("under its canonical name, whatever the spelling", async () => {
    const { domain } = await zones.create("BÜCHER.Example.");
    expect(domain.zone).toBe("xn--bcher-kva.example");
    expect(await reasonsOf(zones.create("xn--BCHER-kva.example"))).toEqual(["DUPLICATE_ZONE zone"]);
  });

  test("but not under an invalid name, under a single label unless the operator allows it, or without a user", async () => {
    const create = (zone: string, userId = zones.userId, policy = {}) =>
      createDomain(zones.session(administrator, policy), userId, zone);
    for (const zone of ["a..b", "localhost"]) expect(await reasonsOf(create(zone))).toEqual(["INVALID_NAME zone"]);
    const allowed = await create("internal", zones.userId, { topLevelZones: true });
    expect(allowed.domain.zone).toBe("internal");
    expect(await reasonsOf(create(newName(), 1))).toEqual(["NOT_FOUND userId"]);
  });

  test("and a name in use or an unknown user is refused before the default records are checked", async () => {
    const zone = newName();
    await zones.create(zone);
    const create = (name: string, userId = zones.userId) =>
      createDomain(zones.session(administrator, { ttlMin: 7200 }), userId, name);
    expect(await reasonsOf(create(zone))).toEqual(["DUPLICATE_ZONE zone"]);
    expect(await reasonsOf(create(newName(), 1))).toEqual(["NOT_FOUND userId"]);
    expect((await reasonsOf(create(newName())))[0]).toBe("INVALID_TTL add.0.ttl");
  });

  test("by a user neither above nor below another user's; an administrator may", async () => {
    const zone = newName();
    await createDomain(zones.session(), otherId, zone);
    const user = zones.session(actorOf(zones.userId));
    for (const near of [`sub.${zone}`, `a.b.${zone}`, "example.org"])
      expect(await reasonsOf(createDomain(user, zones.userId, near))).toEqual(["ZONE_CONFLICT zone"]);
    expect((await createDomain(user, zones.userId, `not${zone}`)).domain.zone).toBe(`not${zone}`);
    expect((await createDomain(zones.session(administrator), zones.userId, `sub.${zone}`)).domain.serial).toBe(
      2026112101,
    );
  });

  test("once, however many ask for it at a time", async () => {
    const zone = newName();
    const created = await Promise.allSettled([1, 2, 3].map(() => zones.create(zone)));
    expect(created.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await zones.journal(zone)).toHaveLength(1);
  });
});

test("a domain is deleted with its records, which the journal keeps, and once", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  const records = await zones.lines(zone);
  const change = await zones.remove(`${zone.toUpperCase()}.`);
  expect(change).toMatchObject({ kind: "DELETE", zone, previousSerial: 2026112102 });
  expect(await reasonsOf(zones.domain(zone))).toEqual(["NOT_FOUND zone"]);
  const last = (await zones.journal(zone)).at(-1);
  expect(last?.removed.toSorted()).toEqual(records.toSorted());
  expect(await zones.sql("select from zone_record where domain_id = $1", [change.domainId])).toEqual([]);
  expect(await reasonsOf(zones.remove(zone))).toEqual(["NOT_FOUND zone"]);
});

describe("a domain is transferred", () => {
  test("with all access at once, and its records and serial stay", async () => {
    const zone = await zones.zone("a A 192.0.2.1");
    const before = await zones.state(zone);
    expect(await transferDomain(zones.session(), zone, otherId)).toMatchObject({ zone, userId: otherId });
    expect(await zones.state(zone)).toEqual(before);
    const add = { add: [fieldsOf("b A 192.0.2.1")] };
    expect(await reasonsOf(changeZone(zones.session(actorOf(zones.userId)), zone, add))).toEqual(["NOT_FOUND zone"]);
    expect((await changeZone(zones.session(actorOf(otherId)), zone, add)).change?.actor).toBe(`user ${otherId}`);
  });

  test("only when the domain and the user exist", async () => {
    const zone = await zones.zone();
    expect(await reasonsOf(transferDomain(zones.session(), zone, 1))).toEqual(["NOT_FOUND userId"]);
    expect(await reasonsOf(transferDomain(zones.session(), newName(), otherId))).toEqual(["NOT_FOUND zone"]);
    expect(await ownerOf(zone)).toBe(zones.userId);
  });
});

describe("a user is deleted", () => {
  const withZones = async () => {
    const [userId, one, two] = [await newUser(), newName(), newName()];
    for (const zone of [one, two]) await createDomain(zones.session(), userId, zone);
    return { userId, one, two };
  };
  const exists = async (id: number) => (await zones.sql(`select from "user" where id = $1`, [id])).length === 1;

  test("without domains", async () => {
    const userId = await newUser();
    await deleteUser(zones.session(), userId, { fate: "REFUSE" });
    expect(await exists(userId)).toBe(false);
    expect(await reasonsOf(deleteUser(zones.session(), userId, { fate: "REFUSE" }))).toEqual(["NOT_FOUND id"]);
  });

  test("with domains only when the request says what happens to them", async () => {
    const { userId, one } = await withZones();
    expect(await reasonsOf(deleteUser(zones.session(), userId, { fate: "REFUSE" }))).toEqual(["USER_HAS_DOMAINS by"]);
    expect(await ownerOf(one)).toBe(userId);
  });

  test("and the domains with it, each in the journal", async () => {
    const { userId, one, two } = await withZones();
    await deleteUser(zones.session(), userId, { fate: "DELETE" });
    expect(await exists(userId)).toBe(false);
    for (const zone of [one, two]) expect((await zones.journal(zone)).at(-1)?.kind).toBe("DELETE");
  });

  test("and the domains go to another user", async () => {
    const { userId, one, two } = await withZones();
    const transfer = (to: number) => deleteUser(zones.session(), userId, { fate: "TRANSFER", to });
    expect(await reasonsOf(transfer(userId))).toEqual(["INVALID_VALUE transferToUserId"]);
    expect(await reasonsOf(transfer(1))).toEqual(["NOT_FOUND transferToUserId"]);
    expect(await exists(userId)).toBe(true);
    await transfer(otherId);
    expect([await exists(userId), await ownerOf(one), await ownerOf(two)]).toEqual([false, otherId, otherId]);
  });
});

test.each([
  ["of two labels and below", (name: string) => [`${name}.example.net`, `x.${name}.example.net`], {}],
  ["of one label and below, where those are allowed", (name: string) => [name, `x.${name}`], { topLevelZones: true }],
] as const)("of two users who create zones %s at the same time one is refused", async (_which, namesOf, policy) => {
  const otherUser = actorOf(otherId);
  for (let round = 0; round < 10; round += 1) {
    const [upper, lower] = namesOf(`race${++made}`) as [string, string];
    const results = await Promise.allSettled([
      createDomain(zones.session(actorOf(zones.userId), policy), zones.userId, upper),
      createDomain(zones.session(otherUser, policy), otherId, lower),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  }
});
