/**
 * The name of a new zone: for a key of a user, for an administrator, and for an import; the name of a deleted zone is reserved for its user
 * for some time; and the records of a new zone.
 */
import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createUser } from "../../../../src/account/user.ts";
import { type Actor, system } from "../../../../src/session/authorization.ts";
import type { Policy } from "../../../../src/session/operator-policy.ts";
import { domainByZone } from "../../../../src/zone/domain.ts";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { defaultRecords } from "../../../../src/zone/lifecycle/default-records.ts";
import {
  createDomain,
  deleteDomain,
  deleteUser,
  insertDomainRow,
  transferDomain,
} from "../../../../src/zone/lifecycle/domain-lifecycle.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import { waitsForLock } from "../../../setup/database/database.ts";
import { actorOf, administrator, policy, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const start = zones.now;
let alice: Actor;
let bob: Actor;

const user = async (email: string) => actorOf((await createUser(zones.session(), email)).id);

beforeAll(async () => {
  [alice, bob] = [await user("alice@example.com"), await user("bob@example.com")];
});
afterEach(() => {
  zones.now = start;
});

/** Creates a zone for a user: the one whose key it is, or Alice. */
const create = (actor: Actor, zone: string, changes: Partial<Policy> = {}, of = actor.userId ? actor : alice) =>
  createDomain(zones.session(actor, changes), of.userId as number, zone);
const importNew = (actor: Actor, zone: string, changes: Partial<Policy> = {}) =>
  importZone(zones.session(actor, changes), { zone, text: [], mode: "MERGE", userId: alice.userId as number });
const expectRefused = (refused: Promise<unknown>, code: string, words: RegExp) =>
  expect(refused).rejects.toMatchObject({ code, field: "zone", message: expect.stringMatching(words) });
const remove = (actor: Actor, zone: string) => deleteDomain(zones.session(actor), zone);
const passHours = (hours: number) => {
  zones.now = new Date(zones.now.getTime() + hours * 3_600_000);
};

test.each([
  ["1.2.3.4", "an IP address", "3.2.1.in-addr.arpa"],
  ["192.0.2.0/24", "an IP address", "2.0.192.in-addr.arpa"],
  ["10.1.0.0/16", "an IP address", "1.10.in-addr.arpa"],
  ["10.1.0", "an IP address", "0.1.10.in-addr.arpa"],
  ["2001:db8::1", "an IP address", "0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"],
  ["2001:db8::/32", "an IP address", "8.b.d.0.1.0.0.2.ip6.arpa"],
  ["http://example.com/", "a URL", "example.com"],
  ["https://user:secret@www.example.com:8443/a.b?c#d", "a URL", "www.example.com"],
  ["http://192.0.2.1/", "a URL", "2.0.192.in-addr.arpa"],
  ["//example.com", "a URL", "example.com"],
  ["https://bücher.example/", "a URL", "xn--bcher-kva.example"],
  ["a@b.example", "an e-mail address", "b.example"],
  ["mailto:a@b.example", "an e-mail address", "b.example"],
  ["a\\@b.example", "an e-mail address", "b.example"],
  ["a\\064b.example", "an e-mail address", "b.example"],
  ["example.com:53", "a place on a host", "example.com"],
  ["example.com/", "a place on a host", "example.com"],
  ["example.com/index.html", "a place on a host", "example.com"],
])("%s is refused for everybody: it is %s, and the refusal says to write %s", async (text, what, instead) => {
  for (const actor of [alice, administrator, system]) {
    const words = new RegExp(`^zone: .* is ${what}, .*write .*${instead.replaceAll(".", "\\.")}\\.$`);
    await expectRefused(create(actor, text), "INVALID_NAME", words);
  }
});

test("a wildcard is not a zone", async () => {
  const words =
    /: \*\.example\.org is a wildcard, not a zone \(RFC 4592\); write example\.org, and \* as an owner in it\.$/;
  await expectRefused(create(administrator, "*.example.org"), "INVALID_NAME", words);
});

test.each([
  ...["xn--.example", "example.xn--", "a.XN--.example", "xn--a.example", "xn--a-ecp.example"],
  `xn--${"z".repeat(59)}.example`,
])("%s has a label that begins with xn-- and is not an A-label", async (text) => {
  for (const run of [create, importNew])
    await expectRefused(run(administrator, text), "INVALID_NAME", /is no A-label .* or without xn--\.$/);
});

test.each(
  "xn--ls8h.example xn--mller-kva.example xn--p1ai.example _tcp.example 0/25.2.0.192.in-addr.arpa 3.2.1.example".split(
    " ",
  ),
)("%s is a zone", async (text) => {
  expect((await create(administrator, text)).domain.zone).toBe(text);
});

describe("the catalog's name", () => {
  test.each([
    ["catalog.zonesmith", /is the catalog/],
    ["Catalog.ZoneSmith.", /is the catalog/],
    ["a.b.catalog.zonesmith", /lies below/],
    ["zonesmith", /lies above/],
  ])("%s is nobody's to create", async (zone, why) => {
    for (const actor of [alice, administrator, system])
      for (const run of [create, importNew])
        await expectRefused(run(actor, zone, { topLevelZones: true }), "ZONE_CONFLICT", why);
  });

  test("its neighbours are free", async () => {
    expect((await create(alice, "acatalog.zonesmith")).domain.zone).toBe("acatalog.zonesmith");
  });
});

describe("the name of a name server of new zones", () => {
  const nameServers = ["ns1.dns.host.example.", "ns2.other-host.example."];

  test.each([
    ["ns1.dns.host.example", /is the name server ns1\.dns\.host\.example \(NAME_SERVERS\)/],
    ["NS2.other-host.example.", /is the name server/],
    ["a.ns1.dns.host.example", /lies below the name server/],
    ["dns.host.example", /lies above the name server/],
    ["host.example", /lies above the name server/],
  ])("%s is the administrator's", async (zone, why) => {
    for (const run of [create, importNew]) await expectRefused(run(alice, zone, { nameServers }), "ZONE_CONFLICT", why);
    const made = (await create(administrator, zone, { nameServers })).domain.zone;
    await remove(administrator, made);
  });

  test("its neighbours are free", async () => {
    for (const zone of ["ns3.dns.host.example", "otherhost.example"])
      expect((await create(alice, zone, { nameServers })).domain.zone).toBe(zone);
  });
});

describe("a name under which others register", () => {
  test.each(
    "co.uk github.io xn--55qx5d.cn kawasaki.jp any.kawasaki.jp compute.amazonaws.com in-addr.arpa 192.in-addr.arpa 10.in-addr.arpa ip6.arpa 2.ip6.arpa 1.0.0.2.ip6.arpa b.d.0.1.0.0.2.ip6.arpa home.arpa".split(
      " ",
    ),
  )("%s is the administrator's", async (zone) => {
    const words = /^zone: .*; write a name below it, such as \S+, or ask the operator/;
    for (const run of [create, importNew]) await expectRefused(run(alice, zone), "FORBIDDEN", words);
    expect((await create(administrator, zone)).domain.zone).toBe(zone);
  });

  test("a top-level domain is the administrator's where such zones are allowed", async () => {
    for (const zone of ["com", "internal"]) {
      await expect(create(alice, zone, { topLevelZones: true })).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect((await create(administrator, zone, { topLevelZones: true })).domain.zone).toBe(zone);
    }
  });

  test.each(
    "example.co.uk me.github.io city.kawasaki.jp 168.192.in-addr.arpa 2.0.192.in-addr.arpa 64/26.2.0.192.in-addr.arpa 8.b.d.0.1.0.0.2.ip6.arpa 4.4.e164.arpa".split(
      " ",
    ),
  )("%s below one is a user's", async (zone) => {
    expect((await create(alice, zone)).domain.zone).toBe(zone);
  });
});

test("an existing zone keeps such a name, and can be read and changed, also by an import", async () => {
  const session = zones.session(alice);
  for (const zone of ["1.2.3.4", "a\\064b.example", "uk.com", "sub.catalog.zonesmith", "xn--a.example"]) {
    await session.em.transactional((em) => insertDomainRow({ ...session, em }, zone, alice.userId));
    await changeZone(session, zone, { add: defaultRecords(zone, policy) });
    expect((await domainByZone(session, zone)).zone).toBe(zone);
    const added = { owner: "new", type: "A", rdata: "192.0.2.1" };
    expect((await changeZone(session, zone, { add: [added] })).change).not.toBeNull();
    const text = ["other 300 A 192.0.2.2\n"];
    expect((await importZone(session, { zone, text, mode: "MERGE" })).added).toBe(1);
  }
});

const expectKept = (refused: Promise<unknown>, zone: string) => {
  const words = new RegExp(`^zone: (a zone above or below )?${zone} was deleted and is kept .* until `);
  return expectRefused(refused, "ZONE_CONFLICT", words);
};

test("another user's key creates it, above it or below it only when three days have passed", async () => {
  await create(alice, "kept.example.org");
  await remove(alice, "kept.example.org");
  const names = ["kept.example.org", "a.b.kept.example.org", "example.org"];
  await expect(create(bob, "kept.example.org")).rejects.toThrow("until 2026-11-24T12:00:00.000Z; write another name");
  for (const hours of [0, 71.99]) {
    passHours(hours);
    for (const zone of names) await expectKept(create(bob, zone), zone);
    const imported = { zone: "kept.example.org", text: [], mode: "MERGE", userId: bob.userId as number } as const;
    await expectKept(importZone(zones.session(bob), imported), "kept.example.org");
  }
  expect((await create(bob, "unkept.example.org")).domain.zone).toBe("unkept.example.org");
  passHours(0.02);
  for (const zone of names) expect((await create(bob, zone)).domain.zone).toBe(zone);
});

test("its own user may create it again at once, and an administrator for any user", async () => {
  for (const zone of ["again.example", "given.example"]) {
    await create(alice, zone);
    await remove(alice, zone);
  }
  expect((await create(alice, "sub.again.example")).domain.userId).toBe(alice.userId);
  expect((await create(alice, "again.example")).domain.userId).toBe(alice.userId);
  expect((await create(administrator, "given.example", {}, bob)).domain.userId).toBe(bob.userId);
  // What was given to Bob is Bob's: Alice's time with it no longer counts.
  expect((await create(bob, "sub.given.example")).domain.userId).toBe(bob.userId);
  passHours(1);
  await remove(bob, "given.example");
  await remove(bob, "sub.given.example");
  await expectKept(create(alice, "given.example"), "given.example");
  expect((await create(bob, "given.example")).domain.userId).toBe(bob.userId);
});

test("a creation that waits for the deletion to commit is refused too", async () => {
  await create(alice, "raced.example");
  const session = zones.session(alice);
  let creation: Promise<unknown> | undefined;
  await session.em.transactional(async (em) => {
    await deleteDomain({ ...session, em }, "raced.example");
    creation = expectKept(create(bob, "raced.example"), "raced.example");
    await waitsForLock(zones);
  });
  await creation;
});

test("its last user counts, whoever deleted it, and also when that user is gone", async () => {
  const carol = await user("carol@example.com");
  for (const zone of ["moved.example", "by-operator.example"]) await create(alice, zone);
  await create(carol, "orphan.example");
  await transferDomain(zones.session(administrator), "moved.example", bob.userId as number);
  for (const zone of ["moved.example", "by-operator.example"]) await remove(administrator, zone);
  await deleteUser(zones.session(), carol.userId as number, { fate: "DELETE" });
  await expectKept(create(alice, "moved.example"), "moved.example");
  await expectKept(create(bob, "by-operator.example"), "by-operator.example");
  await expectKept(create(bob, "orphan.example"), "orphan.example");
  expect((await create(bob, "moved.example")).domain.userId).toBe(bob.userId);
});

test("the operator sets the time; 0 reserves no name", async () => {
  for (const zone of ["short.example", "none.example"]) {
    await create(alice, zone);
    await remove(alice, zone);
  }
  expect((await create(bob, "none.example", { deletedZoneGraceDays: 0 })).domain.userId).toBe(bob.userId);
  passHours(24);
  await expectKept(create(bob, "short.example"), "short.example");
  expect((await create(bob, "short.example", { deletedZoneGraceDays: 1 })).domain.userId).toBe(bob.userId);
});

test("a client that creates a zone in place of a deleted zone that it could restore is warned, and no other client is", async () => {
  const zone = "again.example.net";
  const notices = [
    expect.objectContaining({ code: "FORMER_ZONE", field: "zone", message: expect.stringContaining(zone) }),
  ];
  const former = ({ notices: all }: { notices: readonly { code: string }[] }) =>
    all.filter(({ code }) => code === "FORMER_ZONE");
  expect(former(await create(alice, zone))).toEqual([]);
  await remove(alice, zone);
  expect(former(await create(alice, zone))).toEqual(notices);
  await remove(alice, zone);
  const file = { zone, text: [], mode: "MERGE", userId: alice.userId as number } as const;
  expect(former(await importZone(zones.session(alice), file))).toEqual(notices);
  await remove(alice, zone);
  expect(former(await create(administrator, zone, {}, alice))).toEqual(notices);
  await remove(administrator, zone);
  passHours(73);
  expect(former(await create(bob, zone))).toEqual([]);
});

test("a new zone has an SOA of the operator's timers, an NS for each of its name servers, and www", () => {
  const operators = {
    ...policy,
    nameServers: ["a.example.net.", "b.example.net.", "c.example.net."],
    hostmaster: "dns.example.net.",
    soaTimers: { refresh: 1, retry: 2, expire: 3, minimum: 4 },
  };
  expect(defaultRecords("example.com", operators)).toEqual([
    { owner: "@", type: "SOA", ttl: 3600, rdata: "a.example.net. dns.example.net. 0 1 2 3 4" },
    { owner: "@", type: "NS", ttl: 3600, rdata: "a.example.net." },
    { owner: "@", type: "NS", ttl: 3600, rdata: "b.example.net." },
    { owner: "@", type: "NS", ttl: 3600, rdata: "c.example.net." },
    { owner: "www", type: "CNAME", ttl: 3600, rdata: "example.com." },
  ]);
});

/** A zone name of so many characters, 201 to 263. */
const ofLength = (length: number) => `${`${"b".repeat(63)}.`.repeat(3)}${"c".repeat(length - 200)}.example`;

test("a zone whose name is too long for www below it is created without www, and a longer name is refused", async () => {
  for (const [length, owners] of [
    [249, ["@", "www"]],
    [250, ["@"]],
    [253, ["@"]],
  ] as const) {
    const zone = ofLength(length);
    expect((await create(administrator, zone)).domain.zone).toHaveLength(length);
    expect([...new Set((await zones.records(zone)).map(({ owner }) => owner))]).toEqual(owners);
    await remove(administrator, zone);
    expect((await create(alice, zone)).domain.zone).toBe(zone);
  }
  await expectRefused(create(administrator, ofLength(254)), "INVALID_NAME", /longer than 255 octets/);
});
