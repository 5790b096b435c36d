/** Name servers that follow three catalogs of three members at most. */
import { afterAll, describe, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { Following } from "../../setup/servers/following.ts";
import { bind, knot, powerdns } from "../../setup/servers/name-servers.ts";
import { type Json, testService } from "../../setup/service/service.ts";

describe.each([knot, bind, powerdns])("$name", (server) => {
  const test = testWith("kdig", "dig", ...server.programs);
  const service = testService({ CATALOG_MEMBERS_MAX: "3" });
  const following = new Following(service, server);
  afterAll(() => following.remove());

  const catalogs = async (): Promise<Json> => {
    const rows = (await service.data("{ catalogs { zone memberCount publication { state } } }")).catalogs;
    return rows.map(({ zone, memberCount, publication }: Json) => [zone, memberCount, publication.state]);
  };

  test("it follows all catalogs once it has the stanza that names them, and then what is created and deleted in each", async () => {
    const userId = await service.user("owner@example.com");
    const zones = Array.from({ length: 7 }, (_, at) => `z${at}.example`);
    for (const zone of zones) await service.domain(zone, userId);
    await following.follow();
    await eventually(async () =>
      expect(await catalogs()).toEqual([
        ["catalog.zonesmith", 3, "LIVE"],
        ["2.catalog.zonesmith", 3, "PENDING"],
        ["3.catalog.zonesmith", 1, "PENDING"],
      ]),
    );
    await following.stop();
    await following.startWith(await following.stanza());
    await eventually(async () => {
      expect((await catalogs()).map(([, , state]: string[]) => state)).toEqual(["LIVE", "LIVE", "LIVE"]);
      for (const zone of zones) expect((await following.ask(zone, "SOA")).status).toBe("NOERROR");
    });
    // The second catalog has room again.
    for (const zone of ["z0.example", "z4.example", "z6.example"]) {
      await service.mutate("deleteDomain", { by: { zone } }, "change { id }");
      await eventually(async () => expect((await following.ask(zone, "SOA")).status).toBe("REFUSED"));
    }
    for (const zone of ["new0.example", "new1.example", "new2.example"])
      await following.published("createDomain", { zone, userId });
    expect((await catalogs()).map(([, count]: [string, number]) => count)).toEqual([3, 3, 1]);
  });
});
