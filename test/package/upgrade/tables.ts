/** The structure of a database as PostgreSQL describes it, so that two databases can be compared. */
import { query } from "../../setup/database/database.ts";

/** One line for each column, constraint, index and sequence, sorted; the order of columns and the names of NOT NULL do not count. */
export async function tables(databaseUrl: string): Promise<string[]> {
  const rows = await query<{ line: string }>(
    databaseUrl,
    `select line from (
      select concat_ws(' ', 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, l.collname,
        a.attgenerated, pg_get_expr(d.adbin, d.adrelid)) as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum left join pg_collation l on l.oid = a.attcollation
      where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
      union all
      select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
      union all
      select concat_ws(' ', 'index', indexdef) from pg_indexes where schemaname = 'public'
      union all
      select concat_ws(' ', 'sequence', sequencename, start_value, min_value, max_value, increment_by, cycle) from pg_sequences
      where schemaname = 'public'
    ) x order by line collate "C"`,
  );
  return rows.map(({ line }) => line);
}
