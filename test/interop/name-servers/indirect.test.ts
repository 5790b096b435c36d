/**
 * A secondary that transfers from another secondary: a Knot behind a Knot, registered as indirect. Nothing is transferred to it from here,
 * so that its copy is compared.
 */
import { afterAll, beforeAll, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { has, testWith } from "../../setup/basics/programs.ts";
import { identities } from "../../setup/dns/identities.ts";
import { transfer } from "../../setup/servers/follower.ts";
import { testFollowing } from "../../setup/servers/following.ts";
import { knot, type Server } from "../../setup/servers/name-servers.ts";
import { ServerProcess } from "../../setup/servers/server-process.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const test = testWith("kdig", "dig", ...knot.programs);
const service = testService();
const zone = "chain.example";
const behind = new ServerProcess(knot);
beforeAll(() => behind.choosePort());

/** A Knot that notifies the one behind it, and lets it transfer. */
const first: Server = {
  ...knot,
  configuration: (folder, port, stanza) => {
    const next = `remote:\n  - id: behind\n    address: 127.0.0.1@${behind.port}\n`;
    const open = "acl:\n  - id: behind\n    address: 127.0.0.1\n    action: transfer\n";
    const notifying = stanza.replaceAll("acl: zonesmith-notify", "acl: [zonesmith-notify, behind]\n    notify: behind");
    return knot.configuration(folder, port, next + open + notifying);
  },
};
const following = testFollowing(service, first);

beforeAll(async () => {
  if (!has(...knot.programs)) return;
  await service.domain(zone, await service.user("owner@example.com"));
  behind.configure(`remote:
  - id: first
    address: 127.0.0.1@${following.port}
acl:
  - id: all
    address: 127.0.0.1
    action: [notify, transfer]
zone:
  - domain: ${zone}
    master: first
    acl: all
    zonefile-sync: -1
    zonefile-load: none
    journal-content: all
    semantic-checks: off
`);
  await behind.start();
  const place = { name: "behind", address: "127.0.0.1", port: behind.port, indirect: true };
  await service.mutate("createSecondary", place, "secondary { id }");
  await eventually(async () => {
    const { nodes } = (await service.data("{ secondaries { nodes { joinedAt } } }")).secondaries;
    return nodes.every(({ joinedAt }: Json) => joinedAt !== null);
  });
});
afterAll(() => behind.remove());

/** Adds a record, and expects that the zone is LIVE at both, and at the one behind record for record ours. */
async function addAndCompare(owner: string): Promise<void> {
  const waited = "publication(waitMs: 60000) { state secondaries { name state lastError } }";
  const input = { zone, owner, type: "A", rdata: "192.0.2.1" };
  const { publication } = (await service.mutate("createRecord", input, `change { ${waited} }`)).change;
  const live = (name: string) => ({ name, state: "LIVE", lastError: null });
  expect(publication).toEqual({ state: "LIVE", secondaries: [live("Knot"), live("behind")] });
  const [theirs, ours] = [await transfer(behind.port, zone), await transfer(service.dnsPort, zone, following.key)];
  expect(await identities(theirs, zone)).toEqual(await identities(ours, zone));
}

test("it is LIVE once its copy was compared, and after a restored backup although serials were given twice", async () => {
  await addAndCompare("a");
  await addAndCompare("b");
  await service.backup();
  await addAndCompare("lost");
  await service.restore();
  await addAndCompare("new");
  await addAndCompare("later");
});
