/**
 * The times of a zone's changes never go back, whatever the clock of the process shows, so that time and order agree.
 */
import { expect, test } from "@jest/globals";
import { transaction } from "../../../../src/sql/transaction.ts";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { createDomain, deleteDomain } from "../../../../src/zone/edit/lifecycle.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import { actorOf, fieldsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const noon = new Date("2026-11-21T12:00:00Z");
const [later, earlier] = [new Date("2026-11-21T12:30:00Z"), new Date("2026-11-21T11:00:00Z")];

const times = (zone: string) =>
  zones
    .sql<{ time: Date }>("select created_at as time from change where zone = $1 order by id", [zone])
    .then((rows) => rows.map(({ time }) => time));

const add = (zone: string, line: string) => changeZone(zones.session(), zone, { add: [fieldsOf(line)] });

test("a change is never before the one before it, by every way in which a zone is changed", async () => {
  zones.now = noon;
  const zone = await zones.zone();
  zones.now = later;
  expect((await add(zone, "a A 192.0.2.1")).change?.createdAt).toEqual(later);
  zones.now = earlier;
  expect((await add(zone, "b A 192.0.2.1")).change?.createdAt).toEqual(later);
  const inTransaction = await transaction(zones.session(), (session) =>
    changeZone(session, zone, { add: [fieldsOf("c A 192.0.2.1")] }),
  );
  expect(inTransaction.change?.createdAt).toEqual(later);
  await importZone(zones.session(), { zone, text: ["d 300 IN A 192.0.2.1\n"], mode: "MERGE" });
  expect((await deleteDomain(zones.session(), zone)).createdAt).toEqual(later);
  expect(await times(zone)).toEqual([noon, later, later, later, later, later]);
});

test("a zone whose name was used before begins at the time of its creation", async () => {
  zones.now = later;
  const zone = await zones.zone();
  await deleteDomain(zones.session(), zone);
  zones.now = earlier;
  await createDomain(zones.session(), zones.userId, zone);
  expect((await times(zone)).at(-1)).toEqual(earlier);
  await deleteDomain(zones.session(), zone);
  await createDomain(zones.session(actorOf(zones.userId)), zones.userId, zone);
  expect((await times(zone)).at(-1)).toEqual(earlier);
});
