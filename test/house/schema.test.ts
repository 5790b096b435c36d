/** The schema is the frontend's manual: what is checked in is what the code says, all of it is described, and names follow one form. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
} from "graphql";
import { createSchema, schemaText } from "../../src/graphql/schema/schema.ts";

let schema: GraphQLSchema;
let types: GraphQLNamedType[];
beforeAll(async () => {
  schema = await createSchema();
  types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
});

/** A part of the schema that a reader meets. */
interface Part {
  readonly path: string;
  readonly name: string;
  readonly kind: "type" | "enum value" | "field" | "argument";
  readonly description: string | null | undefined;
}

function parts(): Part[] {
  return types.flatMap((type): Part[] => {
    const self: Part = { path: type.name, name: type.name, kind: "type", description: type.description };
    const part = (kind: Part["kind"], of: string, { name, description }: Pick<Part, "name" | "description">): Part => ({
      path: `${of}.${name}`,
      name,
      kind,
      description,
    });
    if (isEnumType(type)) return [self, ...type.getValues().map((value) => part("enum value", type.name, value))];
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [self];
    const inside = Object.values<GraphQLField<unknown, unknown> | GraphQLInputField>(type.getFields()).flatMap(
      (field) => [
        part("field", type.name, field),
        ...("args" in field ? field.args : []).map(({ name, description, type: of }) =>
          // The input of a mutation is described by its type.
          part("argument", `${type.name}.${field.name}`, {
            name,
            description: description ?? getNamedType(of).description,
          }),
        ),
      ],
    );
    return [self, ...inside];
  });
}

test("schema.graphql is what the code says; `npm run schema` writes it anew", () => {
  const checkedIn = readFileSync(join(import.meta.dirname, "../../schema.graphql"), "utf8");
  if (checkedIn === schemaText(schema)) return;
  throw new Error("schema.graphql is not what the code says any more; write it anew with: npm run schema");
});

test("every type, field, argument and enum value is described in a sentence of its own", () => {
  const undescribed = parts().filter(({ description }) => !/^(\p{L}|\d|`).{3,}[.…]$/su.test(description ?? ""));
  expect(undescribed.map(({ path, description }) => `${path}: ${description}`)).toEqual([]);
});

test("names are written in one way", () => {
  const forms: Record<Part["kind"], RegExp> = {
    type: /^[A-Z][a-zA-Z0-9]*$/,
    field: /^[a-z][a-zA-Z0-9]*$/,
    argument: /^[a-z][a-zA-Z0-9]*$/,
    "enum value": /^[A-Z][A-Z0-9_]*$/,
  };
  expect(parts().filter(({ kind, name }) => !forms[kind].test(name))).toEqual([]);
});

test("a mutation is a verb and a noun with one input and one payload, of its name unless others share them", () => {
  const verbs =
    /^(check|create|update|delete|change|import|transfer|revoke|resync|confirm|revert|restore|stage|restage|submit|withdraw|review|comment|cancel|apply|edit|set|schedule|unschedule|resolve|rotate|test|resend)[A-Z][a-zA-Z]+$/;
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).map(({ name, args, type }) => ({
    name,
    payload: String(type),
    inputs: args.map((argument) => `${argument.name}: ${argument.type}`),
  }));
  const uses = (of: (each: (typeof mutations)[number]) => string) => Map.groupBy(mutations, of);
  const [byPayload, byInput] = [uses(({ payload }) => payload), uses(({ inputs }) => inputs.join())];
  for (const { name, payload, inputs } of mutations) {
    expect(name).toMatch(verbs);
    const own = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    const isShared = [byPayload.get(payload), byInput.get(inputs.join())].map((users) => (users?.length ?? 0) > 1);
    expect([payload, inputs]).toEqual([
      isShared[0] ? expect.stringMatching(/^[A-Z][a-zA-Z]+Payload$/) : `${own}Payload`,
      [isShared[1] ? expect.stringMatching(/^input: [A-Z][a-zA-Z]+Input!$/) : `input: ${own}Input!`],
    ]);
  }
});

test("a list that can grow is a connection with first, after and the one form of a page", () => {
  const connections = types.filter(isObjectType).filter(({ name }) => name.endsWith("Connection"));
  expect(connections.length).toBeGreaterThan(5);
  for (const connection of connections) {
    const noun = connection.name.replace(/Connection$/, "");
    const fields = Object.values(connection.getFields()).map(({ name, type }) => `${name}: ${type}`);
    expect(fields.toSorted()).toEqual([
      `edges: [${noun}Edge!]!`,
      `nodes: [${noun}!]!`,
      "pageInfo: PageInfo!",
      "totalCount: Int",
    ]);
  }
  const asked = types.filter(isObjectType).flatMap((type) => Object.values(type.getFields()));
  for (const { name, type, args } of asked.filter((field) => getNamedType(field.type).name.endsWith("Connection"))) {
    expect([name, isNonNullType(type)]).toEqual([name, false]);
    const given = Object.fromEntries(
      args.map((argument) => [argument.name, `${argument.type} ${argument.defaultValue ?? ""}`]),
    );
    expect(given).toMatchObject({ first: "Int ", after: "String ", last: "Int ", before: "String " });
    const order = args.find((argument) => argument.name === "orderBy");
    if (order) expect(String(getNullableType(order.type))).toMatch(/^[A-Z][a-z]+Order$/);
  }
});

test("scalars are those of the design", () => {
  const scalars = Object.values(schema.getTypeMap()).filter(({ astNode, name }) => !astNode && /^[A-Z]/.test(name));
  const names = scalars.filter((type) => "specifiedByURL" in type && type.specifiedByURL).map(({ name }) => name);
  expect(names.toSorted()).toEqual(["DateTime", "RecordType", "Serial"]);
});
