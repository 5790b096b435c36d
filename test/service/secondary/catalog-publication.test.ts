/**
 * The publication of the catalog is shown as that of a zone, at the secondaries that follow it, and its serial can be raised.
 */
import { afterEach, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import type { Responder } from "../../setup/dns/responder.ts";
import { FollowingResponder } from "../../setup/service/following-responder.ts";
import { type Json, testService } from "../../setup/service/service.ts";
import { Sightings } from "../../setup/service/sightings.ts";

const service = testService();
const sightings = new Sightings(service);
const secondaries = new Set<Responder>();
const name = "catalog.zonesmith";

afterEach(async () => {
  await service.sql("delete from secondary");
  for (const each of secondaries) await each.close();
  secondaries.clear();
});

async function register(label: string): Promise<FollowingResponder> {
  const secondary = new FollowingResponder(service);
  secondaries.add(secondary);
  return secondary.register(label);
}

const published = "publication { state secondaries { secondary { name } state lastError } }";
const catalog = async (): Promise<Json> =>
  (await service.data(`{ catalog { zone serial memberCount ${published} } }`)).catalog;
const expectCatalog = (content: Json) => eventually(async () => expect(await catalog()).toMatchObject(content));
const resync = "mutation ($zone: String!) { resyncCatalog(input: { zone: $zone }) { catalog { serial } } }";

test("there is none before the first secondary; it is UNSERVED while all that there are have no key", async () => {
  expect(await catalog()).toBeNull();
  expect(await service.refusal(resync, { zone: name })).toBe("NOT_FOUND");
  await sightings.secondary("plain");
  await expectCatalog({ zone: name, memberCount: 0, publication: { state: "UNSERVED", secondaries: [] } });
});

test("it is LIVE when all that follow it serve it, whoever else refuses it; a secondary that is away makes it PENDING", async () => {
  await service.domain("one.example", await service.user("owner@example.com"));
  const [knot, nsd] = [await register("knot"), await register("nsd")];
  nsd.onNotify = () => 9;
  const refusing = { secondary: { name: "nsd" }, lastError: "It does not have the zone (REFUSED)." };
  await expectCatalog({
    memberCount: 1,
    publication: {
      state: "LIVE",
      secondaries: [{ secondary: { name: "knot" }, state: "LIVE", lastError: null }, refusing],
    },
  });
  knot.mute = true;
  await service.domain("two.example", await service.user("other@example.com"));
  await expectCatalog({
    memberCount: 2,
    publication: { state: "PENDING", secondaries: [{ lastError: expect.stringContaining("No answer") }, refusing] },
  });
  knot.mute = false;
  await expectCatalog({ publication: { state: "LIVE" } });
});

test("its serial is raised by resyncCatalog, which takes no other zone, and it is LIVE again", async () => {
  const bind = await register("bind");
  await expectCatalog({ publication: { state: "LIVE" } });
  const { serial } = await catalog();
  const { resyncCatalog } = await service.data(resync, { zone: "Catalog.Zonesmith." });
  expect(resyncCatalog.catalog.serial).toBe(serial + 1);
  await expectCatalog({ serial: serial + 1, publication: { state: "LIVE" } });
  expect(bind.serials.get(name)).toBe(serial + 1);
  expect(await service.refusal(resync, { zone: "one.example" })).toBe("NOT_FOUND");
});
