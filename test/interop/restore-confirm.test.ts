/**
 * RESTORE_POLICY=confirm under Knot, BIND, NSD and PowerDNS: they keep what a restored database does not have until an administrator
 * confirms the restore; then all are equal to the service without any other command.
 */
import { beforeAll, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testFollowing } from "../setup/servers/following.ts";
import { servers } from "../setup/servers/name-servers.ts";
import { type Json, mutation, testService } from "../setup/service/service.ts";

const test = testWith("kdig", "dig", ...servers.flatMap(({ programs }) => programs));
const service = testService({ RESTORE_POLICY: "confirm" });
const followers = servers.map((server) => testFollowing(service, server));
const [zone, level, lost] = ["restored.example", "level.example", "lost.example"];
let userId: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

const add = (to: string, owner: string) => service.record(to, owner, "A", "192.0.2.1");

/** Waits until the catalog and these zones are LIVE. */
async function live(...zones: readonly string[]): Promise<void> {
  for (const follower of followers) await follower.learn();
  await eventually(async () => {
    const document = "{ domains { nodes { zone publication { state } } } catalog { zone publication { state } } }";
    const { domains, catalog } = await service.data(document);
    const isLive = ({ publication }: Json) => publication.state === "LIVE";
    const states = [...domains.nodes, catalog].filter(isLive).map((each: Json) => each.zone);
    expect(states).toEqual(expect.arrayContaining([...zones]));
  });
}

const statuses = (name: string) => Promise.all(followers.map(async (each) => (await each.ask(name, "A")).status));
const all = (status: string) => servers.map(() => status);

test("what was lost stays at the secondaries until the restore is confirmed, and other zones are published", async () => {
  for (const each of [zone, level]) await service.domain(each, userId);
  await live(zone, level, "catalog.zonesmith");
  await service.backup();
  for (const owner of ["lost", "lost2"]) await add(zone, owner);
  await service.domain(lost, userId);
  await live(zone, lost, "catalog.zonesmith");

  await service.restore();
  for (const owner of ["new", "new2", "new3"]) await add(zone, owner);
  await add(level, "new");
  const restoreHold = async () =>
    (await service.data("{ restoreHold { heldSince zoneCount secondaryNames } }")).restoreHold;
  // The zone, and the catalog at those who follow it.
  const names = servers.map(({ name }) => name).toSorted();
  await eventually(async () => expect(await restoreHold()).toMatchObject({ zoneCount: 2, secondaryNames: names }));
  await eventually(async () => expect(await statuses(`new.${level}`)).toEqual(all("NOERROR")));
  expect(await statuses(`lost.${zone}`)).toEqual(all("NOERROR"));
  expect(await statuses(`new.${zone}`)).toEqual(all("NXDOMAIN"));
  expect(await statuses(`www.${lost}`)).toEqual(all("NOERROR"));

  const { heldSince } = await restoreHold();
  const confirm = mutation("confirmRestore", "confirmed { zoneCount }");
  await service.data(confirm, { input: { heldSince } });
  await live(zone, level, "catalog.zonesmith");
  for (const follower of followers) for (const each of [zone, level]) await follower.servesOurs(each);
  await eventually(async () => expect(await statuses(`www.${lost}`)).toEqual(all("REFUSED")));
  expect(await restoreHold()).toBeNull();
});
