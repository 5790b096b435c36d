/**
 * `zonesmith backup` while Knot, BIND, NSD and PowerDNS follow and zones change, and `restore` with RESTORE_POLICY=confirm: what the
 * backup does not have stays at the servers, which are ahead of it, until `resync --all` confirms the restore; then they are equal to it.
 */
import { expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { Backups } from "../../setup/database/backups.ts";
import { asAdministrator, CommandLine } from "../../setup/process/command-line.ts";
import { publicationStates, testFollowing } from "../../setup/servers/following.ts";
import { servers } from "../../setup/servers/name-servers.ts";
import { testService } from "../../setup/service/service.ts";

const test = testWith("kdig", "dig", ...servers.flatMap(({ programs }) => programs));
const service = testService({ RESTORE_POLICY: "confirm" });
const followers = servers.map((server) => testFollowing(service, server));
const backups = new Backups();
const [changed, level, lost, overtaken] = ["changed.example", "level.example", "lost.example", "overtaken.example"];

/** Runs a command to its success; returns what it printed. */
async function command(line: string, settings: Record<string, string>): Promise<string> {
  const [code, stdout, stderr] = await new CommandLine().run(line, settings);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

const add = (zone: string, owner: string) => service.record(zone, owner, "A", "192.0.2.1");

/** Expects that all zones come to be LIVE, these and the catalog. */
async function allLive(...zones: readonly string[]): Promise<void> {
  for (const follower of followers) await follower.learn();
  const live = Object.fromEntries([...zones, "catalog.zonesmith"].map((zone) => [zone, "LIVE"]));
  await eventually(async () => expect(await publicationStates(service)).toEqual(live));
}

const statuses = (name: string) => Promise.all(followers.map(async (each) => (await each.ask(name, "A")).status));
const all = (status: string) => servers.map(() => status);

test("what was lost stays at the servers until resync --all; other zones are published meanwhile", async () => {
  const userId = await service.user("owner@example.com");
  for (const zone of [changed, level, overtaken]) await service.domain(zone, userId);
  await allLive(changed, level, overtaken);
  const file = backups.newFile();
  const writing = (async () => {
    for (let n = 0; n < 20; n += 1) await add(changed, `meanwhile${n}`);
  })();
  await command(`backup ${file}`, { DATABASE_URL: service.databaseUrl });
  await writing;
  for (const owner of ["lost", "lost2", "lost3"]) await add(changed, owner);
  for (const owner of ["lost", "lost2"]) await add(overtaken, owner);
  await service.domain(lost, userId);
  await allLive(changed, level, lost, overtaken);

  await service.refill((url) => command(`restore ${file}`, { DATABASE_URL: url }));
  await add(changed, "new");
  await add(level, "new");
  // Its serial comes to be later than that at the servers, which is of other contents.
  for (const owner of ["new", "new2", "new3"]) await add(overtaken, owner);
  const pendingRestore = async () =>
    (await service.data("{ pendingRestore { zoneCount secondaryNames } }")).pendingRestore;
  // The zones, and the catalog at those who follow it.
  const names = servers.map(({ name }) => name).toSorted();
  await eventually(async () => expect(await pendingRestore()).toEqual({ zoneCount: 3, secondaryNames: names }));
  await eventually(async () => expect(await statuses(`new.${level}`)).toEqual(all("NOERROR")));
  expect(await statuses(`lost.${changed}`)).toEqual(all("NOERROR"));
  expect(await statuses(`new.${changed}`)).toEqual(all("NXDOMAIN"));
  expect(await statuses(`www.${lost}`)).toEqual(all("NOERROR"));
  expect(await statuses(`lost.${overtaken}`)).toEqual(all("NOERROR"));
  expect(await statuses(`new3.${overtaken}`)).toEqual(all("NXDOMAIN"));

  const client = asAdministrator(service);
  const shown = await command("resync --all --dry-run", client);
  expect(shown).toMatch(
    /^ZONE +OUR SERIAL +ITS SERIAL +AHEAD BY +SECONDARY\n(.*\n)*changed\.example +\d+ +\d+ +\d+ +Knot\n/,
  );
  expect(shown).not.toContain(level);
  await command("resync --all --yes", client);
  await allLive(changed, level, overtaken);
  for (const follower of followers) for (const zone of [changed, level, overtaken]) await follower.servesOurs(zone);
  for (const zone of [changed, overtaken]) expect(await statuses(`lost.${zone}`)).toEqual(all("NXDOMAIN"));
  await eventually(async () => expect(await statuses(`www.${lost}`)).toEqual(all("REFUSED")));
  await eventually(async () => expect(await pendingRestore()).toBeNull());
});
