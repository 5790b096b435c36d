/** The catalog and its guard, on sessions: members follow the domains, a sudden shrink waits for a confirmation. */
import { beforeAll, expect, test } from "@jest/globals";
import { createUser } from "../../../src/account/user.ts";
import {
  type Catalog,
  catalogHold,
  catalogRevision,
  confirmCatalog,
  ensureCatalog,
  reconcileCatalogs,
  removedMembers,
  renewMember,
} from "../../../src/secondary/catalog-zone.ts";
import { system } from "../../../src/session/authorization.ts";
import { transaction } from "../../../src/session/transaction.ts";
import { sql } from "../../../src/sql/sql.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { createDomain, deleteUser, transferDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { query } from "../../setup/database/database.ts";
import { administrator, testZones } from "../../setup/zones/session.ts";

const zones = testZones();

let catalog: Catalog;
beforeAll(async () => {
  catalog = await ensureCatalog(zones.session());
});

const named = (catalogZone: string) => zones.session(system, { catalogZone });

const members = async () => {
  const statement = "select rdata from zone_record where domain_id = $1 and type = 'PTR' order by rdata";
  return (await query<{ rdata: string }>(zones.url, statement, [catalog.id])).map(({ rdata }) => rdata);
};

/** The result of a comparison that changed all members that differed. */
const done = { changed: true, rest: [], isCut: false, hold: undefined, held: [] };

async function userWithZones(email: string, names: readonly string[]): Promise<number> {
  const { id } = await createUser(zones.session(), email);
  for (const name of names) await createDomain(zones.session(), id, name);
  return id;
}

test("the catalog is created once, and is out of an administrator's reach", async () => {
  expect(await ensureCatalog(named("Catalog.Zonesmith."))).toEqual(catalog);
  const userId = await userWithZones("reach@example.com", ["reach.example"]);
  const session = zones.session(administrator);
  await expect(transferDomain(session, catalog.zone, userId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(ensureCatalog(named("reach.example"))).rejects.toThrow("a zone that belongs to a user");
  catalog = await ensureCatalog(zones.session());
});

test("a domain is a member under an id that can be replaced", async () => {
  const userId = await userWithZones("member@example.com", ["member.example"]);
  expect(await reconcileCatalogs(zones.session())).toEqual(done);
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
  expect((await reconcileCatalogs(zones.session())).changed).toBe(true);
  expect(await owners()).toHaveLength(1);
  expect(await owners()).not.toEqual(before);
});

test("a sudden shrink is held back until exactly that one is confirmed", async () => {
  const names = Array.from({ length: 20 }, (_, at) => `many${at}.example`);
  const userId = await userWithZones("many@example.com", names);
  await reconcileCatalogs(zones.session());
  const all = await members();
  await deleteUser(zones.session(), userId, { fate: "DELETE" });
  const hold = { heldSince: zones.now, members: all.length, removals: 20 };
  expect(await reconcileCatalogs(zones.session())).toEqual({
    changed: false,
    rest: [],
    isCut: false,
    hold,
    held: names.toSorted(),
  });
  zones.now = new Date(zones.now.getTime() + 60_000);
  expect((await reconcileCatalogs(zones.session())).hold).toEqual(hold);
  expect(await members()).toEqual(all);

  const session = zones.session(administrator);
  expect(await catalogHold(session)).toEqual(hold);
  expect(await removedMembers(session)).toEqual(names.toSorted());
  await expect(confirmCatalog(session, 19)).rejects.toMatchObject({ code: "INVALID_VALUE", field: "removalCount" });
  expect((await reconcileCatalogs(zones.session())).hold).toEqual(hold);
  expect(await confirmCatalog(session, 20)).toEqual(hold);
  expect(await reconcileCatalogs(zones.session())).toEqual(done);
  expect(await members()).toEqual(all.filter((rdata) => !rdata.startsWith("many")));
  expect(await catalogHold(session)).toBeUndefined();
  expect(await removedMembers(session)).toEqual([]);
  expect(await confirmCatalog(session, 20)).toBeUndefined();
});

test("a comparison of some zones adds, removes and renews their members, and no others", async () => {
  const names = ["created.example", "deleted.example", "renewed.example", "restored.example"];
  await userWithZones("some@example.com", names);
  await userWithZones("other@example.com", ["other.example"]);
  const some = () => reconcileCatalogs(zones.session(), names);
  const ownersOf = async () => {
    const statement = "select rdata, owner from zone_record where domain_id = $1 and rdata = any($2) order by rdata";
    const values = [catalog.id, [...names, "other.example"].map((name) => `${name}.`)];
    return query<{ rdata: string; owner: string }>(zones.url, statement, values);
  };
  expect(await some()).toEqual(done);
  const before = await ownersOf();
  expect(before.map(({ rdata }) => rdata)).toEqual(names.map((name) => `${name}.`));
  expect(await some()).toEqual({ ...done, changed: false });

  const renewed = await zones.domain("renewed.example");
  await zones.remove("deleted.example");
  await zones.remove("restored.example");
  await restoreDomain(zones.session(), { zone: "restored.example" });
  await transaction(zones.session(), (inner) => renewMember(inner, renewed.id));
  expect(await some()).toEqual(done);
  const after = await ownersOf();
  expect(after.map(({ rdata }) => rdata)).toEqual(["created.example.", "renewed.example.", "restored.example."]);
  expect(after.filter(({ owner }) => before.some((each) => each.owner === owner))).toEqual([before[0]]);
});

test("of very many new zones one step adds 10,000, and the next one compares only the rest", async () => {
  await zones.sql(
    "insert into domain (zone, user_id, serial) select 'very-many' || n || '.example', $1, 1 from generate_series(1, 10500) n",
    [zones.userId],
  );
  const { rest, ...first } = await reconcileCatalogs(zones.session());
  expect(first).toEqual({ changed: true, isCut: false, hold: undefined, held: [] });
  expect(rest).toHaveLength(501);
  expect(await reconcileCatalogs(zones.session(), rest)).toEqual(done);
  expect(await reconcileCatalogs(zones.session())).toEqual({ ...done, changed: false });
});

test("the comparison of one zone reads no more rows of a large catalog than of a small one", async () => {
  const rowsRead = async (zone: string) => {
    await userWithZones(`${zone}@example.com`, [zone]);
    return transaction(zones.session(), async (inner) => {
      const read = sql<{ rows: number }>`
        select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables`;
      const rows = async () => (await read.run(inner))[0]?.rows ?? 0;
      // As with many rows.
      await sql`set local enable_seqscan = off`.run(inner);
      const before = await rows();
      expect(await reconcileCatalogs(inner, [zone])).toEqual(done);
      return (await rows()) - before;
    });
  };
  const small = await rowsRead("small.example");
  expect(small).toBeGreaterThan(0);
  await zones.sql(
    "insert into domain (zone, user_id, serial) select 'large' || n || '.example', $1, 1 from generate_series(1, 1000) n",
    [zones.userId],
  );
  await reconcileCatalogs(zones.session());
  await zones.sql("analyze");
  expect(await rowsRead("large.example")).toBeLessThanOrEqual(small);
});
