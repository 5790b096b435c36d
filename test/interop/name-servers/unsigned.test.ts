/** PowerDNS that was given no key for the members of the catalog, as the stanza allows it. */
import { expect } from "@jest/globals";
import { testWith } from "../../setup/basics/programs.ts";
import { transfer } from "../../setup/servers/follower.ts";
import { testFollowing } from "../../setup/servers/following.ts";
import { unsignedPowerdns } from "../../setup/servers/name-servers.ts";
import { testService } from "../../setup/service/service.ts";

const test = testWith("kdig", "dig", ...unsignedPowerdns.programs);
const service = testService();
const following = testFollowing(service, unsignedPowerdns);

test("PowerDNS that asks for members unsigned is let in by its address, to all but the catalog", async () => {
  const zone = "unsigned.example.com";
  const userId = await service.user("owner@example.com");
  await following.published("createDomain", { zone, userId });
  expect((await following.ask(zone, "SOA")).status).toBe("NOERROR");
  expect(await transfer(service.dnsPort, "catalog.zonesmith")).toMatch(/^; Transfer failed\.$/m);
});
