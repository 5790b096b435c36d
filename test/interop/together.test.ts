/**
 * One service that all the servers follow at once, NSD by its list: what is LIVE was seen at every one of them.
 */
import { beforeAll, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testFollowing } from "../setup/servers/following.ts";
import { servers } from "../setup/servers/name-servers.ts";
import { mutation, testService } from "../setup/service/service.ts";

const test = testWith("kdig", "dig", ...servers.flatMap(({ programs }) => programs));
const service = testService();
const followers = servers.map((server) => testFollowing(service, server));
const seen =
  "change { publication(waitFor: LIVE, timeoutMs: 60000) { state secondaries { secondary { name } state } } }";
const everywhere = (state: string) => servers.map(({ name }) => ({ secondary: { name }, state })).sort(byName);
const byName = (a: { secondary: { name: string } }, b: { secondary: { name: string } }) =>
  a.secondary.name < b.secondary.name ? -1 : 1;
let userId: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

test("a domain and its changes are LIVE when Knot, BIND, NSD and PowerDNS all serve them", async () => {
  const zone = "everywhere.example.com";
  await service.domain(zone, userId);
  for (const follower of followers) await follower.learn();
  const document = mutation("changeRecords", `${seen}`);
  for (const last of [1, 2, 3]) {
    const add = [{ owner: `a${last}`, type: "A", rdata: `192.0.2.${last}` }];
    const { publication } = (await service.data(document, { input: { zone, add } })).changeRecords.change;
    expect(publication).toEqual({ state: "LIVE", secondaries: everywhere("LIVE") });
    for (const follower of followers)
      expect((await follower.ask(`a${last}.${zone}`, "A")).answers).toEqual([`192.0.2.${last}`]);
  }
  for (const follower of followers) await follower.servesOurs(zone);
});

test("a domain that one of them does not know is not LIVE, and the publication says at which", async () => {
  const zone = "unlisted.example.com";
  await service.domain(zone, userId);
  const document = `query ($zone: String!) { domain(by: { zone: $zone }) { publication { state secondaries { secondary { name } state lastError } } } }`;
  await eventually(async () => {
    const { publication } = (await service.data(document, { zone })).domain;
    expect(publication).toEqual({
      state: "PENDING",
      secondaries: everywhere("LIVE").map((each) =>
        each.secondary.name === "NSD"
          ? { ...each, state: "PENDING", lastError: "It does not have the zone (REFUSED)." }
          : { ...each, lastError: null },
      ),
    });
  });
});
