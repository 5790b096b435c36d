import { expect, test } from "@jest/globals";
import { type DueZone, zonesDue } from "../../../src/secondary/sighting.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();

test("zones that are behind for good, more than are taken up at once, hide neither others that are behind nor those to be verified", async () => {
  await publication.secondary();
  const [{ id } = { id: 0 }] = await publication.sql<{ id: number }>("select id::float8 as id from secondary");
  const zones: string[] = [];
  for (let count = 0; count < 6; count += 1) zones.push((await publication.domain()).zone);
  const stale = zones.slice(0, 2);
  await publication.sql(
    `insert into sighting (secondary_id, domain_id, zone, serial, proven_serial, seen_at, term)
    select $1, id, zone, serial, serial, now(), 1 from domain where zone = any($2)`,
    [id, stale],
  );
  const pages: DueZone[][] = [];
  while (pages.length < 3) {
    const request = { term: 2, staleBefore: new Date(0), underWay: pages.flat(), limit: 3 };
    pages.push(await zonesDue(publication.session(), id, request));
  }
  expect(pages.map((page) => page.map(({ zone }) => zone))).toEqual([
    zones.slice(2, 5),
    [...zones.slice(5), ...stale],
    [],
  ]);
  const [first] = pages.flat();
  const next = await publication.change(first?.zone ?? "");
  const again = { term: 2, staleBefore: new Date(0), underWay: pages.flat(), limit: 3 };
  expect(await zonesDue(publication.session(), id, again)).toMatchObject([{ zone: first?.zone, serial: next }]);
});
