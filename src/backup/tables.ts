/**
 * The tables and sequences of a database as PostgreSQL lists them, so that a backup has every table, whichever version created it, but for
 * unlogged ones. Rows are copied in the order of the primary key, so that equal tables give equal bytes.
 *
 * COPY's binary form does not depend on settings of the session, and is the same for these types in all supported versions of PostgreSQL.
 */
import type { PoolClient } from "pg";

/** A table; its columns and its primary key are written as in SQL. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly order: readonly string[];
  readonly refersTo: readonly string[];
  readonly size: number;
}

/** The state of a sequence. If it was not used, `value` is the next value, otherwise the last. */
export interface SequenceState {
  readonly name: string;
  readonly value: number;
  readonly isUsed: boolean;
}

/** The table of the migrations that ran. A backup does not have it, since a restore runs the migrations. */
export const migrationTable = "mikro_orm_migrations";

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

export async function readTables(client: PoolClient): Promise<readonly Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, pg_table_size(c.oid) as size,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' order by a.attname collate "C") as columns,
      array(select quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
        from pg_index i cross join unnest(i.indkey) with ordinality k(attnum, at)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary order by k.at) as "order",
      array(select distinct f.relname::text from pg_constraint r join pg_class f on f.oid = r.confrelid
        where r.conrelid = c.oid and r.contype = 'f' and r.confrelid <> c.oid) as "refersTo"
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relpersistence = 'p' and c.relname <> '${migrationTable}'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname collate "C"`,
  );
  return inOrderOfLoading(rows);
}

function inOrderOfLoading(tables: readonly Table[]): readonly Table[] {
  const ordered: Table[] = [];
  let rest = tables;
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name));
    const ready = rest.filter(({ refersTo }) => !refersTo.some((name) => waiting.has(name)));
    if (ready.length === 0) throw new Error(`the tables ${[...waiting].join(", ")} refer to each other in a ring`);
    ordered.push(...ready);
    rest = rest.filter((table) => !ready.includes(table));
  }
  return ordered;
}

export const copyOutText = ({ name, columns, order }: Table) =>
  `copy (select ${columns.map(quoted).join(", ")} from ${quoted(name)} order by ${order.join(", ")}) to stdout (format binary)`;

export const copyInText = ({ name, columns }: Pick<Table, "name" | "columns">) =>
  `copy ${quoted(name)} (${columns.map(quoted).join(", ")}) from stdin (format binary)`;

export async function readSequences(client: PoolClient): Promise<readonly SequenceState[]> {
  const { rows: names } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences
    where schemaname = current_schema() and sequencename <> '${migrationTable}_id_seq' order by sequencename collate "C"`,
  );
  if (names.length === 0) return [];
  const states = names.map(
    ({ name }) => `select '${name}' as name, last_value as value, is_called as "isUsed" from ${quoted(name)}`,
  );
  return (await client.query<SequenceState>(states.join(" union all "))).rows;
}

export const setSequenceText = ({ name, value, isUsed }: SequenceState) =>
  `select setval('${quoted(name)}', ${value}, ${isUsed})`;

export async function readMigrations(client: PoolClient): Promise<readonly string[]> {
  const list = await client.query<{ isThere: boolean }>(
    `select to_regclass('${migrationTable}') is not null as "isThere"`,
  );
  if (!list.rows[0]?.isThere) return [];
  const { rows } = await client.query<{ name: string }>(`select name from ${migrationTable} order by id`);
  return rows.map(({ name }) => name);
}
