/**
 * The catalog and its guard, on sessions: members follow the domains, a sudden shrink waits for a confirmation.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { createUser } from "../../../src/account/user.ts";
import { catalogHold, catalogRevision, confirmCatalog } from "../../../src/secondary/catalog-guard.ts";
import {
  type Catalog,
  ensureCatalog,
  reconcileCatalog,
  removedMembers,
  republishDomain,
} from "../../../src/secondary/catalog-zone.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { createDomain, deleteUser, transferDomain } from "../../../src/zone/edit/lifecycle.ts";
import { query } from "../../setup/database/database.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const administrator: Actor = { role: "administrator", userId: null, readOnly: false, name: "administrator" };

let catalog: Catalog;
beforeAll(async () => {
  catalog = await ensureCatalog(zones.session(), "catalog.zonesmith");
});

const members = async () =>
  (
    await query<{ rdata: string }>(
      zones.url,
      "select rdata from zone_record where domain_id = $1 and type = 'PTR' order by rdata",
      [catalog.id],
    )
  ).map(({ rdata }) => rdata);

async function userWithZones(email: string, names: readonly string[]): Promise<number> {
  const { id } = await createUser(zones.session(), email);
  for (const name of names) await createDomain(zones.session(), id, name);
  return id;
}

test("the catalog is created once, and is out of an administrator's reach", async () => {
  expect(await ensureCatalog(zones.session(), "Catalog.Zonesmith.")).toEqual(catalog);
  const userId = await userWithZones("reach@example.com", ["reach.example"]);
  const session = zones.session(administrator);
  await expect(transferDomain(session, catalog.zone, userId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(republishDomain(session, catalog.zone)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(republishDomain(zones.session(), catalog.zone)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(ensureCatalog(zones.session(), "reach.example")).rejects.toThrow("a zone that belongs to a user");
  catalog = await ensureCatalog(zones.session(), "catalog.zonesmith");
});

test("a domain is a member under an id that republishing replaces", async () => {
  const userId = await userWithZones("member@example.com", ["member.example"]);
  expect(await reconcileCatalog(zones.session(), catalog)).toEqual({ changed: true, more: false, hold: undefined });
  expect(await members()).toContain("member.example.");
  const others = "select owner, type, ttl, rdata from zone_record where domain_id = $1 and type not in ('PTR', 'SOA')";
  expect(await query(zones.url, `${others} order by type`, [catalog.id])).toEqual([
    { owner: "@", type: "NS", ttl: 0, rdata: "invalid." },
    { owner: "version", type: "TXT", ttl: 0, rdata: '"2"' },
  ]);
  const owners = () =>
    query(zones.url, "select owner from zone_record where domain_id = $1 and rdata = 'member.example.'", [catalog.id]);
  const before = await owners();
  const revision = await catalogRevision(zones.session());
  const other: Actor = { role: "user", userId: userId + 1, readOnly: false, name: "other" };
  await expect(republishDomain(zones.session(other), "member.example")).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await catalogRevision(zones.session())).toBe(revision);
  await republishDomain(zones.session({ ...other, userId }), "member.example");
  expect(await catalogRevision(zones.session())).toBe(revision + 1);
  expect((await reconcileCatalog(zones.session(), catalog)).changed).toBe(true);
  expect(await owners()).toHaveLength(1);
  expect(await owners()).not.toEqual(before);
});

test("a sudden shrink is held back until exactly that one is confirmed; an addition is not", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `many${at}.example`);
  const userId = await userWithZones("many@example.com", names);
  await reconcileCatalog(zones.session(), catalog);
  const all = await members();
  await deleteUser(zones.session(), userId, { fate: "DELETE" });
  const hold = { heldSince: zones.now, members: all.length, removals: 20 };
  expect(await reconcileCatalog(zones.session(), catalog)).toEqual({ changed: false, more: false, hold });
  zones.now = new Date(zones.now.getTime() + 60_000);
  expect((await reconcileCatalog(zones.session(), catalog)).hold).toEqual(hold);
  expect(await members()).toEqual(all);

  await userWithZones("added@example.com", ["added.example"]);
  await reconcileCatalog(zones.session(), catalog);
  expect(await members()).toEqual([...all, "added.example."].toSorted());

  const session = zones.session(administrator);
  expect(await catalogHold(session)).toMatchObject({ removals: 20 });
  expect(await removedMembers(session)).toEqual(names.toSorted());
  await expect(confirmCatalog(session, 19)).rejects.toMatchObject({ code: "INVALID_VALUE", field: "removalCount" });
  expect((await reconcileCatalog(zones.session(), catalog)).hold).toMatchObject({ removals: 20 });
  expect(await confirmCatalog(session, 20)).toMatchObject({ removals: 20 });
  expect(await reconcileCatalog(zones.session(), catalog)).toEqual({ changed: true, more: false, hold: undefined });
  expect(await members()).toEqual(["added.example.", ...all.filter((rdata) => !rdata.startsWith("many"))]);
  expect(await catalogHold(session)).toBeUndefined();
  expect(await removedMembers(session)).toEqual([]);
  expect(await confirmCatalog(session, 20)).toBeUndefined();
});
