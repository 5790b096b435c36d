import { afterEach, expect, test } from "@jest/globals";
import { noteJoined } from "../../../src/secondary/registry.ts";
import { zonesDue } from "../../../src/secondary/sighting.ts";
import { RowLock } from "../../setup/service/row-lock.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();
afterEach(() => publication.clear());

test("all zones that are behind or stale, and a deletion that is not refused, are found a page at a time, each once", async () => {
  await publication.secondary();
  const [id, session] = [await publication.secondaryId(), publication.session()];
  const zones: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    const { zone, serial } = await publication.domain();
    zones.push(zone);
    if (count % 2 === 0) await publication.sight(zone, serial);
  }
  const pagesOf = async (staleBefore: Date | undefined, limit: number, term = 1) => {
    const pages: (readonly [number, string[]])[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page = await zonesDue(session, id, { after, limit, term, staleBefore });
      pages.push([page.count, page.zones.map(({ zone }) => zone)]);
      after = page.last;
    }
    return pages;
  };
  const behind = zones.filter((_, at) => at % 2 === 1);
  expect(await pagesOf(undefined, 4)).toEqual([
    [4, behind.slice(0, 2)],
    [2, behind.slice(2)],
  ]);
  expect(await pagesOf(undefined, 9, 2)).toEqual([[6, behind]]);
  const never = new Date(0);
  expect(await pagesOf(never, 9, 2)).toEqual([[6, zones]]);
  expect(await pagesOf(never, 6)).toEqual([
    [6, behind],
    [0, []],
  ]);
  expect(await pagesOf(new Date(Date.UTC(2100)), 6)).toEqual([
    [6, zones],
    [0, []],
  ]);
  await publication.change(zones[0] ?? "");
  expect(await pagesOf(undefined, 9)).toEqual([[6, [zones[0], ...behind]]]);
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
  const request = { after: 0, limit: 1, term: 1, staleBefore: undefined };
  const [change] = await publication.sql<{ since: number }>(
    `select (extract(epoch from created_at) * 1000)::float8 as since from change where domain_id = $1 and serial = $2`,
    [id, serial + first],
  );
  expect(await zonesDue(publication.session(), await publication.secondaryId(), request)).toMatchObject({
    zones: [{ isBehind: true, ...change }],
  });
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
