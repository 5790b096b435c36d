/**
 * No silent break: what a client of the last released schema uses is still there. `schema.released.graphql` is the schema of the last
 * release, which a release replaces (CONTRIBUTING.md).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import {
  buildSchema,
  findBreakingChanges,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from "graphql";
import { createSchema } from "../../src/graphql/schema/schema.ts";

const released = buildSchema(readFileSync(join(import.meta.dirname, "../../schema.released.graphql"), "utf8"));
let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await createSchema();
});

const breaks = (from: GraphQLSchema, to: GraphQLSchema) =>
  findBreakingChanges(from, to).map(({ description }) => description);

test("nothing that the last release has is gone or takes less; deprecate it instead, as CONTRIBUTING.md says", () => {
  expect(breaks(released, schema)).toEqual([]);
  const before = buildSchema("type Query { zone(name: String): String serial: Int }");
  const after = buildSchema("type Query { zone(name: String!): String count: Int }");
  expect(breaks(before, after)).toEqual(["Query.serial was removed.", expect.stringContaining("Query.zone")]);
});

/** What is deprecated in a schema, with its reason. */
function deprecations(of: GraphQLSchema): [string, string][] {
  return Object.values(of.getTypeMap()).flatMap((type) => {
    const parts = isEnumType(type)
      ? type.getValues()
      : isObjectType(type) || isInputObjectType(type)
        ? Object.values(type.getFields()).flatMap((field) => [field, ...("args" in field ? field.args : [])])
        : [];
    return parts.flatMap(({ name, deprecationReason: reason }): [string, string][] =>
      typeof reason === "string" ? [[`${type.name}.${name}`, reason]] : [],
    );
  });
}

/** A deprecation says what to use, and from when on the field may be gone. */
const reasonForm = /^Use `.+`.*; removed after \d{4}-\d\d-\d\d\.$/;

test("a deprecation says what to use instead, and until when it stays", () => {
  expect(deprecations(schema).filter(([, reason]) => !reasonForm.test(reason))).toEqual([]);
  const example = buildSchema(
    'type Query { a: Int @deprecated(reason: "Use `b`; removed after 2027-06-30.") b: Int @deprecated }',
  );
  expect(deprecations(example).map(([path, reason]) => [path, reasonForm.test(reason)])).toEqual([
    ["Query.a", true],
    ["Query.b", false],
  ]);
});
