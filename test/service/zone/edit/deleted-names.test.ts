/**
 * The name of a deleted zone is kept for its user for a while, on sessions.
 */
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import { createUser } from "../../../../src/account/user.ts";
import type { Actor } from "../../../../src/session/authorization.ts";
import type { Policy } from "../../../../src/session/operator-policy.ts";
import { createDomain, deleteDomain, deleteUser, transferDomain } from "../../../../src/zone/edit/lifecycle.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import { eventually } from "../../../setup/basics/eventually.ts";
import { query } from "../../../setup/database/database.ts";
import { testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const start = zones.now;
const hour = 3_600_000;
const administrator: Actor = { role: "administrator", userId: null, readOnly: false, name: "administrator" };
let alice: Actor;
let bob: Actor;

async function user(email: string): Promise<Actor> {
  const { id } = await createUser(zones.session(), email);
  return { role: "user", userId: id, readOnly: false, name: email };
}

beforeAll(async () => {
  [alice, bob] = [await user("alice@example.com"), await user("bob@example.com")];
});
afterEach(() => {
  zones.now = start;
});

const passHours = (hours: number) => {
  zones.now = new Date(zones.now.getTime() + hours * hour);
};
const create = (actor: Actor, zone: string, changes: Partial<Policy> = {}, of = actor) =>
  createDomain(zones.session(actor, changes), of.userId as number, zone);
const remove = (actor: Actor, zone: string) => deleteDomain(zones.session(actor), zone);
const isKept = (zone: string) => ({
  code: "ZONE_CONFLICT",
  field: "zone",
  message: expect.stringMatching(
    new RegExp(`^zone: (a zone above or below )?${zone} was deleted and is kept .* until `),
  ),
});

test("another user's key creates it, above it or below it only when three days have passed", async () => {
  await create(alice, "kept.example.org");
  await remove(alice, "kept.example.org");
  const names = ["kept.example.org", "a.b.kept.example.org", "example.org"];
  for (const hours of [0, 71.99]) {
    passHours(hours);
    for (const zone of names) await expect(create(bob, zone)).rejects.toMatchObject(isKept(zone));
    await expect(
      importZone(zones.session(bob), {
        zone: "kept.example.org",
        text: [],
        mode: "MERGE",
        userId: bob.userId as number,
      }),
    ).rejects.toMatchObject(isKept("kept.example.org"));
  }
  expect((await create(bob, "unkept.example.org")).domain.zone).toBe("unkept.example.org");
  passHours(0.02);
  for (const zone of names) expect((await create(bob, zone)).domain.zone).toBe(zone);
});

test("the refusal says until when", async () => {
  await create(alice, "until.example");
  await remove(alice, "until.example");
  await expect(create(bob, "until.example")).rejects.toThrow("until 2026-11-24T12:00:00.000Z; write another name");
});

test("its own user creates it again at once, and an administrator for anybody", async () => {
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
  await expect(create(alice, "given.example")).rejects.toMatchObject(isKept("given.example"));
  expect((await create(bob, "given.example")).domain.userId).toBe(bob.userId);
});

test("a creation that waits for the deletion to commit is refused too", async () => {
  await create(alice, "raced.example");
  const session = zones.session(alice);
  let creation: Promise<unknown> | undefined;
  await session.em.transactional(async (em) => {
    await deleteDomain({ ...session, em }, "raced.example");
    creation = create(bob, "raced.example").catch((error) => error);
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await eventually(async () => expect(await query(zones.url, waiting)).toHaveLength(1));
  });
  expect(await creation).toMatchObject(isKept("raced.example"));
});

test("it counts whose it was last, whoever deleted it, and also when that user is gone", async () => {
  const carol = await user("carol@example.com");
  for (const zone of ["moved.example", "by-operator.example"]) await create(alice, zone);
  await create(carol, "orphan.example");
  await transferDomain(zones.session(administrator), "moved.example", bob.userId as number);
  for (const zone of ["moved.example", "by-operator.example"]) await remove(administrator, zone);
  await deleteUser(zones.session(), carol.userId as number, { fate: "DELETE" });
  await expect(create(alice, "moved.example")).rejects.toMatchObject(isKept("moved.example"));
  await expect(create(bob, "by-operator.example")).rejects.toMatchObject(isKept("by-operator.example"));
  await expect(create(bob, "orphan.example")).rejects.toMatchObject(isKept("orphan.example"));
  expect((await create(bob, "moved.example")).domain.userId).toBe(bob.userId);
});

test("the operator sets the time; 0 keeps no name", async () => {
  for (const zone of ["short.example", "none.example"]) {
    await create(alice, zone);
    await remove(alice, zone);
  }
  expect((await create(bob, "none.example", { deletedZoneGraceDays: 0 })).domain.userId).toBe(bob.userId);
  passHours(24);
  await expect(create(bob, "short.example")).rejects.toMatchObject(isKept("short.example"));
  expect((await create(bob, "short.example", { deletedZoneGraceDays: 1 })).domain.userId).toBe(bob.userId);
});

test("who creates a zone over a deleted one that they could restore is warned of it, and nobody else is", async () => {
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
