import { expect, test } from "@jest/globals";
import { closeSnapshot, openSnapshot } from "../../../src/nameserver/zone/zone-reader.ts";
import { readZoneRows } from "../../../src/nameserver/zone/zone-rows.ts";
import { openPool } from "../../setup/database/database.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();

test("the rows of a zone are read by the index of their order, also where PostgreSQL would sort them", async () => {
  const { id } = await zones.domain(await zones.zone("mail A 192.0.2.1"));
  const pool = openPool(zones.url);
  const snapshot = await openSnapshot(pool);
  try {
    await snapshot.query("set local random_page_cost = 1000");
    let rows = 0;
    for await (const piece of readZoneRows(snapshot, id)) rows += piece.length;
    expect(rows).toBeGreaterThan(1);
    const { rows: reads } = await snapshot.query(
      "select seq_scan::int, idx_scan::int from pg_stat_xact_user_tables where relname = 'zone_record'",
    );
    expect(reads).toEqual([{ seq_scan: 0, idx_scan: 1 }]);
  } finally {
    await closeSnapshot(snapshot);
    await pool.end();
  }
});
