/**
 * Finds the names below a name by an index. Reversed, they begin with the reversed name and a dot, so such columns have an index over
 * `reverse(column) collate "C"`. The prepared statements of nameserver/zone/zone-reader.ts write the same range with their parameters.
 */
import { type Sql, sql } from "./sql.ts";

/** The SQL condition that the name in `column` is below `name`; both are relative to the same origin. */
export function isBelow(column: Sql, name: string): Sql<boolean> {
  const reversed = sql`reverse(${name}::text)`;
  const stored = sql`reverse(${column}) collate "C"`;
  return sql`(${stored} >= ${reversed} || '.' and ${stored} < ${reversed} || '/')`;
}
