/**
 * Searches for a part of a text. Columns that are searched have a trigram index (pg_trgm) where the database has that
 * extension; a part without a trigram, which no index finds, is compared with every row.
 *
 * Whether an index or a walk through the list in its order is faster depends on how many rows match. So these conditions
 * are written with LIKE, by which statements are known that PostgreSQL plans for their values (service/database.ts).
 */
import { type Expression, type RawBuilder, sql } from "kysely";

/** Whether some trigram is in every text that contains `part`: three letters or digits in a row. */
export const hasTrigram = (part: string) => /[\p{L}\p{N}]{3}/u.test(part);

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, "\\$&");

/** The SQL condition that a text in lower case contains `part` in any letter case. */
export function contains(text: Expression<unknown>, part: string): RawBuilder<boolean> {
  if (!hasTrigram(part)) return sql<boolean>`strpos(${text}, lower(${part})) > 0`;
  return sql<boolean>`${text} like '%' || lower(${escaped(part)}) || '%'`;
}

/** The SQL condition that a text in lower case begins with `part` in any letter case. */
export function beginsWith(text: Expression<unknown>, part: string): RawBuilder<boolean> {
  return sql<boolean>`${text} like lower(${escaped(part)}) || '%'`;
}

/** The SQL condition that a text is `whole`, for a column with a trigram index and no other. */
export function is(text: Expression<unknown>, whole: string): RawBuilder<boolean> {
  return sql<boolean>`${text} like ${escaped(whole)}`;
}
