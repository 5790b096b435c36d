/**
 * The limit of rows for documents that were admitted before: it is counted once for variables that are the same to it, and a page size or
 * a longer list that passes the limit is refused although smaller ones were not.
 */
import { expect, test } from "@jest/globals";
import { type OperationDefinitionNode, parse } from "graphql";
import { rowsKey } from "../../../../src/graphql/row-limit.ts";
import { createSchema } from "../../../../src/graphql/schema/schema.ts";

const schema = await createSchema();

const keyOf = (text: string) => {
  const document = parse(text);
  return rowsKey(schema, document, document.definitions[0] as OperationDefinitionNode);
};

test.each([
  [
    { n: 2, m: 3 },
    { n: 3, m: 2 },
  ],
  [{ n: 2 }, { n: 2, m: null }],
  [
    { n: 2, m: 3, f: { types: ["A"] } },
    { n: 2, m: 3, f: { types: ["A", "MX"] } },
  ],
])("%j and %j are counted apart", (one, other) => {
  const key = keyOf(
    "query ($n: Int, $m: Int, $f: RecordFilter) { domains(first: $n) { nodes { records(last: $m) { nodes { id } } } } records(filter: $f) { nodes { id } } }",
  );
  expect(key(one)).not.toBe(key(other));
});

test("what does not say how many rows there are makes no difference", () => {
  const key = keyOf(
    "query ($n: Int, $z: String, $f: RecordFilter) { domain(by: { zone: $z }) { records(first: $n) { nodes { id } } } records(filter: $f) { nodes { id } } }",
  );
  expect(key({ n: 2, z: "a.example", f: { zone: "a", types: ["A"] } })).toBe(
    key({ n: 2, z: "b.example", f: { zone: "b", types: ["MX"] } }),
  );
});
