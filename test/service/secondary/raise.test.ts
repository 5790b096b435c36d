import { expect, test } from "@jest/globals";
import { serial } from "../../../src/dns/serial.ts";
import { raisePast, resyncDomain } from "../../../src/secondary/resync.ts";
import { domainByZone } from "../../../src/zone/domain.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();

test("a zone is raised past whatever a secondary serves, however far that is", async () => {
  const { id } = await domainByZone(zones.session(), await zones.zone());
  expect(await raisePast(zones.session(), id, { past: serial(4000000000), isWhole: false })).toBe(4000000001);
});

test("those who raise a zone at once wait for each other, and each gets a serial of its own", async () => {
  const zone = await zones.zone();
  const before = await domainByZone(zones.session(), zone);
  const raised = await Promise.all(Array.from({ length: 6 }, () => resyncDomain(zones.session(), zone)));
  const serials = raised.map(({ change }) => change?.serial);
  expect(new Set(serials).size).toBe(6);
  expect((await domainByZone(zones.session(), zone)).serial).toBe(before.serial + 6);
});
