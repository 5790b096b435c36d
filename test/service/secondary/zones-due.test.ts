import { afterEach, expect, test } from "@jest/globals";
import { noteJoined } from "../../../src/secondary/registry.ts";
import { type DueZone, zonesDue } from "../../../src/secondary/sighting.ts";
import { RowLock } from "../../setup/service/row-lock.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();
afterEach(() => publication.clear());

test("zones that are behind for good, more than are taken up at once, hide neither others that are behind nor those to be verified", async () => {
  await publication.secondary();
  const id = await publication.secondaryId();
  const zones: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    const { zone, serial } = await publication.domain();
    zones.push(zone);
    if (count < 2) await publication.sight(zone, serial);
  }
  const stale = zones.slice(0, 2);
  const pages: DueZone[][] = [];
  while (pages.length < 3) {
    const request = { term: 2, staleBefore: new Date(0), underWay: pages.flat(), limit: 3 };
    pages.push(await zonesDue(publication.session(), id, request));
  }
  expect(pages.map((page) => page.map(({ zone }) => zone))).toEqual([
    [...zones.slice(2, 4), ...stale.slice(0, 1)],
    [...zones.slice(4), ...stale.slice(1)],
    [],
  ]);
  const [first] = pages.flat();
  const next = await publication.change(first?.zone ?? "");
  const again = { term: 2, staleBefore: new Date(0), underWay: pages.flat(), limit: 3 };
  expect(await zonesDue(publication.session(), id, again)).toMatchObject([{ zone: first?.zone, serial: next }]);
});

test.each([
  ["that is among the newest thousand", 1000, 1001],
  ["before those", 400, 501],
])("since when a zone is behind follows from the first change that is not served, %s", async (_, served, first) => {
  await publication.secondary();
  const { id, serial } = await publication.domain();
  await publication.sql(
    `with changed as (update domain set serial = serial + 1500 where id = $1 returning *),
    served as (insert into sighting (secondary_id, domain_id, zone, serial, proven_serial, seen_at, term)
      select s.id, d.id, d.zone, $2, $2, now(), 1 from secondary s, changed d)
    insert into change (domain_id, zone, kind, previous_serial, serial, actor, door, created_at)
    select id, zone, 'EDIT', serial - 1501 + n, serial - 1500 + n, 'x', 'rest', now() - (1500 - n) * interval '1 minute'
    from changed, generate_series(1, 1500) n`,
    [id, serial + served],
  );
  const request = { term: 1, staleBefore: new Date(0), underWay: [], limit: 1 };
  const [change] = await publication.sql<{ since: number }>(
    `select (extract(epoch from created_at) * 1000)::float8 as since from change where domain_id = $1 and serial = $2`,
    [id, serial + first],
  );
  expect(await zonesDue(publication.session(), await publication.secondaryId(), request)).toMatchObject([
    { isBehind: true, ...change },
  ]);
});

test("a secondary that is moved to another address while it is found to have all zones has not joined", async () => {
  const secondary = await publication.secondary();
  const { zone, serial } = await publication.domain();
  await publication.sight(zone, serial);
  await publication.sql("update domain set created_at = created_at - interval '1 day'");
  await publication.sql("update change set created_at = created_at - interval '1 day'");
  const id = await publication.secondaryId();
  const move = await RowLock.take(publication.url, zone);
  await move.run("update secondary set port = $1 + 1, joined_at = null", [secondary.port]);
  await move.run("delete from sighting");
  const joined = noteJoined(publication.session(), [id]);
  await move.waiters(1);
  await move.release("commit");
  expect(await joined).toEqual([]);
  expect(await publication.sql("select from secondary where joined_at is not null")).toEqual([]);
  await publication.sight(zone, serial);
  expect(await noteJoined(publication.session(), [id])).toHaveLength(1);
});
