/** Catalogs of at most three members, on sessions. */
import { expect, test } from "@jest/globals";
import {
  catalogHold,
  catalogRows,
  confirmCatalog,
  ensureCatalog,
  reconcileCatalogs,
  removedMembers,
  renewMember,
} from "../../../src/secondary/catalog-zone.ts";
import { resyncDomain } from "../../../src/secondary/resync.ts";
import { system } from "../../../src/session/authorization.ts";
import { transaction } from "../../../src/session/transaction.ts";
import { administrator, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const session = () => zones.session(system, { catalogMembersMax: 3 });

/** Compares until nothing differs; returns the catalogs that were begun. */
async function level(): Promise<(string | undefined)[]> {
  const begun = [];
  for (let rest: readonly string[] | undefined; rest?.length !== 0; ) {
    const result = await reconcileCatalogs(session(), rest);
    rest = result.rest;
    if (result.begun) begun.push(result.begun.zone);
  }
  return begun;
}

/** The members of each catalog. */
async function members(): Promise<Record<string, string[]>> {
  const rows = await zones.sql<{ catalog: string; member: string }>(
    `select d.zone as catalog, left(r.rdata, -1) as member from domain d
      left join zone_record r on r.domain_id = d.id and r.type = 'PTR' where d.user_id is null order by 1, 2`,
  );
  const byCatalog = Map.groupBy(rows, ({ catalog }) => catalog);
  return Object.fromEntries([...byCatalog].map(([catalog, of]) => [catalog, of.map(({ member }) => member)]));
}

const [first, second, third] = ["catalog.zonesmith", "2.catalog.zonesmith", "3.catalog.zonesmith"] as const;

test("seven zones are in three catalogs, and each stays in its own", async () => {
  const names = Array.from({ length: 7 }, (_, at) => `m${at}.example`);
  for (const name of names) await zones.create(name);
  await ensureCatalog(session());
  expect(await level()).toEqual([second, third]);
  const at = (...positions: number[]) => positions.map((position) => `m${position}.example`);
  expect(await members()).toEqual({ [first]: at(0, 1, 2), [second]: at(3, 4, 5), [third]: at(6) });
  const rows = await catalogRows(zones.session(administrator));
  expect(rows.map(({ zone, members: count }) => [zone, count])).toEqual([
    [first, 3],
    [second, 3],
    [third, 1],
  ]);

  const renewed = await zones.domain("m4.example");
  await zones.remove("m1.example");
  await zones.create("new.example");
  await transaction(session(), (inner) => renewMember(inner, renewed.id));
  expect(await level()).toEqual([]);
  expect(await members()).toEqual({ [first]: [...at(0, 2), "new.example"], [second]: at(3, 4, 5), [third]: at(6) });
  // An election finds them, and begins none again.
  await ensureCatalog(session());
  expect(Object.keys(await members())).toHaveLength(3);
});

test("a user has no zone with the name of a further catalog, and an administrator resyncs one", async () => {
  await expect(zones.create("4.catalog.zonesmith")).rejects.toMatchObject({ code: "ZONE_CONFLICT" });
  const { change } = await resyncDomain(zones.session(administrator), second);
  expect(change).toMatchObject({ zone: second });
});

test("many removals are held back over all catalogs together", async () => {
  const names = Array.from({ length: 12 }, (_, at) => `x${String(at).padStart(2, "0")}.example`);
  for (const name of names) await zones.create(name);
  await level();
  const before = await members();
  for (const name of names) await zones.remove(name);
  await reconcileCatalogs(session());
  expect(await members()).toEqual(before);
  const operator = zones.session(administrator);
  expect(await catalogHold(operator)).toMatchObject({ members: 19, removals: 12 });
  expect(await removedMembers(operator)).toEqual(names);
  await confirmCatalog(operator, 12);
  await level();
  expect(Object.values(await members()).flat()).not.toContain("x00.example");
  expect(await catalogHold(operator)).toBeUndefined();
});

test("with another CATALOG_ZONE all catalogs of the former name are deleted", async () => {
  await ensureCatalog(zones.session(system, { catalogZone: "other.zonesmith" }));
  expect(Object.keys(await members())).toEqual(["other.zonesmith"]);
});
