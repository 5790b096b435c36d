/**
 * The commands of the README, one after the other as they are written there, in one shell beside a service of the test's own: only the
 * key and the ports are put in. After them come those of the first start, which must not collide with them.
 */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect } from "@jest/globals";
import { welcome } from "../../../src/service/welcome.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const test = testWith("curl");
const service = testService();
const root = resolve(import.meta.dirname, "../../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The indented blocks of a section. */
function blocksOf(heading: string): string[] {
  const [, section = ""] = readme.split(`\n## ${heading}\n`);
  const [own = ""] = section.split("\n## ");
  return [...own.matchAll(/(?:^|\n\n)((?: {4}[^\n]*\n)+)/g)].map(([, block = ""]) => block.replace(/^ {4}/gm, ""));
}

/** Runs a text in a shell in a folder of its own, ended by its first failure; returns what it prints. */
async function run(text: string): Promise<string> {
  const script = text
    .replaceAll("http://127.0.0.1:4000", service.url)
    .replaceAll('PATH="$PWD/bin', `PATH="${root}/bin`)
    .replace(/zs_\.\.\./, adminKey);
  const environment = { PATH: process.env.PATH, HOME: "/nowhere", ZONESMITH_URL: service.url };
  const options = { cwd: temporaryFolder(), env: environment };
  const { stdout, stderr } = await promisify(execFile)("bash", ["-euc", script], options);
  return stdout + stderr;
}

/** The blocks of the start but for those of codegen.ts, which test/house compares with the file. */
const start = blocksOf("The first five minutes").filter((block) => !/^(import|export default) /.test(block));
const isGraphql = (block: string) => block.startsWith("mutation");

test("the first five minutes work as they are written, and nothing in them is refused", async () => {
  const shell = start.filter((block) => !isGraphql(block));
  expect([start.length, shell.length]).toEqual([5, 4]);
  const printed = await run(shell.join("\n"));
  for (const part of [
    "you@example.com",
    "mail.example.com",
    "UNSERVED",
    '"owner":"www2"',
    '"changes"',
    "would add 0",
    "zs_",
  ])
    expect(printed).toContain(part);
  expect(printed).not.toMatch(/"errors"|"status":"error"/);
});

test("the mutations are those of the schema, on the zone that is there", async () => {
  for (const mutation of start.filter(isGraphql)) expect((await service.graphql(mutation)).body.errors).toBeUndefined();
});

test.each(["Name servers", "Dynamic updates"])("the commands of %s work too", async (heading) => {
  const [block = ""] = blocksOf(heading);
  const printed = await run(`${start[0]?.split("\n").slice(0, 2).join("\n")}\n${block}`);
  expect(printed).toMatch(
    heading === "Name servers" ? /address: 192\.0\.2\.1@53\n/ : /RFC2136_NAMESERVER=127\.0\.0\.1:\d+/,
  );
});

test("the commands of the first start do not collide with them", async () => {
  const text = welcome({ url: service.url, dns: { address: "127.0.0.1", port: service.dnsPort } }, adminKey);
  const commands = text.split("\n").filter((line) => /^ {2}(export|USER_ID|curl|zonesmith)/.test(line));
  commands.unshift('export PATH="$PWD/bin:$PATH"');
  const printed = await run(commands.join("\n"));
  expect(printed).toContain('"zone":"first.example"');
  expect(printed).not.toMatch(/"errors"|"status":"error"/);
});

test("no command asks a registry for a package of this name", () => {
  const documents = ["README.md", "deploy/README.md", "docs/high-availability.md", "CONTRIBUTING.md"];
  for (const document of documents) expect(readFileSync(join(root, document), "utf8")).not.toMatch(/npx zonesmith/);
});
