/**
 * A backup that is restored with pg_restore while the service runs, as nobody should: it is noticed, and Knot becomes equal to what was
 * restored without any command.
 */
import { afterAll, beforeAll, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { has, testWith } from "../../setup/basics/programs.ts";
import { DebianPostgres } from "../../setup/servers/debian-postgres.ts";
import { publicationStates, testFollowing } from "../../setup/servers/following.ts";
import { knot } from "../../setup/servers/name-servers.ts";
import { testService } from "../../setup/service/service.ts";

const programs = ["kdig", "dig", "pg_restore", ...knot.programs];
const test = testWith(...programs);
const postgres = new DebianPostgres();
const isThere = has(...programs);
if (isThere) beforeAll(() => postgres.start());
const service = testService({}, (url) => (isThere ? postgres.url : url));
const follower = testFollowing(service, knot);
afterAll(() => postgres.stop());

const [zone, lost, idle] = ["restored.example", "lost.example", "idle.example"];

test("after pg_restore under the running service nothing is LIVE that is not served, and all become equal", async () => {
  const userId = await service.user("owner@example.com");
  for (const each of [zone, idle]) {
    await service.domain(each, userId);
    await follower.add(each, "before");
  }
  postgres.run("pg_dump", "-Fc", "-f", "backup.dump", "-d", postgres.url);
  for (const owner of ["one", "two", "three", "four"]) await follower.add(zone, owner);
  await service.domain(lost, userId);
  await follower.add(lost, "host");

  postgres.run("pg_restore", "--single-transaction", "--clean", "--if-exists", "-d", postgres.url, "backup.dump");
  // What is written now gets serials that were given before.
  for (const owner of ["five", "six"]) await service.record(zone, owner, "A", "192.0.2.1");
  await eventually(async () => {
    expect(await publicationStates(service)).toEqual({ [zone]: "LIVE", [idle]: "LIVE", "catalog.zonesmith": "LIVE" });
    for (const each of [zone, idle]) await follower.servesOurs(each);
    expect((await follower.ask(lost, "SOA")).status).toBe("REFUSED");
  });
});
