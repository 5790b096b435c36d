/** SQL as templates: the text of a statement and its parameters, whatever pieces it is made of. */
import { expect, test } from "@jest/globals";
import { type Sql, sql, textOf } from "../../../src/sql/sql.ts";

const written = (piece: Sql) => [textOf(piece), piece.parameters];

test.each<[string, Sql, string, unknown[]]>([
  ["a value is a parameter", sql`select ${1}, ${"a"}`, "select $1, $2", [1, "a"]],
  [
    "undefined, null and a list are parameters",
    sql`${undefined} ${null} ${[1, 2]}`,
    "$1 $2 $3",
    [undefined, null, [1, 2]],
  ],
  ["a piece becomes a part", sql`a ${sql`b ${1}`} c ${2}`, "a b $1 c $2", [1, 2]],
  ["pieces side by side", sql`${sql`a`}${sql`${1}`}${sql`b`}`, "a$1b", [1]],
  ["a piece that is used twice", ((one) => sql`${one} or ${one}`)(sql`x = ${7}`), "x = $1 or x = $2", [7, 7]],
  ["text that is SQL", sql`select ${sql.raw("now()")}`, "select now()", []],
  ["literals", sql`${sql.lit("it's")} ${sql.lit(5)}`, "'it''s' 5", []],
  ["pieces and values in a row", sql`(${sql.join([1, sql`b`, 2])})`, "($1, b, $2)", [1, 2]],
  ["a separator", sql.join([sql`a`, sql`b = ${1}`], sql` and `), "a and b = $1", [1]],
  ["a row of none", sql`(${sql.join([])})`, "()", []],
])("%s", (_, piece, text, parameters) => {
  expect(written(piece)).toEqual([text, parameters]);
});
