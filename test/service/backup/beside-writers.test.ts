/** A backup that is taken while sixteen writers write is of one moment: each zone has the records and the serial that its journal has. */
import { expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { Backups } from "../../setup/database/backups.ts";
import { emptyDatabase, query } from "../../setup/database/database.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const backups = new Backups();

/** Zones, and what of each is not as its journal says. Every change but the first adds one record. */
const statement = `
  select d.zone, d.serial::text as serial, (select c.serial::text from change c where c.domain_id = d.id order by c.id desc limit 1) as last,
    (select count(*)::int from zone_record r where r.domain_id = d.id and r.owner ~ '^w[0-9]') as records,
    (select count(*)::int - 1 from change c where c.domain_id = d.id) as changes,
    (select count(*)::int from zone_record r where r.domain_id = d.id and r.id not in (select x.record_id from change_record x where x.domain_id = d.id)
      and not exists (select from change c where c.id = r.change_id)) as unknown
  from domain d where d.user_id is not null order by d.zone`;

test("every zone is whole, whatever was written meanwhile", async () => {
  const userId = await service.user("owner@example.com");
  const zones = Array.from({ length: 16 }, (_, at) => `w${at}.example.com`);
  for (const zone of zones) await service.domain(zone, userId);
  let [isOver, count] = [false, 0];
  const write = async (zone: string) => {
    for (let n = 0; !isOver; n += 1) {
      await service.record(zone, `w${n}`, "A", "192.0.2.1");
      count += 1;
    }
  };
  const writing = Promise.all(zones.map(write));
  const files: string[] = [];
  try {
    await eventually(() => count > 100);
    for (let taken = 0; taken < 2; taken += 1) files.push(await backups.take(service.databaseUrl));
    const counted = count;
    await eventually(() => count > counted);
  } finally {
    isOver = true;
    await writing;
  }
  for (const file of files) {
    const target = await emptyDatabase();
    await backups.restore(file, target);
    const rows = await query(target, statement);
    expect(rows).toHaveLength(zones.length);
    for (const { zone, serial, last, records, changes, unknown } of rows)
      expect([zone, serial, records, unknown]).toEqual([zone, last, changes, 0]);
  }
});
