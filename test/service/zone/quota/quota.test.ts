/** The quotas of a user: what each quota counts, by every key and in every way. An operation that raises no figure is never refused. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { createUser } from "../../../../src/account/user.ts";
import { readMessage } from "../../../../src/dns/message/message-reader.ts";
import type { Actor } from "../../../../src/session/authorization.ts";
import { transaction } from "../../../../src/session/transaction.ts";
import { applyUpdate } from "../../../../src/zone/dynamic-update/apply.ts";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { restoreDomain } from "../../../../src/zone/history/restore.ts";
import { revertDomain } from "../../../../src/zone/history/revert.ts";
import {
  createDomain,
  deleteDomain,
  deleteUser,
  transferDomain,
} from "../../../../src/zone/lifecycle/domain-lifecycle.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import { usageOfUsers } from "../../../../src/zone/quota/usage.ts";
import { updateMessage } from "../../../setup/dns/update-client.ts";
import { drift, limit } from "../../../setup/zones/quota.ts";
import { actorOf, administrator, fieldsOf, refusalOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
/** A user of the test's own, with a key, and the zones that the user has. */
let user = { id: 0, email: "" };
let owner = actorOf(0);
let made = 0;

beforeEach(async () => {
  made += 1;
  user = await createUser(zones.session(), `user${made}@example.com`);
  owner = actorOf(user.id);
});

const session = (actor: Actor = owner) => zones.session(actor);
const create = async (name: string, actor = owner) =>
  (await createDomain(session(actor), user.id, `${name}.u${made}.example`)).domain.zone;
const add = (zone: string, owners: readonly string[], actor = owner) =>
  changeZone(session(actor), zone, { add: owners.map((each) => fieldsOf(`${each} A 192.0.2.1`)) });
const usage = async () => (await usageOfUsers(session(), [user.id]))[0];
const idsOf = async (zone: string, prefix: string) =>
  (await zones.records(zone)).filter((record) => record.owner.startsWith(prefix)).map(({ id }) => id);

/** The figures of a refusal. */
async function excess(refused: Promise<unknown>): Promise<unknown> {
  const { code, details } = await refusalOf(refused);
  expect(code).toBe("QUOTA_EXCEEDED");
  return (details as { quotas: object[] }).quotas;
}

describe("a limit", () => {
  test("of domains counts those of the user, whoever creates them, and says what it is about", async () => {
    await limit(zones, { domains: 2 }, user.id);
    await create("one", administrator);
    await create("two");
    const refused = create("three", administrator);
    await expect(refused).rejects.toThrow(
      `The quota of ${user.email} is 2 domains; 2 are used, and this would make it 3. ` +
        "Either delete a domain that is not needed, or have an administrator raise it.",
    );
    const zone = `three.u${made}.example`;
    expect(await excess(refused)).toEqual([{ quota: "domains", zone, limit: 2, usage: 2, wanted: 3 }]);
    expect(await zones.sql("select from domain where zone = $1", [zone])).toEqual([]);
    await deleteDomain(session(), `one.u${made}.example`);
    expect(await create("three")).toBe(zone);
  });

  test("of the records of a domain, and of all domains, counts SOA and NS too", async () => {
    const [one, two] = [await create("one"), await create("two")];
    await limit(zones, { recordsPerDomain: 6, records: 11 }, user.id);
    await add(one, ["a", "b"]);
    expect(await excess(add(one, ["c"]))).toEqual([
      { quota: "recordsPerDomain", zone: one, limit: 6, usage: 6, wanted: 7 },
    ]);
    await add(two, ["a"]);
    expect(await excess(add(two, ["b"]))).toEqual([{ quota: "records", zone: two, limit: 11, usage: 11, wanted: 12 }]);
    expect(await excess(add(two, ["b", "c"]))).toEqual([
      { quota: "recordsPerDomain", zone: two, limit: 6, usage: 5, wanted: 7 },
      { quota: "records", zone: two, limit: 11, usage: 11, wanted: 13 },
    ]);
    expect(await usage()).toEqual({ domains: 2, records: 11, changes: 4 });
  });

  test("of changes begins again at midnight, UTC; a clock that is behind does not begin it", async () => {
    const zone = await create("one");
    await limit(zones, { changesPerDay: 3 }, user.id);
    const before = zones.now;
    try {
      zones.now = new Date("2026-11-22T23:59:59.999Z");
      for (const name of ["a", "b", "c"]) await add(zone, [name]);
      expect(await excess(add(zone, ["d"]))).toEqual([{ quota: "changesPerDay", zone, limit: 3, usage: 3, wanted: 4 }]);
      // What changes nothing is no change, and a dry run none either.
      await changeZone(session(), zone, { update: [{ id: await zones.idOf(zone, "a", "A"), rdata: "192.0.2.1" }] });
      zones.now = new Date("2026-11-23T00:00:00Z");
      expect((await usage())?.changes).toBe(0);
      await add(zone, ["d"]);
      expect((await usage())?.changes).toBe(1);
      zones.now = new Date("2026-11-22T23:59:59.999Z");
      await add(zone, ["e"]);
      zones.now = new Date("2026-11-23T00:00:01Z");
      await add(zone, ["f"]);
      expect((await refusalOf(add(zone, ["g"]))).message).toContain("go on after midnight UTC");
    } finally {
      zones.now = before;
    }
  });

  test("below the present usage removes nothing, and allows every reduction", async () => {
    const [one, two] = [await create("one"), await create("two")];
    await add(one, ["a", "b", "c"]);
    await limit(zones, { domains: 1, recordsPerDomain: 1, records: 1 }, user.id);
    await excess(add(two, ["a"]));
    const [a, b, c] = (await idsOf(one, "")).slice(-3);
    // Another record in place of one raises nothing.
    await changeZone(session(), one, { remove: [a as number], add: [fieldsOf("d A 192.0.2.1")] });
    await changeZone(session(), one, { update: [{ id: b as number, rdata: "192.0.2.9" }] });
    await changeZone(session(), one, { remove: [c as number] });
    await deleteDomain(session(), two);
    expect(await usage()).toMatchObject({ domains: 1, records: 6 });
    await excess(create("three"));
    expect(await drift(zones)).toEqual([]);
  });

  test("of 0 lets nothing begin", async () => {
    await limit(zones, { changesPerDay: 0 }, user.id);
    await excess(create("one"));
    await limit(zones, { changesPerDay: "default", domains: 0 }, user.id);
    await excess(create("one"));
  });
});

