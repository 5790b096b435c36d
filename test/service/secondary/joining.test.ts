import { expect, test } from "@jest/globals";
import { noteJoined } from "../../../src/secondary/registry.ts";
import { RowLock } from "../../setup/service/row-lock.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();

test("a secondary that is moved to another address while it is found to have all zones has not joined", async () => {
  const secondary = await publication.secondary();
  const { zone, serial } = await publication.domain();
  await publication.sql(
    `insert into sighting (secondary_id, domain_id, zone, serial, proven_serial, seen_at, term)
    select s.id, d.id, zone, serial, serial, now(), 1 from domain d, secondary s`,
  );
  await publication.sql("update domain set created_at = created_at - interval '1 day'");
  await publication.sql("update change set created_at = created_at - interval '1 day'");
  const [row] = await publication.sql<{ id: string }>("select id from secondary");
  const move = await RowLock.take(publication.url, zone);
  await move.run("update secondary set port = $1 + 1, joined_at = null", [secondary.port]);
  await move.run("delete from sighting");
  const joined = noteJoined(publication.session(), [Number(row?.id)]);
  await move.waiters(1);
  await move.release("commit");
  expect(await joined).toEqual([]);
  expect(await publication.sql("select from secondary where joined_at is not null")).toEqual([]);
  await publication.sql(
    `insert into sighting (secondary_id, domain_id, zone, serial, proven_serial, seen_at, term)
    select s.id, d.id, zone, $1::bigint, $1, now(), 1 from domain d, secondary s`,
    [serial],
  );
  expect(await noteJoined(publication.session(), [Number(row?.id)])).toHaveLength(1);
});
