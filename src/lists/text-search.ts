/**
 * Searches for a part of a text. Searched columns have a trigram index (pg_trgm) if the database has that extension. A part without a
 * trigram is compared with every row.
 *
 * The number of matching rows decides whether an index or a walk through the list is faster. So these conditions use LIKE: PostgreSQL
 * plans statements with LIKE for their values (database/list-limit.ts).
 */
import { type Sql, sql } from "../sql/sql.ts";
import type { Selector } from "./relation.ts";

export const hasTrigram = (part: string) => /[\p{L}\p{N}]{3}/u.test(part);

export const literalPattern = (text: string) => text.replaceAll(/[\\%_]/g, "\\$&");

export function contains(text: Sql): Selector<string> {
  const { where } = containsTrigram(text);
  return {
    read: (part) => part,
    where: (part) =>
      hasTrigram(part) ? where(literalPattern(part)) : sql<boolean>`strpos(${text}, lower(${part})) > 0`,
  };
}

/** `contains` for parts with a trigram; `read` returns undefined for any other part. */
export function containsTrigram(text: Sql): Selector<string, string | undefined> {
  return {
    read: (part) => (hasTrigram(part) ? literalPattern(part) : undefined),
    where: (pattern) => sql<boolean>`${text} like '%' || lower(${pattern}) || '%'`,
  };
}

export function beginsWith(text: Sql): Selector<string> {
  return {
    read: (part) => literalPattern(part.toLowerCase()),
    where: (pattern) => sql<boolean>`${text} like ${pattern} || '%'`,
  };
}

/** Selects texts equal to a text, by LIKE without wildcards, which a trigram index serves. */
export function isLike(text: Sql): Selector<string> {
  return { read: literalPattern, where: (pattern) => sql<boolean>`${text} like ${pattern}` };
}
