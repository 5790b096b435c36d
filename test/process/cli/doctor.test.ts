/**
 * `zonesmith doctor` as an operator runs it: in a second shell beside a fresh installation with its embedded PostgreSQL, and its exit codes.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { freePort } from "../../setup/basics/free-port.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { CommandLine } from "../../setup/process/command-line.ts";
import { type ServiceProcess, zonesmith } from "../../setup/process/process.ts";

const folder = temporaryFolder();
const secretKey = "a key of thirty-two characters, or more";
let dnsPort: number;
let service: ServiceProcess;

beforeAll(async () => {
  dnsPort = await freePort();
  service = zonesmith(["serve"], {
    DATA_DIR: folder,
    HTTP_PORT: "0",
    DNS_PORT: String(dnsPort),
    SECRET_KEY: secretKey,
    LOG_LEVEL: "error",
  });
  await service.answersAt();
});
afterAll(async () => {
  service.child.kill("SIGTERM");
  await service.ended();
});

const cli = new CommandLine(() => ({ DATA_DIR: folder }));

test("a fresh installation is clean: no warning, no failure, exit code 0", async () => {
  const stdout = await eventually(async () => {
    const [code, stdout, stderr] = await cli.run("doctor");
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  });
  expect(stdout).not.toMatch(/^(WARNING|FAILURE)/m);
  expect(stdout).not.toContain("\x1b");
  expect(stdout).toMatch(/^OK {7}database: PostgreSQL \d.*embedded/m);
  expect(stdout).toMatch(/^NOTE {5}NAME_SERVERS: .*\n {9}To do: NAME_SERVERS="/m);
  expect(stdout).toMatch(/\n\n\d+ OK, \d notes, 0 warnings, 0 failures\.\n$/);
});

test("in a shell without its settings it looks at those that the running service has", async () => {
  const stdout = await cli.printed("doctor");
  expect(stdout).toMatch(new RegExp(`^OK {7}DNS UDP: answers at 127.0.0.1 port ${dnsPort}`, "m"));
  expect(stdout).not.toMatch(/SECRET_KEY|^NOTE {5}settings/m);
  const other = await cli.printed("doctor", { DNS_PORT: "5399", LOG_LEVEL: "error", HTTP_PORT: "5398" });
  expect(other).toContain(
    `NOTE     settings: The service runs with HTTP_PORT=0 DNS_PORT=${dnsPort}, and this shell has others; those of the service were looked at.`,
  );
});

test("settings of the shell that are not valid are a note, and those of the service are looked at", async () => {
  const stdout = await cli.printed("doctor", { DNS_PORT: "dns", METRICS_KEY: "short" });
  expect(stdout).toMatch(/^NOTE {5}settings: .*DNS_PORT: write a whole number .*/m);
  expect(stdout).toMatch(new RegExp(`^OK {7}DNS UDP: answers at 127.0.0.1 port ${dnsPort}`, "m"));
});

test("the settings that the running service keeps for it hold no secret", () => {
  const text = readFileSync(join(folder, "service.json"), "utf8");
  expect(JSON.parse(text)).toMatchObject({
    settings: { DATA_DIR: folder, DNS_PORT: String(dnsPort), NAME_SERVERS: expect.stringContaining("ns1.") },
    secrets: ["SECRET_KEY"],
  });
  expect(text).not.toContain(secretKey);
});

test("JSON has the findings and how many there are of each level", async () => {
  const { findings, counts } = JSON.parse(await cli.printed("doctor --json"));
  expect(counts).toEqual({ OK: expect.any(Number), NOTE: expect.any(Number), WARNING: 0, FAILURE: 0 });
  expect(findings).toContainEqual({ check: "service", level: "OK", finding: expect.stringMatching(/^ready at http/) });
});

test.each<[number, string, string, Record<string, string>]>([
  [5, "a warning", "doctor --least-free 999999999", {}],
  [1, "a failure", "doctor", { ZONESMITH_URL: "http://127.0.0.1:9" }],
  [
    1,
    "settings that are not valid, where no service says its own",
    "doctor",
    { DATA_DIR: "none", DATABASE_POOL: "none" },
  ],
  [0, "settings that are not valid beside those of the service", "doctor", { DATABASE_POOL: "none" }],
  [0, "a secret that is not valid beside the service", "doctor", { ADMIN_API_KEY: "short" }],
  [2, "a wrong option", "doctor --least-free some", {}],
])("it ends with %s after %s", async (expected, _after, line, environment) => {
  expect((await cli.run(line, environment))[0]).toBe(expected);
});
