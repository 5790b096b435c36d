/**
 * `zonesmith backup` and `restore` as an operator runs them: with the embedded PostgreSQL, whether its service runs or not, and with a
 * database of one's own; what they print, and which of its two meanings `restore` has.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { tableNames } from "../../setup/database/any-rows.ts";
import { testBackups } from "../../setup/database/backups.ts";
import { terminal, zonesmith } from "../../setup/process/process.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const zonesmithFile = resolve(import.meta.dirname, "../../../dist/src/cli/zonesmith.js");
const service = testService();
const backups = testBackups();

async function run(
  words: readonly string[],
  settings: Record<string, string>,
): Promise<[number | null, string, string]> {
  const command = zonesmith(words, settings);
  const code = await command.ended();
  const { stdout, stderr } = command.output();
  return [code, stdout, stderr];
}

/** The environment of the commands that speak to the service. */
const client = () => ({ ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey });

const clear = "Who reads it can read the secrets of TSIG keys, which are not sealed: SECRET_KEY is not set.\n";

test("the embedded PostgreSQL is backed up beside its service, and restored into a new folder without one", async () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  const settings = { HTTP_PORT: "0", LOG_LEVEL: "warn", ADMIN_API_KEY: adminKey };
  const file = backups.newFile();
  const serve = async (
    folder: string,
    use: (call: (path: string, form?: object) => Promise<unknown>) => Promise<void>,
  ) => {
    const serving = zonesmith(["serve"], { ...settings, DATA_DIR: folder });
    try {
      const url = await serving.answersAt();
      await use(async (path, form) => {
        const sent = form && { method: "POST", body: new URLSearchParams(form as Record<string, string>) };
        return (await fetch(`${url}/api${path}`, { headers: { "X-API-Key": adminKey }, ...sent })).json();
      });
    } finally {
      serving.child.kill("SIGTERM");
      await serving.ended();
    }
  };
  let list: unknown;
  await serve(from, async (call) => {
    const user = (await call("/user/add", { email: "owner@example.com" })) as { id: string };
    await call("/domain/add", { zone: "one.example.com", user_id: user.id });
    list = await call("/domain/list");
    const [code, stdout, stderr] = await run(["backup", file], { DATA_DIR: from });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^\S+ has \d+ rows in \d+ tables \(domains: 1, records: \d, changes: 1\), 0\.0 MB\.\nWho reads it/,
    );
  });
  // The file is for its owner alone.
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = backups.newFile();
  expect((await run(["backup", again], { DATA_DIR: from }))[0]).toBe(0);
  const restored = await run(["restore", again], { DATA_DIR: to });
  expect(restored).toEqual([0, expect.stringContaining("All of it is restored, and was compared table by table."), ""]);
  await serve(to, async (call) => expect(await call("/domain/list")).toEqual(list));
  const [code, , stderr] = await run(["restore", file], { DATA_DIR: to });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/The database is not empty \(rows: .*api_key 1/)]);
});

test("a database at DATABASE_URL is backed up, also to standard output, and the file is checked without a database", async () => {
  const settings = { DATABASE_URL: service.databaseUrl };
  await service.user("owner@example.com");
  const file = backups.newFile();
  expect(await run(["backup", file], settings)).toEqual([0, expect.stringContaining(clear), ""]);
  const json = JSON.parse((await run(["backup", file, "--json"], settings))[1]);
  expect(json).toMatchObject({
    file,
    format: 1,
    tables: expect.arrayContaining([expect.objectContaining({ name: "user", rows: 1 })]),
  });
  const checked = await run(["restore", file, "--dry-run"], { DATA_DIR: join(temporaryFolder(), "none") });
  expect(checked).toEqual([0, expect.stringMatching(/It is complete and unaltered; nothing was restored\.\n$/), ""]);
  const target = await backups.empty();
  const piped = spawnSync(process.execPath, [zonesmithFile, "backup", "-"], {
    env: { PATH: process.env.PATH, ...settings },
  });
  expect(piped.stderr.toString()).toMatch(/^The backup has \d+ rows in \d+ tables/);
  const copy = backups.write(piped.stdout);
  const shown = terminal(["backup", "-"], settings);
  expect([await shown.ended(), shown.output().stdout]).toEqual([1, expect.stringContaining("no text for a terminal")]);
  expect((await run(["restore", copy], { DATABASE_URL: target }))[0]).toBe(0);
  expect((await tableNames(target)).length).toBeGreaterThan(20);
});

test("a backup that cannot be written leaves nothing, and one of before stays", async () => {
  const folder = temporaryFolder();
  const [code, , stderr] = await run(["backup", join(folder, "none", "x.tar.gz")], {
    DATABASE_URL: service.databaseUrl,
  });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/cannot be written to \S+ \(ENOENT\); write the name of a file in a folder/),
  ]);
  const kept = join(folder, "kept.tar.gz");
  writeFileSync(kept, "before");
  expect((await run(["backup", kept], { DATABASE_URL: await backups.empty() }))[0]).toBe(1);
  expect(readdirSync(folder)).toEqual(["kept.tar.gz"]);
  expect(statSync(kept).size).toBe("before".length);
});

test("neither a backup of a folder without data nor a restore of a file that is no backup creates anything", async () => {
  const folder = join(temporaryFolder(), "none");
  const [code, , stderr] = await run(["backup", backups.newFile()], { DATA_DIR: folder });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("holds no data of Zonesmith, and nothing is created there"),
  ]);
  const wrong = backups.write(Buffer.from("anything"));
  expect(await run(["restore", wrong], { DATA_DIR: folder })).toEqual([
    1,
    "",
    expect.stringContaining(`${wrong} is not a backup of Zonesmith`),
  ]);
  expect(existsSync(folder)).toBe(false);
});

test("restore brings a domain back, or restores a file that ends in .gz or that gzip wrote", async () => {
  const file = join(temporaryFolder(), "backup");
  expect((await run(["backup", file], { DATABASE_URL: service.databaseUrl }))[0]).toBe(0);
  const target = { DATABASE_URL: await backups.empty() };
  expect((await run(["restore", file, "--dry-run"], target))[1]).toContain("It is complete and unaltered");
  expect((await run(["restore", "missing.tar.gz"], target))[2]).toMatch(/missing\.tar\.gz cannot be read \(ENOENT\)/);
  expect(await run(["restore", file, "--user", "x@example.com"], target)).toEqual([
    2,
    "",
    expect.stringContaining("--id, --user and --note are for a domain"),
  ]);
  const userId = (await service.data('{ user(by: { email: "owner@example.com" }) { id } }')).user.id;
  await service.domain("gone.example.com", userId);
  await service.data('mutation { deleteDomain(input: { zone: "gone.example.com" }) { deletedId } }');
  const [code, stdout] = await run(["restore", "gone.example.com", "--yes"], client());
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^gone\.example\.com is back with \d+ records/)]);
});
