/**
 * A mistake in a hundred zones, from the command line: found in the journal, looked at, undone by one command, and served by Knot as before.
 */
import { beforeAll, expect } from "@jest/globals";
import { testWith } from "../../setup/basics/programs.ts";
import { runToEnd } from "../../setup/process/process.ts";
import { testFollowing } from "../../setup/servers/following.ts";
import { knot } from "../../setup/servers/name-servers.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const test = testWith("kdig", "dig", ...knot.programs);
const service = testService();
const follower = testFollowing(service, knot);
const zones = Array.from({ length: 100 }, (_, at) => `shop${at}.example.com`);
let botKey: string;

/** What a command prints; throws when it fails. */
const printed = (...words: string[]) => printedWith(0, ...words);

async function printedWith(exitCode: number, ...words: string[]): Promise<string> {
  const environment = { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey, COLUMNS: "1000" };
  const [code, stdout, stderr] = await runToEnd(words, environment);
  if (code !== exitCode) throw new Error(`${words.join(" ")}: ${stderr}`);
  return stdout;
}

const idIn = (text: string) => /\b(\d{16}) is APPLIED\.$/m.exec(text)?.[1] as string;

beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  for (const zone of zones) {
    await service.domain(zone, userId);
    await service.record(zone, "@", "MX", "10 mail.example.org.");
  }
  botKey = await service.key({ name: "deploy-bot", userId });
});

test("an MX that was removed in a hundred zones is found, blamed, undone by one command, and LIVE on Knot", async () => {
  const { records } = await service.data('{ records(first: 1000, filter: { types: ["MX"] }) { nodes { id zone } } }');
  for (const { id } of records.nodes)
    await service.mutate("deleteRecord", { recordId: id, note: "cleanup" }, "deletedId", botKey);
  const [zone = ""] = zones;
  // Somebody else goes on working: that stays.
  await printed("record", "add", zone, "www2", "A", "192.0.2.1");

  const history = await printed("history", "--since", "1h", "--type", "MX", "--by", "deploy-bot");
  expect(history.match(/deploy-bot \([0-9a-f]{8}\).* cleanup$/gm)).toHaveLength(100);
  expect(await printed("history", zone, "@", "MX")).toMatch(/deploy-bot/);
  const dry = await printed("revert", "--by", "deploy-bot", "--since", "1h", "--dry-run");
  expect(dry).toContain("100 changes are selected.");
  expect(dry).toContain("+@ 3600 IN MX 10 mail.example.org.");
  expect(dry).toMatch(/100 of 100 zones change: 0 records go, 100 come\.\nNothing was changed\.\n$/);
  const set = idIn(await printed("revert", "--by", "deploy-bot", "--since", "1h", "--yes"));
  expect(await printed("changeset", "wait", set)).toBe(
    "LIVE: 100 of 100 changes are served by every required secondary.\n",
  );
  for (const name of zones.slice(0, 5))
    expect((await follower.ask(name, "MX")).answers).toEqual(["10 mail.example.org."]);
  expect((await follower.ask(`www2.${zone}`, "A")).answers).toEqual(["192.0.2.1"]);
  const again = await printedWith(4, "revert", "--by", "deploy-bot", "--since", "1h", "--yes");
  expect(again).toMatch(/100 of them undone already/);

  // And back again: the undoing is a set, which is undone like any other.
  await printed("revert", "--changeset", set, "--zones", "shop1*", "--yes");
  const { records: left } = await service.data('{ records(filter: { types: ["MX"] }) { totalCount } }');
  expect(left.totalCount).toBe(89);
  await follower.servesOurs(zone);
});
