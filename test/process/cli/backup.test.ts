/**
 * `zonesmith backup` and `restore` as an operator runs them: with the embedded PostgreSQL, whether its service runs or not, and with a
 * database of one's own; what they print, and which of its two meanings `restore` has.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { testWith } from "../../setup/basics/programs.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { tableNames } from "../../setup/database/any-rows.ts";
import { Backups } from "../../setup/database/backups.ts";
import { emptyDatabase } from "../../setup/database/database.ts";
import { CommandLine, commandLine } from "../../setup/process/command-line.ts";
import { terminal } from "../../setup/process/process.ts";
import { RunningService } from "../../setup/process/running-service.ts";
import { testService } from "../../setup/service/service.ts";

const zonesmithFile = resolve(import.meta.dirname, "../../../dist/src/cli/zonesmith.js");
const service = testService();
const backups = new Backups();
const cli = new CommandLine();
const ofService = () => ({ DATABASE_URL: service.databaseUrl });

test("the embedded PostgreSQL is backed up beside its service, and restored into a new folder without one", async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  const [beside, after] = [backups.newFile(), backups.newFile()];
  /** The domains of the service in a folder, after something is done to it. */
  const domainsAt = async (folder: string, use: (running: RunningService) => Promise<unknown> = async () => {}) => {
    const running = await RunningService.start({ DATA_DIR: folder });
    await use(running);
    const { text } = await running.rest("GET", "/domain/list");
    await running.end();
    return text;
  };
  const domains = await domainsAt(from, async (running) => {
    await running.domains("one.example.com");
    const backup = `
      $ backup ${beside}
      ${beside} has <rows> rows in <tables> tables (domains: 1, records: <records>, changes: 1), 0.0 MB.
      Whoever reads it…
    `;
    await cli.shows(backup, {}, { DATA_DIR: from });
  });
  // The file is for its owner alone.
  expect(statSync(beside).mode & 0o777).toBe(0o600);
  await cli.printed(`backup ${after}`, { DATA_DIR: from });
  const restored = "All of it is restored, and was compared table by table.";
  expect(await cli.printed(`restore ${after}`, { DATA_DIR: to })).toContain(restored);
  expect(await domainsAt(to)).toBe(domains);
  const again = `$ restore ${beside} => [1] The database is not empty (rows: …api_key 1`;
  await cli.shows(again, {}, { DATA_DIR: to });
});

test("a database at DATABASE_URL is backed up, also to standard output, and the file is checked without a database", async () => {
  await service.user("owner@example.com");
  const [file, target] = [backups.newFile(), await emptyDatabase()];
  const clear = "Whoever reads it can read the secrets of TSIG keys and webhooks: none is sealed with a SECRET_KEY.";
  await cli.shows(`$ backup ${file} => ${clear}`, {}, ofService());
  const { tables, ...json } = JSON.parse(await cli.printed(`backup ${file} --json`, ofService()));
  expect(json).toMatchObject({ file, format: 1 });
  expect(tables).toContainEqual(expect.objectContaining({ name: "user", rows: 1 }));
  const checked = `$ restore ${file} --dry-run => …It is complete and unaltered; nothing was restored.`;
  await cli.shows(checked, {}, { DATA_DIR: join(temporaryFolder(), "none") });
  const env = { PATH: process.env.PATH, ...ofService() };
  const piped = spawnSync(process.execPath, [zonesmithFile, "backup", "-"], { env });
  expect(piped.stderr.toString()).toMatch(/^The backup has \d+ rows in \d+ tables/);
  await cli.printed(`restore ${backups.write(piped.stdout)}`, { DATABASE_URL: target });
  expect((await tableNames(target)).length).toBeGreaterThan(20);
});

testWith("script")("a backup is not written to a terminal", async () => {
  const shown = terminal(["backup", "-"], ofService());
  expect([await shown.ended(), shown.output().stdout]).toEqual([1, expect.stringContaining("no text for a terminal")]);
});

test("a backup that cannot be written leaves nothing, and one of before stays", async () => {
  const folder = temporaryFolder();
  const missing = "cannot be written to …(ENOENT); write the name of a file in a folder";
  await cli.shows(`$ backup ${folder}/none/x.tar.gz => [1] ${missing}`, {}, ofService());
  const kept = join(folder, "kept.tar.gz");
  writeFileSync(kept, "before");
  expect((await cli.run(`backup ${kept}`, { DATABASE_URL: await emptyDatabase() }))[0]).toBe(1);
  expect([readdirSync(folder), readFileSync(kept, "utf8")]).toEqual([["kept.tar.gz"], "before"]);
});

test("restore brings a domain back, or restores a file that ends in .gz or that gzip wrote, and creates nothing of another", async () => {
  const [file, folder] = [join(temporaryFolder(), "backup"), join(temporaryFolder(), "none")];
  await cli.printed(`backup ${file}`, ofService());
  const wrong = backups.write(Buffer.from("anything"));
  await cli.shows(
    `
    $ restore ${file} --dry-run => …It is complete and unaltered…
    $ restore ${wrong} => [1] ${wrong} is not a backup of Zonesmith
    $ restore missing.tar.gz => [1] missing.tar.gz cannot be read (ENOENT)
    $ restore ${file} --user x@example.com => [2] --id, --user and --note are for a domain
  `,
    {},
    { DATA_DIR: folder },
  );
  expect(existsSync(folder)).toBe(false);
  const { id } = (await service.data('{ user(by: { email: "owner@example.com" }) { id } }')).user;
  await service.domain("gone.example.com", id);
  await service.mutate("deleteDomain", { by: { zone: "gone.example.com" } }, "deletedId");
  await commandLine(service).shows("$ restore gone.example.com --yes => gone.example.com is back with …");
});
