/** The catalog and its guard, on sessions: members follow the domains, a sudden shrink waits for a confirmation. */
import { beforeAll, expect, test } from "@jest/globals";
import { createUser } from "../../../src/account/user.ts";
import {
  type Catalog,
  catalogHold,
  catalogRevision,
  confirmCatalog,
  ensureCatalog,
  reconcileCatalog,
  removedMembers,
  renewMember,
} from "../../../src/secondary/catalog-zone.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { transaction } from "../../../src/session/transaction.ts";
import { createDomain, deleteUser, transferDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { query } from "../../setup/database/database.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const administrator: Actor = { role: "administrator", userId: null, readOnly: false, name: "administrator" };

let catalog: Catalog;
beforeAll(async () => {
  catalog = await ensureCatalog(zones.session(), "catalog.zonesmith");
});

const members = async () => {
  const statement = "select rdata from zone_record where domain_id = $1 and type = 'PTR' order by rdata";
  return (await query<{ rdata: string }>(zones.url, statement, [catalog.id])).map(({ rdata }) => rdata);
};

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
  await expect(ensureCatalog(zones.session(), "reach.example")).rejects.toThrow("a zone that belongs to a user");
  catalog = await ensureCatalog(zones.session(), "catalog.zonesmith");
});

test("a domain is a member under an id that can be replaced", async () => {
  const userId = await userWithZones("member@example.com", ["member.example"]);
  expect(await reconcileCatalog(zones.session(), catalog)).toEqual({ changed: true, more: false, hold: undefined });
  expect(await members()).toContain("member.example.");
  expect(await zones.lines(catalog.zone, /^\S+ \d+ (NS|TXT) /)).toEqual(["@ 0 NS invalid.", 'version 0 TXT "2"']);
  const owners = () =>
    query(zones.url, "select owner from zone_record where domain_id = $1 and rdata = 'member.example.'", [catalog.id]);
  const before = await owners();
  const revision = await catalogRevision(zones.session());
  const [{ id } = { id: 0 }] = await query<{ id: string }>(
    zones.url,
    "select id from domain where zone = 'member.example' and user_id = $1",
    [userId],
  );
  await transaction(zones.session(), (inner) => renewMember(inner, Number(id)));
  expect(await catalogRevision(zones.session())).toBe(revision + 1);
  expect((await reconcileCatalog(zones.session(), catalog)).changed).toBe(true);
  expect(await owners()).toHaveLength(1);
  expect(await owners()).not.toEqual(before);
});

test("a sudden shrink is held back until exactly that one is confirmed", async () => {
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

  const session = zones.session(administrator);
  expect(await catalogHold(session)).toEqual(hold);
  expect(await removedMembers(session)).toEqual(names.toSorted());
  await expect(confirmCatalog(session, 19)).rejects.toMatchObject({ code: "INVALID_VALUE", field: "removalCount" });
  expect((await reconcileCatalog(zones.session(), catalog)).hold).toEqual(hold);
  expect(await confirmCatalog(session, 20)).toEqual(hold);
  expect(await reconcileCatalog(zones.session(), catalog)).toEqual({ changed: true, more: false, hold: undefined });
  expect(await members()).toEqual(all.filter((rdata) => !rdata.startsWith("many")));
  expect(await catalogHold(session)).toBeUndefined();
  expect(await removedMembers(session)).toEqual([]);
  expect(await confirmCatalog(session, 20)).toBeUndefined();
});
