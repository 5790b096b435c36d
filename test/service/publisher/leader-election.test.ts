import { afterEach, expect, test } from "@jest/globals";
import { Rcode } from "../../../src/dns/message/header.ts";
import { ensureCatalog } from "../../../src/secondary/catalog-zone.ts";
import { beginTerm, storeSightings } from "../../../src/secondary/observation.ts";
import { transferAccess } from "../../../src/secondary/transfer-access.ts";
import { deleteDomain } from "../../../src/zone/edit/lifecycle.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import type { Responder } from "../../setup/dns/responder.ts";
import { type Publication, sighted, testPublication } from "../../setup/zones/publishers.ts";

const publication: Publication = testPublication();
afterEach(() => publication.clear());
const catalog = "catalog.zonesmith";

test("of two publishers one leads, and the other takes over when it ends", async () => {
  const secondary = await publication.secondary();
  const { zone, serial } = await publication.domain();
  await publication.serve(secondary, zone, serial);
  const first = publication.publish();
  await sighted(publication, zone, { serial });
  const term = await publication.term();
  publication.publish();
  let last = await publication.change(zone);
  await publication.serve(secondary, zone, last);
  await sighted(publication, zone, { serial: last, term });
  // By the one that leads alone, however often, as when an answer is late.
  expect(new Set(secondary.notified(zone).map(({ port }) => port)).size).toBe(1);
  await publication.stop(first);
  last = await publication.change(zone);
  await publication.serve(secondary, zone, last);
  await sighted(publication, zone, { serial: last, term: term + 1 });
});

test("a leader whose connection is cut campaigns again, and nothing is lost", async () => {
  const secondary = await publication.secondary();
  const { zone, serial } = await publication.domain();
  await publication.serve(secondary, zone, serial);
  publication.publish();
  await sighted(publication, zone, { serial });
  const term = await publication.term();
  await publication.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'zonesmith-publisher' and datname = current_database()`,
  );
  const last = await publication.change(zone);
  await publication.serve(secondary, zone, last);
  await sighted(publication, zone, { serial: last, term: term + 1 });
});

test("a writer of an earlier term changes nothing", async () => {
  await publication.secondary();
  const { zone, id, serial } = await publication.domain();
  const [row] = await publication.sql<{ id: string }>("select id from secondary");
  const seenAt = new Date("2026-11-22T00:00:00Z");
  const flags = { isUnproven: false, isHeld: false, isRefused: false, lastError: null };
  const seen = { secondaryId: Number(row?.id), domainId: id, zone, serial, provenSerial: serial, seenAt, ...flags };
  const old = await beginTerm(publication.session());
  const now = await beginTerm(publication.session());
  expect(await storeSightings(publication.session(), now, [seen], [])).toBe(true);
  expect(await storeSightings(publication.session(), old, [{ ...seen, serial: serial + 5 }], [])).toBe(false);
  expect(await publication.sightings(zone)).toMatchObject([{ serial, term: now.number }]);
});

test("a deleted zone is looked for at those who follow the catalog until they refuse it", async () => {
  const { follower, other } = await followers();
  const { zone, serial } = await publication.domain();
  for (const secondary of [follower, other]) await publication.serve(secondary, zone, serial);
  publication.publish();
  await eventually(async () => expect(await publication.sightings(zone)).toMatchObject([{ serial }, { serial }]));
  await eventually(async () =>
    expect(
      await publication.sql("select from sighting where zone = $1 and serial is not null", [catalog]),
    ).toHaveLength(1),
  );
  const announced = follower.notified(zone).length;
  await deleteDomain(publication.session(), zone);
  const asked = follower.queries.filter((query) => query.zone === zone).length;
  await eventually(() =>
    expect(follower.queries.filter((query) => query.zone === zone).length).toBeGreaterThan(asked + 1),
  );
  expect((await publication.sightings(zone)).some(({ isRefused }) => isRefused)).toBe(false);
  follower.serials.delete(zone);
  await eventually(async () =>
    expect((await publication.sightings(zone)).map(({ isRefused }) => isRefused).toSorted()).toEqual([false, true]),
  );
  expect(follower.notified(zone)).toHaveLength(announced);
});

test("without a secondary there is no catalog", async () => {
  await publication.domain();
  publication.publish();
  await eventually(async () => expect(publication.logged.join()).toContain("publishing"));
  expect(await publication.sql("select from domain where user_id is null")).toEqual([]);
});

test("a key opens every zone and the catalog; an address only what is not the catalog, and only where allowed", async () => {
  const { name } = await followers();
  const { zone } = await publication.domain();
  await ensureCatalog(publication.session(), catalog);
  const may = async (which: string, address: string, keyName?: string) =>
    (await transferAccess(publication.session(), which, undefined, { address, keyName })).mayTransfer;
  expect(await may(zone, "192.0.2.9", name)).toBe(true);
  expect(await may(catalog, "192.0.2.9", name)).toBe(true);
  expect(await may(zone, "127.0.0.1", "other.key.example")).toBe(false);
  await publication.sql("update secondary set allow_unsigned_transfer = false");
  expect(await may(zone, "127.0.0.1")).toBe(false);
  await publication.sql("update secondary set allow_unsigned_transfer = true");
  expect(await may(zone, "::ffff:127.0.0.1")).toBe(true);
  expect(await may(zone, "192.0.2.9")).toBe(false);
  expect(await may(catalog, "127.0.0.1")).toBe(false);
});

/** A secondary with a key that serves the catalog, and one without. */
async function followers(): Promise<{ follower: Responder; other: Responder; name: string }> {
  const { secondary: follower, name } = await publication.keyed();
  follower.serials.set(catalog, 4000000000);
  follower.signed.add(catalog);
  follower.onNotify = () => Rcode.NOERROR;
  return { follower, other: await publication.secondary(), name };
}
