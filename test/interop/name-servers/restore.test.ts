/**
 * A database restored from a backup under Knot, BIND, NSD and PowerDNS: they have changes that the service no longer knows, and the
 * service gives the serials of these changes a second time. All become equal to the service by themselves, and a zone is LIVE at none
 * of them before it is.
 */
import { beforeAll, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { identities } from "../../setup/dns/identities.ts";
import { type Key, transfer } from "../../setup/servers/follower.ts";
import { type Following, testFollowing } from "../../setup/servers/following.ts";
import { servers } from "../../setup/servers/name-servers.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const test = testWith("kdig", "dig", ...servers.flatMap(({ programs }) => programs));
const service = testService();
const followers = servers.map((server) => testFollowing(service, server));
const catalogName = "catalog.zonesmith";
const [changed, equal, ahead, deleted] = ["changed.example", "equal.example", "ahead.example", "deleted.example"];
const [lost, twice, fresh] = ["lost.example", "twice.example", "fresh.example"];
let userId: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

const create = (zone: string) => service.domain(zone, userId);
const add = (zone: string, owner: string) => service.record(zone, owner, "A", "192.0.2.1");

/**
 * Waits until all zones and the catalog are LIVE everywhere, and returns the zones; NSD reads its list of zones again, as its operator
 * lets it. A zone that is LIVE at a server is compared at once.
 */
async function allLive(): Promise<string[]> {
  for (const follower of followers) await follower.learn();
  const compared = new Set<string>();
  const publication = "zone publication { state secondaries { name state lastError } }";
  const document = `{ domains { nodes { ${publication} } } catalog { ${publication} } }`;
  return eventually(async () => {
    const { domains, catalog } = await service.data(document);
    const { nodes } = domains;
    for (const { zone, publication } of nodes)
      for (const { name, state } of publication.secondaries)
        if (state === "LIVE" && !compared.has(`${zone} ${name}`)) {
          const follower = followers.find(({ server }) => server.name === name) as Following;
          lies.push(...(await differences(follower, zone)));
          compared.add(`${zone} ${name}`);
        }
    if (lies.length === 0)
      expect([...nodes, catalog].filter((each: Json) => each.publication.state !== "LIVE")).toEqual([]);
    return nodes.map((each: Json) => each.zone);
  });
}

/** Where a zone was LIVE and other than ours. */
const lies: string[] = [];

/** The records in which a server's copy of a zone differs from ours; the serial may be raised meanwhile. */
async function differences({ port, key, server }: Following, zone: string): Promise<string[]> {
  const read = async (at: number, signer: Key | undefined) => {
    const records = await identities(await transfer(at, zone, signer), zone);
    return records.filter((record) => !record.includes(" TYPE6 "));
  };
  const theirs = await read(port, key);
  const ours = await read(service.dnsPort, key);
  const strange = theirs.filter((record) => !ours.includes(record));
  const missing = ours.filter((record) => !theirs.includes(record));
  return [
    ...strange.map((record) => `${server.name} has ${record}`),
    ...missing.map((record) => `${server.name} does not have ${record}`),
  ];
}

/** Expects that every server has these zones and the catalog record for record, and none of those that are gone. */
async function allEqual(zones: readonly string[], gone: readonly string[]): Promise<void> {
  expect(lies).toEqual([]);
  for (const follower of followers) {
    for (const zone of zones) await follower.servesOurs(zone);
    const isRefused = async (zone: string) => (await follower.ask(zone, "SOA")).status === "REFUSED";
    for (const zone of gone) await eventually(() => isRefused(zone));
    if (follower.server.followsCatalog)
      await eventually(async () => expect(await differences(follower, catalogName)).toEqual([]));
  }
}

test("after a restored backup all are LIVE and equal by themselves, although serials were given twice", async () => {
  for (const zone of [changed, equal, ahead, deleted]) await create(zone);
  const before = await add(changed, "before");
  await allLive();
  await service.backup();
  await allLive();

  await add(changed, "lost");
  await service.mutate("deleteRecord", { recordId: before }, "deletedId");
  await add(equal, "lost");
  for (const owner of ["lost", "lost2"]) await add(ahead, owner);
  for (const zone of [lost, twice]) await create(zone);
  await add(twice, "lost");
  await service.mutate("deleteDomain", { by: { zone: deleted } }, "deletedId");
  await allEqual(await allLive(), [deleted]);

  await service.restore();
  for (const owner of ["new", "new2", "new3"]) await add(changed, owner);
  await add(equal, "new");
  await add(ahead, "new");
  for (const zone of [twice, fresh]) await create(zone);
  await add(twice, "new");
  await add(deleted, "new");
  const all = await allLive();
  expect(all.toSorted()).toEqual([ahead, changed, deleted, equal, fresh, twice]);
  await allEqual(all, [lost]);

  await add(equal, "later");
  await allEqual(await allLive(), [lost]);
});
