/**
 * A column is named once: by a property of its entity. SQL outside of the migrations refers to that (src/sql/columns.ts), so that a
 * renamed column does not compile or does not start. Names of several words are looked for: others are words of English too.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { MikroORM } from "@mikro-orm/postgresql";
import { ormOptions } from "../../src/service/database/open-database.ts";
import { readSource, sourceFiles } from "./imports.ts";

test("only the template of SQL hands statements to Kysely", () => {
  expect(sourceFiles.filter((file) => readSource(file).includes('from "kysely"'))).toEqual(["sql/sql.ts"]);
});

/** Where words that are also names of columns may be written, and why; none of it is SQL for our tables now. */
const exceptions: Readonly<Record<string, string>> = {
  "migrations/": "A migration is SQL for the tables as they were when it was written, and is never edited.",
  "rest/": "The fields of REST have names of their own, such as user_id, which clients know.",
  "service/http-fronts.ts": "The same fields of REST, where zone files are routed.",
  "service/announcement.ts": "Commands to paste, for REST.",
  "outbox/event-kinds.ts": "Names of events, such as change_set.applied, which receivers of webhooks know.",
  "cli/": "The command line is a client of REST.",
  "account/update-clients.ts": "Configurations of other programs.",
  "secondary/stanza-texts.ts": "One configuration is a statement for the database of PowerDNS.",
};

let names: ReadonlySet<string>;

beforeAll(async () => {
  const orm = await MikroORM.init(ormOptions({ url: "postgresql://localhost/none" }));
  const entities = [...orm.getMetadata().getAll().values()];
  const columns = entities.flatMap(({ properties }) =>
    Object.values(properties).flatMap(({ fieldNames }) => fieldNames),
  );
  names = new Set([...entities.map(({ tableName }) => tableName), ...columns].filter((name) => name.includes("_")));
  await orm.close(true);
});

/** The names of tables and columns in the code of a file, apart from where its entities declare them. */
function writtenNames(text: string): string[] {
  const code = text
    .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g, "")
    .replace(/^@(Entity|Index|Unique|Check)\((.*\)|[\s\S]*?^\}\))$/gm, "")
    .replace(/\bfieldName: "\w+"/g, "");
  return [...code.matchAll(/\b[a-z]+(_[a-z]+)+\b/g)].map(([name]) => name).filter((name) => names.has(name));
}

test("tables and columns are named by their entities alone", () => {
  const excepted = (file: string) => Object.keys(exceptions).some((folder) => file.startsWith(folder));
  const files = sourceFiles.filter((file) => !excepted(file));
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => writtenNames(readSource(file)).map((name) => `${file}: ${name}`))).toEqual([]);
});

test("a name that is written by hand is seen, and a declaration, a comment and another word are not", () => {
  expect(names.size).toBeGreaterThan(30);
  expect(writtenNames("sql`select user_id, d.created_at as created from zone_record r`;")).toEqual([
    "user_id",
    "created_at",
    "zone_record",
  ]);
  expect(writtenNames('const previous = `"previous_serial"`;')).toEqual(["previous_serial"]);
  const entity = `/** By user_id. */
@Entity({ tableName: "zone_record" })
@Index({
  name: "zone_record_below_index",
  expression: 'create index "zone_record_below_index" on "zone_record" ("domain_id", reverse("owner") collate "C")',
})
export class ZoneRecord {
  @ManyToOne(() => Domain, { fieldName: "domain_id" }) // not domain_id
  domain!: Domain;
}
const name = "record_in_words";`;
  expect(writtenNames(entity)).toEqual([]);
  expect(writtenNames(`${entity}\nconst sql = "domain_id";`)).toEqual(["domain_id"]);
});

test("each exception is needed", () => {
  const writes = (folder: string) => (file: string) =>
    file.startsWith(folder) && writtenNames(readSource(file)).length > 0;
  expect(Object.keys(exceptions).filter((folder) => !sourceFiles.some(writes(folder)))).toEqual([]);
});
