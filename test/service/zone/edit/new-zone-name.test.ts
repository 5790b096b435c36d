/**
 * What a new zone may be called, on sessions: by a user's key, an administrator's, and an import.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { createUser } from "../../../../src/account/user.ts";
import { type Actor, system } from "../../../../src/session/authorization.ts";
import type { Policy } from "../../../../src/session/operator-policy.ts";
import { domainByZone } from "../../../../src/zone/domain.ts";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { defaultRecords } from "../../../../src/zone/edit/default-records.ts";
import { createDomain, insertDomainRow } from "../../../../src/zone/edit/lifecycle.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import { policy, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const administrator: Actor = { role: "administrator", userId: null, readOnly: false, name: "administrator" };
let alice: Actor;

beforeAll(async () => {
  const { id } = await createUser(zones.session(), "alice@example.com");
  alice = { role: "user", userId: id, readOnly: false, name: "alice" };
});

const create = (actor: Actor, zone: string, changes: Partial<Policy> = {}) =>
  createDomain(zones.session(actor, changes), alice.userId as number, zone);
const importNew = (actor: Actor, zone: string, changes: Partial<Policy> = {}) =>
  importZone(zones.session(actor, changes), { zone, text: [], mode: "MERGE", userId: alice.userId as number });

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
])("%s is no zone, for anybody: it is %s, and the refusal says to write %s", async (text, what, instead) => {
  for (const actor of [alice, administrator, system]) {
    await expect(create(actor, text)).rejects.toMatchObject({
      code: "INVALID_NAME",
      field: "zone",
      message: expect.stringMatching(
        new RegExp(`^zone: .* is ${what}, .*write .*${instead.replaceAll(".", "\\.")}\\.$`),
      ),
    });
  }
});

test("a wildcard is no zone", async () => {
  await expect(create(administrator, "*.example.org")).rejects.toMatchObject({
    code: "INVALID_NAME",
    field: "zone",
    message: "zone: *.example.org is a wildcard, not a zone (RFC 4592); write example.org, and * as an owner in it.",
  });
});

test.each(["xn--.example", "example.xn--", "a.XN--.example"])(
  "%s has a label that begins with xn-- and ends there",
  async (text) => {
    const refusal = {
      code: "INVALID_NAME",
      field: "zone",
      message: expect.stringContaining("write the label in Unicode"),
    };
    for (const run of [create, importNew]) await expect(run(administrator, text)).rejects.toMatchObject(refusal);
  },
);

test.each([
  "xn--ls8h.example",
  "xn--a.example",
  "xn--mller-kva.example",
  "_tcp.example",
  "0/25.2.0.192.in-addr.arpa",
  "3.2.1.example",
])("%s is a zone", async (text) => {
  expect((await create(administrator, text)).domain.zone).toBe(text);
});

describe("the catalog's name", () => {
  test.each([
    ["catalog.zonesmith", "is the catalog"],
    ["Catalog.ZoneSmith.", "is the catalog"],
    ["a.b.catalog.zonesmith", "lies below"],
    ["zonesmith", "lies above"],
  ])("%s is nobody's to create", async (zone, why) => {
    for (const actor of [alice, administrator, system]) {
      for (const run of [create, importNew]) {
        await expect(run(actor, zone, { topLevelZones: true })).rejects.toMatchObject({
          code: "ZONE_CONFLICT",
          field: "zone",
          message: expect.stringContaining(why),
        });
      }
    }
  });

  test("its neighbours are free", async () => {
    expect((await create(alice, "acatalog.zonesmith")).domain.zone).toBe("acatalog.zonesmith");
  });
});

describe("a name under which others register", () => {
  test.each([
    "co.uk",
    "github.io",
    "xn--55qx5d.cn",
    "kawasaki.jp",
    "any.kawasaki.jp",
    "compute.amazonaws.com",
    "in-addr.arpa",
    "192.in-addr.arpa",
    "10.in-addr.arpa",
    "ip6.arpa",
    "2.ip6.arpa",
    "1.0.0.2.ip6.arpa",
    "b.d.0.1.0.0.2.ip6.arpa",
    "home.arpa",
  ])("%s is the administrator's", async (zone) => {
    for (const run of [create, importNew]) {
      await expect(run(alice, zone)).rejects.toMatchObject({
        code: "FORBIDDEN",
        field: "zone",
        message: expect.stringMatching(/^zone: .*; write a name below it, such as \S+, or ask the operator/),
      });
    }
    expect((await create(administrator, zone)).domain.zone).toBe(zone);
  });

  test("a top-level domain is the administrator's where such zones are allowed", async () => {
    for (const zone of ["com", "internal"]) {
      await expect(create(alice, zone, { topLevelZones: true })).rejects.toMatchObject({ code: "FORBIDDEN" });
      expect((await create(administrator, zone, { topLevelZones: true })).domain.zone).toBe(zone);
    }
  });

  test.each([
    "example.co.uk",
    "me.github.io",
    "city.kawasaki.jp",
    "168.192.in-addr.arpa",
    "2.0.192.in-addr.arpa",
    "64/26.2.0.192.in-addr.arpa",
    "8.b.d.0.1.0.0.2.ip6.arpa",
    "4.4.e164.arpa",
  ])("%s below one is a user's", async (zone) => {
    expect((await create(alice, zone)).domain.zone).toBe(zone);
  });
});

test("a zone that is there already keeps such a name, is read and is changed, also by an import", async () => {
  const session = zones.session(alice);
  for (const zone of ["1.2.3.4", "a\\064b.example", "uk.com", "sub.catalog.zonesmith"]) {
    await session.em.transactional((em) => insertDomainRow({ ...session, em }, zone, alice.userId));
    await changeZone(session, zone, { add: defaultRecords(zone, policy) });
    expect((await domainByZone(session, zone)).zone).toBe(zone);
    const added = { owner: "new", type: "A", rdata: "192.0.2.1" };
    expect((await changeZone(session, zone, { add: [added] })).change).not.toBeNull();
    const text = ["other 300 A 192.0.2.2\n"];
    expect((await importZone(session, { zone, text, mode: "MERGE" })).added).toBe(1);
  }
});