describe("each way is limited, and a refusal stores nothing", () => {
  const text = (count: number) => [
    "@ 3600 IN SOA ns1.example.net. h.example.net. 1 3600 600 86400 300\n@ 3600 IN NS ns1.example.net.\n",
    ...Array.from({ length: count }, (_, at) => `h${at} 3600 IN A 192.0.2.1\n`),
  ];
  const full = async (records: number) => {
    const zone = await create("full");
    await limit(zones, { records }, user.id);
    return zone;
  };

  test.each(["REPLACE", "MERGE"] as const)(
    "an import, %s, of an existing zone and of a new one, and its dry run",
    async (mode) => {
      const zone = await full(6);
      const load = (name: string, count: number, dryRun = false) =>
        importZone(session(), { zone: name, text: text(count), mode, userId: user.id, dryRun });
      const state = await zones.state(zone);
      await excess(load(zone, 7));
      await excess(load(zone, 7, true));
      expect(await zones.state(zone)).toEqual(state);
      await load(zone, 2);
      await excess(load(`new.u${made}.example`, 5));
      expect(await zones.sql("select from domain where zone = $1", [`new.u${made}.example`])).toEqual([]);
      expect(await drift(zones)).toEqual([]);
    },
  );

  test("a dynamic update, an edit without a lock or within a transaction, a dry run, a return and a restoration", async () => {
    const zone = await full(6);
    const { change: both } = await add(zone, ["a", "b"]);
    const { change } = await changeZone(session(), zone, { remove: await idsOf(zone, "a") });
    await add(zone, ["c"]);
    const state = await zones.state(zone);
    const key = { name: "k", userId: user.id, zones: null, owners: null, types: null };
    const message = readMessage(updateMessage(zone, ["add d 60 A 192.0.2.1"]));
    await excess(applyUpdate(session(), key, message));
    await excess(changeZone(session(), zone, { add: [fieldsOf("d A 192.0.2.1")] }, { dryRun: true }));
    await excess(transaction(session(), (inner) => changeZone(inner, zone, { add: [fieldsOf("d A 192.0.2.1")] })));
    expect(await zones.state(zone)).toEqual(state);
    await revertDomain(session(), zone, { changeId: change?.id as number });
    await limit(zones, { records: 5 }, user.id);
    await excess(revertDomain(session(), zone, { changeId: both?.id as number }));
    await deleteDomain(session(), zone);
    await limit(zones, { records: 4 }, user.id);
    await excess(restoreDomain(session(), { zone }, { dryRun: true }));
    await excess(restoreDomain(session(), { zone }));
    await limit(zones, { records: 5 }, user.id);
    await restoreDomain(session(), { zone });
    expect(await drift(zones)).toEqual([]);
  });
});

describe("a domain that goes to another user", () => {
  test("counts for its new user, and no longer for its former user", async () => {
    const giver = user;
    const zone = await create("given");
    await limit(zones, { domains: 5 }, giver.id);
    const receiver = await createUser(zones.session(), `receiver${made}@example.com`);
    await limit(zones, { domains: 1, records: 4 }, receiver.id);
    await transferDomain(session(administrator), zone, receiver.id);
    expect(await usageOfUsers(session(), [giver.id, receiver.id])).toMatchObject([
      { domains: 0, records: 0 },
      { domains: 1, records: 4, changes: 0 },
    ]);
    const second = await create("second");
    expect(await excess(transferDomain(session(administrator), second, receiver.id))).toEqual([
      { quota: "domains", zone: second, limit: 1, usage: 1, wanted: 2 },
      { quota: "records", zone: second, limit: 4, usage: 4, wanted: 8 },
    ]);
    await transferDomain(session(administrator), zone, receiver.id);
    expect(await drift(zones)).toEqual([]);
    // So do all domains of a user who is deleted; they stay where they are when they do not fit.
    await excess(deleteUser(session(administrator), giver.id, { fate: "TRANSFER", to: receiver.id }));
    await limit(zones, { domains: null, records: null, recordsPerDomain: 4 }, receiver.id);
    await deleteUser(session(administrator), giver.id, { fate: "TRANSFER", to: receiver.id });
    expect(await usageOfUsers(session(), [receiver.id])).toMatchObject([{ domains: 2, records: 8 }]);
    expect(await drift(zones)).toEqual([]);
  });

  test("a user without any change left is deleted with all domains", async () => {
    await create("one");
    await limit(zones, { changesPerDay: 0 }, user.id);
    await excess(deleteDomain(session(), `one.u${made}.example`));
    await deleteUser(session(administrator), user.id, { fate: "DELETE" });
    expect(await zones.sql("select from user_usage where user_id = $1", [user.id])).toEqual([]);
  });
});
