/**
 * What is not restored: files that were cut off or altered, files of other kinds and of later versions, and any backup into a database
 * that has something. Nothing is changed then.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "@jest/globals";
import { checksumLine, checksumName, formatName, type Manifest, manifestName } from "../../../src/backup/manifest.ts";
import { checkBackup } from "../../../src/backup/read-backup.ts";
import type { Entry } from "../../../src/backup/tar.ts";
import fc from "../../setup/basics/property.ts";
import { contentOf, fillTables, tableNames } from "../../setup/database/any-rows.ts";
import { Backups } from "../../setup/database/backups.ts";
import { emptyDatabase, freshDatabase, query } from "../../setup/database/database.ts";

const backups = new Backups();
let file: string;
let bytes: Buffer;
let empty: string;
beforeAll(async () => {
  const source = await freshDatabase();
  await fillTables(source);
  file = await backups.take(source);
  bytes = readFileSync(file);
  empty = await emptyDatabase();
});

const check = (path: string) => checkBackup(path, () => {});

/** Entries with another manifest, and the checksum of it. */
function withManifest(entries: readonly Entry[], alter: (manifest: Manifest) => object): Entry[] {
  const old = entries.find(({ name }) => name === manifestName) as Entry;
  const content = Buffer.from(JSON.stringify(alter(JSON.parse(old.content.toString()))));
  return entries.map((entry) => {
    if (entry.name === manifestName) return { ...entry, content };
    return entry.name === checksumName ? { ...entry, content: Buffer.from(checksumLine(content)) } : entry;
  });
}

/** Entries in which an octet in the middle of the file of this name is another. */
const damaged = (path: RegExp) => (entries: Entry[]) => {
  const { content } = entries.find(({ name }) => path.test(name)) as Entry;
  content.writeUInt8(content.readUInt8(content.length >> 1) ^ 1, content.length >> 1);
  return entries;
};

const without = (path: RegExp) => (entries: Entry[]) => entries.filter(({ name }) => !path.test(name));

const wrong: readonly (readonly [what: string, make: () => Promise<string> | string, sentence: RegExp])[] = [
  [
    "an empty file",
    () => backups.write(Buffer.alloc(0)),
    /is not a backup of Zonesmith, or is cut off at its beginning/,
  ],
  ["a file of anything", () => backups.write(randomBytes(5000)), /is not a backup of Zonesmith/],
  ["another archive", () => backups.altered(file, without(new RegExp(formatName))), /is not a backup of Zonesmith/],
  ["a file that gzip wrote", () => backups.write(gzipSync(randomBytes(5000))), /is not a backup of Zonesmith/],
  ["a file that is not there", () => backups.newFile(), /cannot be read \(ENOENT\); write the path of a backup/],
  ["a folder", () => backups.folder, /cannot be read \(EISDIR\)/],
  ["half of a backup", () => backups.write(bytes.subarray(0, bytes.length >> 1)), /it is cut off/],
  ["all but its last octet", () => backups.write(bytes.subarray(0, -1)), /it is cut off/],
  [
    "an octet of a row altered",
    () => backups.altered(file, damaged(/^data\/user\//)),
    /its table user does not match its checksum/,
  ],
  [
    "an octet of the manifest altered",
    () => backups.altered(file, damaged(/^manifest\.json$/)),
    /its manifest does not match its checksum/,
  ],
  ["no manifest", () => backups.altered(file, without(/^manifest\./)), /its manifest does not match its checksum/],
  [
    "a table left out",
    () => backups.altered(file, without(/^data\/domain\//)),
    /its table domain does not match its checksum/,
  ],
  [
    "a table added",
    () => backups.altered(file, (entries) => [...entries, { name: "data/more/000001", content: Buffer.from("x") }]),
    /tables that its manifest does not have \(more\)/,
  ],
  [
    "a later format",
    () => backups.altered(file, (all) => withManifest(all, (old) => ({ ...old, format: 2, version: "9.0" }))),
    /it is of format 2, .*version 9\.0 or later/,
  ],
  [
    "a later version",
    () =>
      backups.altered(file, (all) =>
        withManifest(all, (old) => ({ ...old, version: "9.0", migrations: [...old.migrations, "20990101000000-x"] })),
      ),
    /of a later version, 9\.0; restore it with that version/,
  ],
];

test.each(wrong)("%s is refused, and nothing is created", async (_what, make, sentence) => {
  await expect(backups.restore(await make(), empty)).rejects.toThrow(sentence);
  expect(await tableNames(empty)).toEqual([]);
});

test("whichever octet is altered, and wherever it is cut off, it is refused or says the same", async () => {
  const whole = await check(file);
  const octet = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }));
  await fc.assert(
    fc.asyncProperty(octet, async ([at, mask]) => {
      const copy = Buffer.from(bytes);
      copy.writeUInt8(copy.readUInt8(at) ^ mask, at);
      const result = await check(backups.write(copy)).catch((error: Error) => error.message);
      // The header of gzip has a time and the name of a system, which say nothing.
      if (result !== String(result)) expect(result).toEqual(whole);
      await expect(check(backups.write(bytes.subarray(0, at)))).rejects.toThrow(/cut off/);
    }),
  );
});

test("a database that has rows is left as it is", async () => {
  const target = await freshDatabase();
  await query(target, `insert into "user" (email) values ('one@example.com')`);
  const before = await contentOf(target);
  await expect(backups.restore(file, target)).rejects.toThrow(/is not empty \(rows: user 1\); nothing was restored/);
  const after = await contentOf(target);
  expect(after.user).toEqual(before.user);
  expect(after.domain).toEqual([]);
});

test("a database of another program is left as it is", async () => {
  const target = await emptyDatabase();
  await query(target, "create table theirs (id int)");
  await expect(backups.restore(file, target)).rejects.toThrow(/is not Zonesmith's: it has other tables \(theirs\)/);
});

test("tables of a later version than the backup are left as they are", async () => {
  const target = await freshDatabase();
  const earlier = await backups.altered(file, (all) =>
    withManifest(all, (old) => ({ ...old, version: "0.1", migrations: old.migrations.slice(0, -1) })),
  );
  await expect(backups.restore(earlier, target)).rejects.toThrow(
    /has tables of a later version than the backup, 0\.1; .*into a database without tables/,
  );
});

test("rows that PostgreSQL does not store as they are in the backup are not kept", async () => {
  const target = await freshDatabase();
  await query(
    target,
    `create function alter_user() returns trigger language plpgsql as $$ begin new.email = new.email || '!'; return new; end $$;
    create trigger alter_user before insert on "user" for each row execute function alter_user()`,
  );
  await expect(backups.restore(file, target)).rejects.toThrow("The table user differs from the backup");
  expect((await contentOf(target)).user).toEqual([]);
});
