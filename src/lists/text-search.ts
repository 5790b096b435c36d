/**
 * Searches for a part of a text. Columns that are searched have a trigram index (pg_trgm) where the database has that
 * extension; a part without a trigram, which no index finds, is compared with every row.
 *
 * Whether an index or a walk through the list in its order is faster depends on how many rows match. So these conditions
 * are written with LIKE, by which statements are known that PostgreSQL plans for their values (service/database.ts).
 */
import { type Sql, sql } from "../sql/sql.ts";
import type { Selector } from "./relation.ts";

/** Whether some trigram is in every text that contains `part`: three letters or digits in a row. */
export const hasTrigram = (part: string) => /[\p{L}\p{N}]{3}/u.test(part);

/** A pattern of LIKE that stands for this text. */
export const literalPattern = (text: string) => text.replaceAll(/[\\%_]/g, "\\$&");

/** Selects texts in lower case that contain a part in any letter case. */
export function contains(text: Sql): Selector<string> {
  const { where } = containsTrigram(text);
  return {
    read: (part) => part,
    where: (part) =>
      hasTrigram(part) ? where(literalPattern(part)) : sql<boolean>`strpos(${text}, lower(${part})) > 0`,
  };
}

/** The same for parts with a trigram; any other is read as undefined. */
export function containsTrigram(text: Sql): Selector<string, string | undefined> {
  return {
    read: (part) => (hasTrigram(part) ? literalPattern(part) : undefined),
    where: (pattern) => sql<boolean>`${text} like '%' || lower(${pattern}) || '%'`,
  };
}

/** Selects texts in lower case that begin with a text in any letter case. */
export function beginsWith(text: Sql): Selector<string> {
  return {
    read: (part) => literalPattern(part.toLowerCase()),
    where: (pattern) => sql<boolean>`${text} like ${pattern} || '%'`,
  };
}

/** Selects texts that are equal to one, as a pattern without wildcards: an index of trigrams serves that too. */
export function isLike(text: Sql): Selector<string> {
  return { read: literalPattern, where: (pattern) => sql<boolean>`${text} like ${pattern}` };
}
