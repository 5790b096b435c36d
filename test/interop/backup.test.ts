/**
 * `zonesmith backup` while Knot follows and zones change, `restore` elsewhere with Knot at higher serials, and `resync --all`: Knot is then
 * equal to what was restored, record for record.
 */
import { beforeAll, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testBackups } from "../setup/database/backups.ts";
import { zonesmith } from "../setup/process/process.ts";
import { testFollowing } from "../setup/servers/following.ts";
import { knot } from "../setup/servers/name-servers.ts";
import { adminKey, type Json, mutation, testService } from "../setup/service/service.ts";

const test = testWith("kdig", "dig", ...knot.programs);
const service = testService({ RESTORE_POLICY: "confirm" });
const follower = testFollowing(service, knot);
const backups = testBackups();
const [changed, idle, lost] = ["changed.example", "idle.example", "lost.example"];
let userId: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

/** Runs a command to its success; returns what it printed. */
async function command(words: readonly string[], settings: Record<string, string>): Promise<string> {
  const running = zonesmith(words, settings);
  expect([await running.ended(), running.output().stderr]).toEqual([0, ""]);
  return running.output().stdout;
}

const add = async (zone: string, owner: string): Promise<string> => {
  const document = mutation("createRecord", "change { id }");
  return (await service.data(document, { input: { zone, owner, type: "A", rdata: "192.0.2.1" } })).createRecord.change
    .id;
};

test("what is restored elsewhere reaches a Knot that is ahead of it by resync --all", async () => {
  for (const zone of [changed, idle]) await service.domain(zone, userId);
  await follower.live(await add(changed, "before"));
  await follower.live(await add(idle, "before"));
  const file = backups.newFile();
  const writing = (async () => {
    for (let n = 0; n < 20; n += 1) await add(changed, `meanwhile${n}`);
  })();
  await command(["backup", file], { DATABASE_URL: service.databaseUrl });
  await writing;
  for (const owner of ["lost", "lost2", "lost3"]) await add(changed, owner);
  await service.domain(lost, userId);
  await follower.live(await add(changed, "last"));
  await follower.live(await add(lost, "host"));

  await service.refill((url) => command(["restore", file], { DATABASE_URL: url }));
  await eventually(async () =>
    expect((await service.data("{ restoreHold { zoneCount } }")).restoreHold.zoneCount).toBe(2),
  );
  expect((await follower.ask(`last.${changed}`, "A")).status).toBe("NOERROR");
  const client = { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey };
  const shown = await command(["resync", "--all", "--dry-run"], client);
  expect(shown).toMatch(/^ZONE +OUR SERIAL +ITS SERIAL +SECONDARY\n(.*\n)*changed\.example +\d+ +\d+ +Knot\n/);
  expect(shown).not.toContain(idle);
  await command(["resync", "--all", "--yes"], client);
  await eventually(async () => {
    const document = "{ domains { nodes { zone publication { state } } } catalog { zone publication { state } } }";
    const { domains, catalog } = await service.data(document);
    const states = [...domains.nodes, catalog].map(({ zone, publication }: Json) => [zone, publication.state]);
    expect(states.toSorted()).toEqual([
      ["catalog.zonesmith", "LIVE"],
      [changed, "LIVE"],
      [idle, "LIVE"],
    ]);
  });
  for (const zone of [changed, idle]) await follower.servesOurs(zone);
  expect((await follower.ask(`last.${changed}`, "A")).status).toBe("NXDOMAIN");
  await eventually(async () => expect((await follower.ask(lost, "SOA")).status).toBe("REFUSED"));
});
