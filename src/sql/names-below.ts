/**
 * Names below a name, found by an index: reversed, they begin with that name reversed and a dot. The columns asked for have an index
 * over `reverse(column) collate "C"`. The prepared texts of serving.ts write the same range with their own parameters.
 */
import { type Expression, type RawBuilder, sql } from "kysely";

/** The SQL condition under which the name in `column` stands below `name`, which is as relative as the column's names are. */
export function isBelow(column: Expression<unknown>, name: string): RawBuilder<boolean> {
  const reversed = sql`reverse(${name}::text)`;
  return sql`(reverse(${column}) collate "C" >= ${reversed} || '.' and reverse(${column}) collate "C" < ${reversed} || '/')`;
}
