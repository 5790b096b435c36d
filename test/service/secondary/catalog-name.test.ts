/** A zone that took the catalog's name, as earlier versions allowed: the service says so when it starts, and does not run. */
import { beforeAll, expect, test } from "@jest/globals";
import { createUser } from "../../../src/account/user.ts";
import { readConfig } from "../../../src/config/config.ts";
import { start } from "../../../src/main.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { defaultRecords } from "../../../src/zone/lifecycle/default-records.ts";
import { insertDomainRow } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { query } from "../../setup/database/database.ts";
import { policy, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
let userId: number;

beforeAll(async () => {
  userId = (await createUser(zones.session(), "alice@example.com")).id;
  const session = zones.session();
  await session.em.transactional(async (em) => {
    await insertDomainRow({ ...session, em }, "catalog.zonesmith", userId);
    await changeZone({ ...session, em }, "catalog.zonesmith", { add: defaultRecords("catalog.zonesmith", policy) });
  });
});

const startWith = (settings: Record<string, string>) =>
  start(readConfig({ DATABASE_URL: zones.url, HTTP_PORT: "0", DNS_PORT: "0", LOG_LEVEL: "silent", ...settings }));

test("one line names the setting, the zone, its user and what to write", async () => {
  await expect(startWith({})).rejects.toThrow(
    `CATALOG_ZONE is catalog.zonesmith, a zone that belongs to a user, alice@example.com (${userId}); ` +
      "set CATALOG_ZONE to a name that no zone has, such as catalog2.zonesmith, here and on the secondaries.",
  );
});

test("nothing is left running or changed, and with a free name the service starts; the user keeps the zone", async () => {
  const connections = "select count(*)::int as count from pg_stat_activity where datname = current_database()";
  const [before] = await query<{ count: number }>(zones.url, connections);
  await expect(startWith({})).rejects.toThrow("CATALOG_ZONE");
  // Those of the test itself may end meanwhile.
  await eventually(async () => {
    const [now] = await query<{ count: number }>(zones.url, connections);
    expect(now?.count).toBeLessThanOrEqual(before?.count as number);
  });
  expect(await query(zones.url, "select from api_key")).toEqual([]);
  const service = await startWith({ CATALOG_ZONE: "catalog2.zonesmith" });
  await service.stop();
  const owned = await query(zones.url, "select zone from domain where user_id is not null");
  expect(owned).toEqual([{ zone: "catalog.zonesmith" }]);
});
