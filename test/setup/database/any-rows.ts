/** Rows in every table of a database, whichever tables there are, with values of every kind that a column can have. */
import { openPool, query } from "./database.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  /** The table and column that it refers to, as SQL. */
  readonly refersTo: string | null;
}

interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
}

const text = "ü\t\\N\\.\n\"'中😀";

/** A value of a type in SQL; `n` makes it another. What refers to a later row by number alone has a smaller one: `since` than `change_id`. */
const values: Readonly<Record<string, (n: number) => string>> = {
  xid8: (n) => `'${2 ** 40 + n}'`,
  bigint: (n) => `${1_000_000 + n}`,
  smallint: (n) => `${n + 1}`,
  integer: (n) => `${n + 1}`,
  boolean: (n) => `${n % 2 === 0}`,
  text: (n) => `'${text.replaceAll("'", "''")}${n}'`,
  uuid: (n) => `'${String(n + 100).padStart(8, "0")}-0000-4000-8000-000000000000'`,
  bytea: (n) => `'\\x00ff${String(n).padStart(6, "0")}'`,
  jsonb: (n) => `'{"b": [${n}, null, "ü\\"😀"], "a": 1.50}'`,
  "text[]": (n) => `array['${n}', '', null, 'a,"{}']`,
  date: (n) => `date '2026-01-02' + ${n}`,
  "timestamp with time zone": (n) => `timestamptz '2026-01-02 03:04:05.678901Z' + ${n} * interval '1.5 days'`,
};

/** The tables of a database but unlogged ones and the list of its migrations. */
export async function tableNames(url: string): Promise<string[]> {
  return (await query<Named>(url, tablesStatement)).map(({ name }) => name);
}

interface Named {
  readonly name: string;
}

const tablesStatement =
  "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' and relname <> 'mikro_orm_migrations' order by 1";

const columnsStatement = `
  select c.relname as name, jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null), 'isNullable', not a.attnotnull,
    'refersTo', (select format('(select %I from %s order by 1 desc limit 1)', f.attname, r.confrelid::regclass::text)
      from pg_constraint r join pg_attribute f on f.attrelid = r.confrelid and f.attnum = r.confkey[1]
      where r.contype = 'f' and r.conrelid = c.oid and r.conkey = array[a.attnum])) order by a.attname collate "C") as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and c.relname <> 'mikro_orm_migrations' group by 1 order by 1`;

/** Puts rows with all their values into every table, and where a column may be null, one without it. */
export async function fillTables(url: string): Promise<void> {
  const pool = openPool(url);
  let waiting = (await pool.query<Table>(columnsStatement)).rows;
  for (let n = 0; waiting.length > 0; n += 10) {
    const failed: Table[] = [];
    const errors: string[] = [];
    for (const table of waiting)
      for (const [at, isFull] of [true, false, true].entries())
        await pool.query(insertOf(table, n + at, isFull)).catch((error: Error) => {
          if (at > 0) return;
          failed.push(table);
          errors.push(`${table.name}: ${error.message}`);
        });
    // A table to which it refers has no row yet.
    if (failed.length === waiting.length) throw new Error(`no rows can be made: ${errors.join("; ")}`);
    waiting = failed;
  }
  await pool.end();
}

function insertOf({ name, columns }: Table, n: number, isFull: boolean): string {
  const written = columns.filter(({ isNullable }) => isFull || !isNullable);
  const valueIn = ({ refersTo, type }: Column, at: number) => {
    const value = values[type];
    if (!value) throw new Error(`write a value of ${type} for the column of ${name}`);
    return refersTo ?? value(100 * n - at);
  };
  const list = written.map((column) => `"${column.name}"`).join(", ");
  return `insert into "${name}" (${list}) values (${written.map(valueIn).join(", ")})`;
}

/** All that is in a database, as texts to compare: the rows of each table, and the next value of each sequence. */
export async function contentOf(url: string): Promise<Record<string, readonly string[]>> {
  const pool = openPool(url);
  const content: Record<string, readonly string[]> = {};
  for (const { name } of (await pool.query<Named>(tablesStatement)).rows) {
    const { rows } = await pool.query<{ row: string }>(`select to_jsonb(t)::text as row from "${name}" t order by 1`);
    content[name] = rows.map(({ row }) => row);
  }
  const sequences = "select sequencename as name from pg_sequences where sequencename not like 'mikro%' order by 1";
  for (const { name } of (await pool.query<Named>(sequences)).rows) {
    const { rows } = await pool.query<{ value: string }>(`select nextval('"${name}"')::text as value`);
    content[name] = rows.map(({ value }) => value);
  }
  await pool.end();
  return content;
}
