/**
 * Migrations that have landed are never edited: databases have run them as they were. Their digests are in frozen-migrations.txt, in the form
 * of sha256sum; `npm run freeze` adds those of new ones.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { ormOptions } from "../../src/service/database/open-database.ts";

const folder = resolve(import.meta.dirname, "../../src/migrations");
const listFile = join(import.meta.dirname, "frozen-migrations.txt");

/** Digests, hexadecimal SHA-256, by file. */
type Digests = ReadonlyMap<string, string>;

/** The digests of a list; of lines that are none, as a merge leaves them, it takes no notice. */
const digestsIn = (list: string): Digests =>
  new Map([...list.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, digest = "", file = ""]) => [file, digest]));

const present: Digests = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => [
      file,
      createHash("sha256")
        .update(readFileSync(join(folder, file)))
        .digest("hex"),
    ]),
);

/** What is wrong with migrations, a line for each. */
function faults(frozen: Digests, files: Digests): string[] {
  const edited = [...frozen]
    .filter(([file, digest]) => files.get(file) !== digest)
    .map(([file]) => `${file} has landed, and was edited or removed since: undo that, and write a new migration`);
  const unfrozen = [...files.keys()]
    .filter((file) => !frozen.has(file))
    .map((file) => `${file} is not frozen: npm run freeze, once it has landed`);
  return [...edited, ...unfrozen];
}

test("migrations that have landed are as they were; else: npm run freeze adds new ones", () => {
  const frozen = digestsIn(readFileSync(listFile, "utf8"));
  const all = new Map([...present, ...frozen]);
  const lines = [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([file, digest]) => `${digest}  ${file}\n`);
  if (process.env.FREEZE_MIGRATIONS) writeFileSync(listFile, lines.join(""));
  expect(faults(process.env.FREEZE_MIGRATIONS ? all : frozen, present)).toEqual([]);
});

test("a migration that was edited, removed or added is seen", () => {
  const [before, now] = [digestsIn(`${"a".repeat(64)}  1-a.ts\n<<<<<<< HEAD\n${"b".repeat(64)}  2-b.ts\n`), new Map()];
  now.set("1-a.ts", "c".repeat(64)).set("3-c.ts", "d".repeat(64));
  expect(faults(before, now).map((line) => line.split(":")[0])).toEqual([
    "1-a.ts has landed, and was edited or removed since",
    "2-b.ts has landed, and was edited or removed since",
    "3-c.ts is not frozen",
  ]);
});

test("every migration is in the list that is run, once, and is made of nothing that another file could change", () => {
  const run = ormOptions({ url: "postgresql://localhost/none" }).migrations?.migrationsList ?? [];
  const names = run.map((each) => ("name" in each ? each.name : ""));
  expect(names.toSorted()).toEqual([...present.keys()].map((file) => file.replace(/\.ts$/, "")).toSorted());
  const imported = [...present.keys()].flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from),
  );
  expect([...new Set(imported)]).toEqual(["@mikro-orm/migrations"]);
});
