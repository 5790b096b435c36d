import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  getNamedType,
  isInputObjectType,
  isLeafType,
} from "graphql";
import { routes } from "../../../src/rest/routes.ts";
import fc, { runs } from "../../setup/basics/property.ts";
import { expectCalm } from "../../setup/service/refusal.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const schema = buildSchema(readFileSync(resolve(import.meta.dirname, "../../../schema.graphql"), "utf8"));
const count = runs(25);
const zone = "example.com";
let ids: string[];

beforeAll(async () => {
  // Every noun counts its ids from the same number: the first user's is also that of the administrator's key, which is not to be revoked.
  await service.user("first@example.com");
  const user = await service.user("owner@example.com");
  await service.domain(zone, user);
  ids = [user, await service.record(zone, "a", "A", "192.0.2.1"), await service.record(zone, "@", "MX", "10 mail")];
});

/** Texts that broke something, somewhere. */
const nasty = fc.constantFrom(
  ...`. .. @ * \\ \\256 " ( ; ' $1 %s % 1e3 -0 NaN 💥 ß.example.com xn--a.example`.split(" "),
  ...["__proto__", "constructor", "a@b.c", "WyJhIiwiYiIsMV0"],
  ...["", " ", "\0", "\u0085", "\u202e", "\ufeff", "\ufffd", "\ud800", "\udc00a", "\\# 0"],
  "9".repeat(400),
  "a".repeat(20_000),
);
const text = fc.oneof(nasty, fc.string({ unit: "binary" }), fc.string({ unit: "grapheme", maxLength: 300 }));
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(2 ** 31, 2 ** 53, -0),
);
/** Any JSON value, and now and then one that fits, so that a request gets past its first field. */
const value = fc.oneof(
  text,
  number,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(zone, "a", "A", "MX", "TXT", "SOA", "192.0.2.1", "10 mail", 3600, "3600", "new@example.com"),
  fc.nat(2).map((at) => ids[at] as string),
);

const someFields = (names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });

const writes = routes.filter(({ method }) => method !== "get");
test.each(writes.map(({ method, path }) => [method.toUpperCase(), path]))(
  "%s %s never fails, whatever JSON its fields hold",
  async (method, path) => {
    const request = fc.tuple(
      someFields(["zone", "owner", "rtype", "rdata", "ttl", "email", "user_id"]),
      fc.oneof(text, value),
    );
    await fc.assert(
      fc.asyncProperty(request, async ([json, id]) => {
        fc.pre(typeof id === "string" && id.isWellFormed() && id.length < 2000);
        expectCalm(await service.rest(method, path.replace(":id", encodeURIComponent(String(id))), { json }));
      }),
      { numRuns: count },
    );
  },
);

test.each(routes.filter(({ method }) => method === "get").map(({ path }) => [path]))(
  "GET %s never fails, whatever its path and query hold",
  async (path) => {
    const short = text.filter((each) => each.isWellFormed() && each.length < 1000);
    const names = ["id", "email", "zone", "name", "owner", "type", "user_id", "limit", "cursor"];
    const query = fc.record(Object.fromEntries(names.map((name) => [name, short])), { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(query, short, async (fields, id) => {
        const where = path.replace(/:\w+/, encodeURIComponent(id));
        expectCalm(await service.rest("GET", `${where}?${new URLSearchParams(fields as Record<string, string>)}`));
      }),
      { numRuns: count },
    );
  },
);

type RootField = GraphQLField<unknown, unknown>;
const rootFields = (type: "Query" | "Mutation"): [string, RootField][] =>
  Object.entries((type === "Query" ? schema.getQueryType() : schema.getMutationType())?.getFields() ?? {});

/** Values for an argument: of any form, or an object with the fields that its type has. */
function argument({ type }: GraphQLArgument): fc.Arbitrary<Json> {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return value;
  const fields = Object.entries(named.getFields()).map(([name, field]) => {
    const inner = getNamedType(field.type);
    const object = isInputObjectType(inner)
      ? fc.array(someFields(Object.keys(inner.getFields())), { maxLength: 3 })
      : value;
    return [name, fc.oneof(value, object)] as const;
  });
  return fc.oneof(
    { weight: 5, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [] }) },
    { weight: 1, arbitrary: value },
  );
}

test.each([
  ...rootFields("Query").map((field) => ["query", ...field] as const),
  ...rootFields("Mutation").map((field) => ["mutation", ...field] as const),
])("%s %s never fails, whatever its arguments hold", async (kind, name, { args, type }) => {
  const declared = args.map((arg) => `$${arg.name}: ${arg.type}`).join(", ");
  const passed = args.map((arg) => `${arg.name}: $${arg.name}`).join(", ");
  const selection = isLeafType(getNamedType(type)) ? "" : "{ __typename }";
  const list = (each: string) => (args.length > 0 ? `(${each})` : "");
  const document = `${kind} ${list(declared)} { ${name}${list(passed)} ${selection} }`;
  const variables = fc.record(Object.fromEntries(args.map((arg) => [arg.name, argument(arg)])), { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(variables, async (given) => {
      const answer = await service.graphql(document, given as Record<string, unknown>);
      expectCalm(answer);
      const codes = answer.body.errors?.map((error: Json) => error.extensions.code) ?? [];
      expect(codes.filter((code: string) => /^(INTERNAL_ERROR|UNAVAILABLE)$/.test(code))).toEqual([]);
    }),
    { numRuns: count },
  );
});
