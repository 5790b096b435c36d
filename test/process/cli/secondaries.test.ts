import { expect, test } from "@jest/globals";
import { queryAnswerText } from "../../../src/cli/print.ts";
import { type ServiceProcess, zonesmith } from "../../setup/process/process.ts";
import { adminKey, testService } from "../../setup/service/service.ts";
import { Sightings } from "../../setup/service/sightings.ts";

const service = testService();

/** Runs `zonesmith secondary …` against the service; answers its exit code and what it printed. */
async function secondary(args: readonly string[], key = adminKey): Promise<[number | null, string, string]> {
  const command: ServiceProcess = zonesmith(["secondary", ...args], {
    ZONESMITH_URL: service.url,
    ZONESMITH_API_KEY: key,
  });
  const code = await command.ended();
  const { stdout, stderr } = command.output();
  return [code, stdout, stderr];
}

test("registers a secondary with a key of its own and prints its stanza", async () => {
  expect(await secondary(["add", "Knot in Graz", "127.0.0.1", "5353", "--no-notify"])).toEqual([
    0,
    expect.stringMatching(
      /^Knot in Graz at 127\.0\.0\.1 port 5353 is registered; it signs with the key knot-in-graz\.zonesmith\./,
    ),
    "",
  ]);
  const [code, stanza] = await secondary(["config", "Knot in Graz", "--server", "knot", "--primary", "192.0.2.1"]);
  expect(code).toBe(0);
  const document = `query ($id: ID!) { secondaryConfig(secondaryId: $id, server: KNOT, primary: "192.0.2.1") }`;
  const { secondary: found } = await service.data(
    `{ secondary(by: { name: "Knot in Graz" }) { id notify requiredForLive } }`,
  );
  expect(found).toMatchObject({ notify: false, requiredForLive: true });
  expect(stanza).toBe((await service.data(document, { id: found.id })).secondaryConfig);
});

test("a refused registration leaves no key behind, and trying again works; so does registering again what was removed", async () => {
  const [code] = await secondary(["add", "again", "192.0.2.300", "53"]);
  expect(code).toBe(1);
  expect((await service.data("{ tsigKeys(first: 1000) { nodes { name } } }")).tsigKeys.nodes).not.toContainEqual({
    name: "again.zonesmith",
  });
  for (const run of [1, 2]) {
    const [, added] = await secondary(["add", "again", "127.0.0.1", "5360"]);
    expect([run, added]).toEqual([run, expect.stringContaining("signs with the key again.zonesmith.")]);
    expect((await secondary(["remove", "again"]))[0]).toBe(0);
  }
  await service.sql("update tsig_key set revoked_at = now() where name = 'again.zonesmith'");
  expect((await secondary(["add", "again", "127.0.0.1", "5360"]))[1]).toContain("the key again-2.zonesmith.");
});

test("a stanza has the address and port of --primary, or those that the service has, with a warning where they lead nowhere", async () => {
  await secondary(["add", "far", "192.0.2.53", "53"]);
  const [, own, warning] = await secondary(["config", "far", "--server", "knot"]);
  expect(own).toContain(`address: 127.0.0.1@${service.dnsPort}\n`);
  expect(warning).toMatch(/^warning: 127\.0\.0\.1 leads 192\.0\.2\.53 to itself/);
  const [, given, none] = await secondary(["config", "far", "--server", "knot", "--primary", "[2001:db8::1]:53"]);
  expect([given, none]).toEqual([expect.stringContaining("address: 2001:db8::1@53\n"), ""]);
  expect((await secondary(["config", "far", "--server", "knot", "--primary", "192.0.2.1:0"]))[2]).toMatch(
    /primary: write a port/,
  );
});

test("registers one with a key that is there, and one that signs nothing", async () => {
  await service.data(`mutation { createTsigKey(input: { name: "shared.example.com" }) { secret } }`);
  const [shared] = await secondary(["add", "one", "127.0.0.1", "5354", "--tsig-key", "Shared.example.com."]);
  const [plain, advice] = await secondary(["add", "two", "::1", "5355", "--no-tsig", "--no-required", "--indirect"]);
  expect([shared, plain]).toEqual([0, 0]);
  expect(advice).toContain("Let it send its zones to this service (AXFR)");
  const { secondaries } = await service.data(
    "{ secondaries { nodes { name requiredForLive indirect tsigKey { name } } } }",
  );
  expect(secondaries.nodes).toEqual(
    expect.arrayContaining([
      { name: "one", requiredForLive: true, indirect: false, tsigKey: { name: "shared.example.com" } },
      { name: "two", requiredForLive: false, indirect: true, tsigKey: null },
    ]),
  );
});

test.each([
  [["add", "x", "nowhere", "53", "--no-tsig"], 1, /^zonesmith: address: write an IPv4 or IPv6 address/],
  [["add", "x", "127.0.0.1", "dns"], 1, /^zonesmith: port: "dns" is not a port/],
  [["add", "x", "127.0.0.1", "53", "--tsig-key", "none"], 1, /^zonesmith: There is no TSIG key none/],
  [["config", "nobody", "--server", "knot"], 1, /^zonesmith: There is no secondary nobody; look it up/],
  [["config", "nobody", "--server", "djbdns"], 2, /djbdns/],
  [["config", "nobody"], 2, /--server/],
])("says what is wrong with %j", async (args, code, says) => {
  expect(await secondary(args)).toEqual([code, "", expect.stringMatching(says)]);
});

test("what was seen of secondaries is named: a line for each at a domain, and no number or heading without its word", async () => {
  const sightings = new Sightings(service);
  const ids = [await sightings.secondary("graz"), await sightings.secondary("linz")];
  const domain = await service.domain("shown.example", await service.user("shown@example.com"));
  await sightings.see(ids[0] ?? "", domain, { serial: 7 });
  await sightings.see(ids[1] ?? "", domain, { serial: 7, error: "timeout" });
  const environment = { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey };
  const shown = zonesmith(["domain", "show", "shown.example"], environment);
  await shown.ended();
  const lines = shown
    .output()
    .stdout.split("\n")
    .filter((line) => /graz|linz/.test(line));
  expect(lines).toEqual([
    expect.stringMatching(/^(secondaries)? +graz: PENDING, serial 7$/),
    expect.stringMatching(/^ +linz: PENDING, serial 7, timeout$/),
  ]);
  const [, all] = await secondary(["show", "graz"]);
  const headings = all
    .trim()
    .split("\n")
    .map((line) => line.split("  ")[0]);
  expect(headings).toEqual([...new Set(headings)]);
  const answers = ["2026112202", "REFUSED"].map((queryAnswer) =>
    queryAnswerText({ queryAnswer, queryZone: "a.example" }),
  );
  expect(answers).toEqual(["serial 2026112202 (a.example)", "REFUSED (a.example)"]);
  expect(queryAnswerText({ queryAnswer: "7", queryZone: null })).toBe("serial 7");
});

test("is refused without the administrator's key", async () => {
  const key = await service.key({ name: "user", userId: await service.user("command@example.com") });
  expect(await secondary(["config", "one", "--server", "knot"], key)).toEqual([
    1,
    "",
    expect.stringMatching(/^zonesmith: Only an administrator's key may do this/),
  ]);
});
