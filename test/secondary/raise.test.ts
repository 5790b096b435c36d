import { expect, test } from "@jest/globals";
import { serial } from "../../src/dns/serial.ts";
import { raisePast } from "../../src/secondary/resync.ts";
import { domainByZone } from "../../src/zone/domain.ts";
import { testZones } from "../setup/session.ts";

const zones = testZones();

test("a zone is raised past whatever a secondary serves, however far that is", async () => {
  const { id } = await domainByZone(zones.session(), await zones.zone());
  expect(await raisePast(zones.session(), id, { past: serial(4000000000), isWhole: false })).toBe(4000000001);
});
