/**
 * Compares the tables of a database with those of its version: columns with their types, sequences with their bounds, and indexes and
 * constraints by name. The structure is read from PostgreSQL's catalog, which every role may read.
 */
import type { Migration } from "@mikro-orm/migrations";
import type { EntityManager, MikroORM } from "@mikro-orm/postgresql";
import { migrationTable } from "../../backup/tables.ts";
import { isMigrated, migrationsRun } from "./migrate.ts";
import { isSearchIndex } from "./search-indexes.ts";

/** A part of the structure. `is` is the type of a column, or the bounds of a sequence. */
interface Part {
  readonly kind: "table" | "column" | "sequence" | "index" | "constraint";
  /** The table of the part, or the table itself; empty for a sequence. */
  readonly table: string;
  readonly name: string;
  readonly is: string;
}

export interface Difference {
  /** The difference as text, such as `webhook does not have the column after_event_id (bigint not null)`. */
  readonly text: string;
  /** Whether rows of the one structure do not fit the other, so that a backup could not be restored. */
  readonly isOfRows: boolean;
}

/** The types that PostgreSQL lists under another name than entities do. */
const listedTypes: Readonly<Record<string, string>> = { int: "integer", timestamptz: "timestamp with time zone" };

/** The bounds of each sequence of ids (docs/decisions/0014-typed-ids.md). */
const idBounds = `from 1000000000000000 to ${Number.MAX_SAFE_INTEGER}`;

/** Thrown when the tables of an earlier version cannot be compared, since the role may not create a schema. */
export class NotCompared extends Error {}

/**
 * Returns how the tables differ from those that the migrations of the database create, in the order of the tables. Throws NotCompared when
 * an earlier version has migrated the database and the role may not create a schema.
 */
export async function tableDifferences(orm: MikroORM): Promise<readonly Difference[]> {
  const expected = (await isMigrated(orm)) ? partsOfEntities(orm) : await partsOfEarlierVersion(orm);
  return differencesBetween(await readParts(orm.em.fork()), expected);
}

export function lineOf(differences: readonly Difference[]): string {
  const shown = differences.slice(0, 10).map(({ text }) => text);
  const more = differences.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

function differencesBetween(actual: readonly Part[], expected: readonly Part[]): readonly Difference[] {
  const keyOf = ({ kind, table, name }: Part) => `${table} ${kind} ${name}`;
  const [present, wanted] = [actual, expected].map((parts) => new Map(parts.map((part) => [keyOf(part), part])));
  const hasTable = (parts: typeof present, { table }: Part) => table === "" || parts?.has(`${table} table ${table}`);
  const texts = new Map<string, string>();
  for (const [key, part] of wanted ?? []) {
    const other = present?.get(key);
    if (other === undefined) {
      if (part.kind === "table" || hasTable(present, part)) texts.set(key, missingText(part));
    } else if (other.is !== part.is) texts.set(key, `the ${nameOf(part)} is ${other.is}, not ${part.is}`);
  }
  for (const [key, part] of present ?? [])
    if (!wanted?.has(key) && part.kind !== "index" && (part.kind === "table" || hasTable(wanted, part)))
      texts.set(key, surplusText(part));
  return [...texts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, text]) => ({ text, isOfRows: !/^\S* (index|constraint) /.test(key) }));
}

const nameOf = ({ kind, table, name }: Part) => `${kind} ${kind === "column" ? `${table}.${name}` : name}`;

function missingText(part: Part): string {
  if (part.table === "" || part.kind === "table") return `the ${nameOf(part)} is missing`;
  return `${part.table} does not have the ${part.kind} ${part.name}${part.is && ` (${part.is})`}`;
}

function surplusText(part: Part): string {
  if (part.table === "" || part.kind === "table") return `the ${nameOf(part)} is not of this version`;
  return `${part.table} has a ${part.kind} ${part.name}, which is not of this version`;
}

function partsOfEntities(orm: MikroORM): readonly Part[] {
  return orm.schema
    .getTargetSchema()
    .getTables()
    .flatMap((definition): Part[] => {
      const table = definition.name;
      const part = (kind: Part["kind"], name: string, is = ""): Part => ({ kind, table, name, is });
      const columns = definition.getColumns();
      const indexes = definition.getIndexes().filter(({ expression }) => !isSearchIndex(String(expression)));
      const constraints = [
        ...definition.getChecks().map(({ name }) => name),
        ...Object.keys(definition.getForeignKeys()),
      ];
      return [
        part("table", table),
        ...columns.map(({ name, type, nullable }) =>
          part("column", name, `${listedTypes[type] ?? type}${nullable ? "" : " not null"}`),
        ),
        ...columns
          .filter(({ autoincrement }) => autoincrement)
          .map(({ name }): Part => ({ kind: "sequence", table: "", name: `${table}_${name}_seq`, is: idBounds })),
        ...indexes.map(({ keyName }) => part("index", keyName)),
        ...constraints.map((name) => part("constraint", name)),
      ];
    });
}

const momentary = "zonesmith_comparison";

/** insufficient_privilege and read_only_sql_transaction (also on a standby). */
const denials: ReadonlySet<unknown> = new Set(["42501", "25006"]);

/**
 * Returns the structure that the migrations of the database create. They are run in a schema of their own, in a transaction that is rolled
 * back. Throws NotCompared when the role may not do so.
 */
async function partsOfEarlierVersion(orm: MikroORM): Promise<readonly Part[]> {
  const run = new Set(await migrationsRun(orm.em.fork()));
  const em = orm.em.fork();
  await em.begin();
  try {
    await em.execute(`create schema ${momentary}`);
    await em.execute(`set local search_path = ${momentary}`);
    const listed = orm.config.get("migrations").migrationsList as unknown as readonly NamedMigration[];
    for (const { name, class: Class } of listed) {
      if (!run.has(name)) continue;
      const migration = new Class(orm.em.getDriver(), orm.config);
      await migration.up();
      for (const statement of migration.getQueries()) await em.execute(String(statement));
    }
    return await readParts(em);
  } catch (error) {
    const { code, message } = error as { readonly code?: unknown; readonly message: string };
    if (denials.has(code)) throw new NotCompared(message);
    throw new Error(
      `The database is that of an earlier version. Its tables cannot be compared, since the schema for the comparison could not be created (${message}). Use the earlier version for this.`,
    );
  } finally {
    await em.rollback();
  }
}

interface NamedMigration {
  readonly name: string;
  readonly class: new (...dependencies: ConstructorParameters<typeof Migration>) => Migration;
}

async function readParts(em: EntityManager): Promise<readonly Part[]> {
  const parts = await em.execute(
    `with own as (
      select c.oid, c.relname from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> '${migrationTable}'
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
    select 'table' as kind, relname as "table", relname as name, '' as is from own
    union all select 'column', o.relname, a.attname,
      format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
    from own o join pg_attribute a on a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped
    union all select 'index', o.relname, i.relname, '' from own o join pg_index x on x.indrelid = o.oid join pg_class i on i.oid = x.indexrelid
    union all select 'constraint', o.relname, t.conname, '' from own o join pg_constraint t on t.conrelid = o.oid and t.contype in ('c', 'f')
    union all select 'sequence', '', s.sequencename, format('from %s to %s', s.min_value, s.max_value) from pg_sequences s
    where s.schemaname = current_schema() and s.sequencename <> '${migrationTable}_id_seq'`,
  );
  return parts as unknown as readonly Part[];
}
