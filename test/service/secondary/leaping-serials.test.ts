/** Zones whose serials leap, by steps that add up to half the circle and more: RFC 1982 then takes an earlier serial for a later one. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { publications } from "../../../src/secondary/publication.ts";
import { resyncDomain } from "../../../src/secondary/resync.ts";
import { zonesDue } from "../../../src/secondary/sighting.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import type { Responder } from "../../setup/dns/responder.ts";
import { sighted, testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();
let zone: string;
let id: number;
let first: number;
let secondary: Responder;

beforeEach(async () => {
  ({ zone, id, serial: first } = await publication.domain());
  secondary = await publication.secondary();
});
afterEach(() => publication.clear());

/** Gives the zone the serial that is so many steps past its first one, and returns that. */
async function leap(steps: number): Promise<number> {
  const [soa] = await publication.sql<{ id: string; rdata: string }>(
    "select id, rdata from zone_record where domain_id = $1 and type = 'SOA'",
    [id],
  );
  const serial = (first + steps) % 2 ** 32;
  const rdata = soa?.rdata.split(" ").with(2, String(serial)).join(" ") as string;
  await changeZone(publication.session(), zone, { update: [{ id: Number(soa?.id), rdata }] }, { force: true });
  return serial;
}

const halfLess = 2 ** 31 - 1;
test.each([[[5, 7]], [[halfLess, halfLess + 10]], [[5, halfLess + 5, 2 * halfLess]]])(
  "changes are LIVE that led to what is served, and no later ones, after leaps to %p",
  async (leaps) => {
    const serials = [first];
    for (const steps of leaps) serials.push(await leap(steps));
    const rows = await publication.sql<{ id: string }>("select id from change where domain_id = $1 order by id", [id]);
    const changes = rows.map((row) => Number(row.id));
    for (const [at, serial] of serials.entries()) {
      await publication.sight(zone, serial);
      const found = await publications(publication.session(), "change", changes);
      const live = found.filter(({ state }) => state === "LIVE").map((each) => each.id);
      expect(live.toSorted()).toEqual(changes.slice(0, at + 1));
      const [domain] = await publications(publication.session(), "domain", [id]);
      expect(domain?.state).toBe(at === leaps.length ? "LIVE" : "PENDING");
    }
  },
);

test("a secondary that the zone has left half the circle behind is behind, and how it gets the zone is said", async () => {
  await publication.serve(secondary, zone, first);
  const publisher = publication.publish();
  await sighted(publication, zone, { provenSerial: first, lastError: null });
  await leap(halfLess);
  const last = await leap(halfLess + 10);
  const isBehind = async () => {
    const lastError = expect.stringContaining("resyncDomain") as never;
    const term = await publication.term();
    await sighted(publication, zone, { serial: first, provenSerial: first, isUnproven: false, lastError, term });
    const request = { after: 0, limit: 9, term, staleBefore: undefined };
    const { zones } = await zonesDue(publication.session(), await publication.secondaryId(), request);
    expect(zones.filter((each) => each.domainId === id)).toMatchObject([{ isBehind: true }]);
  };
  await isBehind();
  await publication.stop(publisher);
  publication.publish();
  await eventually(isBehind);
  expect(await publication.sql("select serial::float8 as serial from domain where id = $1", [id])).toEqual([
    { serial: last },
  ]);
  const memberId = async () => (await publication.sql("select member_id from domain where id = $1", [id]))[0];
  const before = await memberId();
  await resyncDomain(publication.session(), zone);
  expect(await memberId()).not.toEqual(before);
});
