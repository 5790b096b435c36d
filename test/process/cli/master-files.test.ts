/**
 * `zonesmith import` and `export` of master files.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { zonesmith } from "../../setup/process/process.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();
beforeAll(async () => {
  await service.user("owner@example.com");
});

const soa =
  "@ 3600 SOA ns1.example.net. hostmaster.example.net. 7 10800 3600 1209600 3600\n@ 3600 NS ns1.example.net.\n";

/** Runs the command on the service; answers its exit code and what it printed. */
async function run(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const command = zonesmith(words, { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey });
  return { code: await command.ended(), ...command.output() };
}
const file = (name: string, text: string) => {
  const path = join(mkdtempSync(join(tmpdir(), "zonesmith-file-")), name);
  writeFileSync(path, text);
  return path;
};

test("the command imports and exports a file; a dry run shows the difference", async () => {
  const path = file("cli.example.com.zone", `${soa}a 300 A 192.0.2.1\n`);
  const created = await run("import", path, "--user", "owner@example.com", "--replace");
  expect(created).toMatchObject({
    code: 0,
    stdout: "cli.example.com: added 2 and removed 0 records, serial 7\n",
    stderr: "",
  });
  const dry = await run("import", file("x", "b 300 A 192.0.2.2\n"), "--zone", "cli.example.com", "--dry-run");
  expect(dry.stdout).toBe("+ b 300 A 192.0.2.2\ncli.example.com: would add 1 and remove 0 records\n");
  const otherSoa = file("y", `${soa.replace(" 3600 1209600 ", " 1800 1209600 ")}a 300 A 192.0.2.1\n`);
  const drySoa = await run("import", otherSoa, "--zone", "cli.example.com", "--replace", "--dry-run");
  expect(drySoa.stdout).toMatch(/^- @ 3600 SOA .* 3600 1209600 .*\n\+ @ 3600 SOA .* 1800 1209600 /m);
  expect(drySoa.stdout).toMatch(/: would add 0 and remove 0 records, and change the SOA\n$/);
  const exported = await run("export", "cli.example.com");
  const output = file("out", "");
  expect((await run("export", "cli.example.com", "--output", output)).code).toBe(0);
  expect(exported.stdout.split("\n")).toHaveLength(4);
  expect(readFileSync(output, "utf8")).toBe(exported.stdout);
});

test.each([
  [
    "a refused file",
    ["import", file("cli.example.com.zone", "a A 192.0.2.256\n\nb 300 MX\n")],
    1,
    /^zonesmith: line 1: .*\nzonesmith: line 3: /,
  ],
  [
    "a file that is not there",
    ["import", "/nonexistent/example.com.zone"],
    1,
    /^zonesmith: .*cannot be read \(ENOENT\)/,
  ],
  ["a name that is no zone", ["import", file("zonefile", "")], 1, /--zone example\.com/],
  ["an unknown zone", ["export", "unknown.example.com"], 1, /There is no zone unknown\.example\.com/],
  ["an unknown option", ["import", "--nonsense"], 2, /unknown option/],
  ["a missing argument", ["export"], 2, /missing required argument/],
])("%s is said on stderr with the exit code", async (_what, args, code, stderr) => {
  expect(await run(...args)).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(stderr) });
});

test("--json answers the refusal as the service gave it", async () => {
  const { code, stdout } = await run("import", file("cli.example.com.zone", "a 300 A x\n"), "--json");
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: "INVALID_RDATA", reasons: [{ line: 1 }] }]);
});
