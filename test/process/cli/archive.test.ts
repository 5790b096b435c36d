/** `zonesmith export --all`, and what `zonesmith import` reads of it on an empty service. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const cli = commandLine(service);
const elsewhere = testService();
const there = commandLine(elsewhere);

const longZone = `${Array.from({ length: 5 }, () => "a".repeat(40)).join(".")}.example`;
const zones = ["plain.example", "0/25.2.0.192.in-addr.arpa", "bücher.example", longZone];
const noteCount = 60;
let folder: string;

beforeAll(async () => {
  folder = join(temporaryFolder(), "zones");
  const users = await Promise.all(["one@example.com", "two@example.com"].map((email) => service.user(email)));
  for (const [at, zone] of zones.entries()) await service.domain(zone, users[at % 2] as string);
  await cli.printed("label plain.example env=prod team");
  for (let at = 1; at <= noteCount; at += 1)
    await service.mutate(
      "setNote",
      { zone: "plain.example", owner: `n${at}`, type: "A", text: "ask\nJane" },
      "notices { code }",
    );
});

test("all zones go out as one archive, and come in elsewhere with their owners, labels and notes", async () => {
  const archive = `${folder}.tar.gz`;
  await cli.shows(`
    $ export --all ${archive}
    ${archive} has 4 zones.
    $ export --all ${folder} --json …
      "zones": 4
  `);
  expect(execFileSync("tar", ["-tzf", archive], { encoding: "utf8" }).trim().split("\n").toSorted()).toEqual(
    readdirSync(folder).toSorted(),
  );
  expect(readFileSync(join(folder, "plain.example.zone"), "utf8")).toBe(await cli.printed("export plain.example"));
  await there.shows(`
    $ import ${archive} --replace --dry-run => [1] there is none; add one with zonesmith user add
    $ user add other@example.com …
    $ import ${archive} --replace --dry-run …
    plain.example: would add 3 and remove 0 records
    $ import ${archive} --replace …
    plain.example: added 3 and removed 0 records, serial …
    $ import ${folder} --replace …
    plain.example: nothing to change
    $ export --all ${folder}-there.tar.gz …
    $ domain list --user one@example.com --label team => plain.example …
    $ domain list --user two@example.com => 0/25.2.0.192.in-addr.arpa …
  `);
  expect(readFileSync(`${folder}-there.tar.gz`)).toEqual(readFileSync(archive));
  expect(JSON.parse(await there.printed("note plain.example --json"))).toHaveLength(noteCount);
});

test("an export takes the place of an earlier one, and of nothing else", async () => {
  writeFileSync(join(folder, ".gitignore"), "");
  const other = temporaryFolder({ "letter.txt": "" });
  await cli.shows(`
    $ domain remove bücher.example --yes …
    $ export --all ${folder}
    ${folder} has 3 zones.
    $ export --all ${other} => [1] ${other} has other files than those of an earlier export; write another folder.
    $ export --all ${other}/letter.txt => [1] (ENOTDIR); write a folder, or a file whose name ends in .tar.gz
    $ export --all ${other}/none/zones.tar.gz => [1] cannot be written to ${other}/none/zones.tar.gz (ENOENT)
    $ export --all /proc/zones => [1] The export cannot be written to /proc/zones (ENOENT); write a folder of yours
    $ export --all - => [2] a folder, or a file whose name ends in .tar.gz
    $ export --all ${folder}.zip => [2] a folder, or a file whose name ends in .tar.gz
    $ export plain.example --output ${folder} => [1] The zone cannot be written to ${folder} (EISDIR); write the name of a file
    $ export --all ${folder} plain.example => [2] leave out the zone
    $ import ${other} => [1] There is no zone to import
  `);
  expect(readdirSync(folder)).toHaveLength(5);
  expect(existsSync(join(folder, ".gitignore"))).toBe(true);
  expect(readdirSync(other)).toEqual(["letter.txt"]);
});

test("what is no archive is refused", async () => {
  const path = temporaryFolder({ "text.tar.gz": "text", "zonesmith-export.json": '{"format":2}' });
  await there.shows(`
    $ import ${path}/text.tar.gz => [1] text.tar.gz cannot be imported: it was altered, or is not compressed by gzip.
    $ import ${path} => [1] is no manifest of format 1
    $ import ${path}/none.tar.gz => [1] cannot be read (ENOENT)
  `);
});
