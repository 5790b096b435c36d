/**
 * `zonesmith audit`: what it lists, and by which options.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { zonesmith } from "../../setup/process/process.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();
const zone = "audited.example.com";

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
});

/** What the command prints. */
async function printed(...options: string[]): Promise<string> {
  const environment = { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey };
  const command = zonesmith(["audit", ...options], environment);
  expect(await command.ended()).toBe(0);
  return command.output().stdout;
}

test("it lists who did what, as its options select", async () => {
  const all = await printed();
  expect(all.split("\n")[0]).toMatch(/^WHEN +BY +FROM +DOOR +OPERATION +ZONE/);
  expect(all).toMatch(/administrator \([0-9a-f]{8}\) +127\.0\.0\.1 +graphql +createDomain +audited\.example\.com/);
  expect(all).toContain("createUser");
  expect(await printed("--zone", zone)).not.toContain("createUser");
  expect(await printed("--operation", "createUser", "--since", "1h")).toMatch(/createUser/);
  expect(await printed("--refused", "--zone", zone)).not.toContain("createDomain");
});
