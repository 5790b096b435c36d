/** Documents are kept from the second time on, as many as have 300,000 characters together. */
import { beforeEach, expect, jest, test } from "@jest/globals";
import { buildSchema } from "graphql";
import { pino } from "pino";
import { Documents } from "../../../src/graphql/documents.ts";
import type { OperationPlans } from "../../../src/graphql/operation.ts";
import type { Actor } from "../../../src/session/authorization.ts";

const makePlans = jest.fn(() => ({ ready: () => ({ run: async () => "planned", isSearch: false }) }) as OperationPlans);
const schema = buildSchema("type Query { a(first: Int): Int b: Int } type Mutation { c: Int }");
const actor: Actor = { role: "administrator", userId: null, readOnly: false, name: "a" };
let documents: Documents;
beforeEach(() => {
  makePlans.mockClear();
  documents = new Documents({ schema, log: pino({ level: "silent" }), makePlans });
});

const answer = (query: string, operationName?: string, variables = {}, mayWrite = true) =>
  documents.answer({ query, operationName, variables, mayWrite }, actor);

/** Sends a text as often as it takes to be kept. */
const keep = (query: string) => [documents.read(query), documents.read(query)];
const isKept = (query: string) => answer(query)?.plan !== undefined;

test("a text that is seen once has no plan, nor stays", () => {
  documents.read("{ a }");
  expect(isKept("{ a }")).toBe(false);
  documents.read("{ a }");
  expect(isKept("{ a }")).toBe(true);
  expect(documents.read("{ a }")).toBe(documents.read("{ a }"));
  for (let n = 0; n < 3000; n += 1) documents.read(`{ a(first: ${n}) }`);
  expect(isKept("{ a }")).toBe(true);
  expect(makePlans).toHaveBeenCalledTimes(1);
});

test("texts of 300,000 characters are kept, the one that was used longest ago gives way", () => {
  const texts = Array.from({ length: 11 }, (_, n) => `{ a(first: ${n}) } #`.padEnd(29_000, "x"));
  for (const text of texts.slice(0, 10)) keep(text);
  expect(texts.slice(0, 10).map(isKept)).not.toContain(false);
  expect(isKept(texts[0] as string)).toBe(true);
  keep(texts[10] as string);
  expect(texts.map(isKept)).toEqual(texts.map((_, n) => n !== 1));
});

test("a text of more than 30,000 characters is never kept", () => {
  const text = `{ a } #${"x".repeat(30_000)}`;
  keep(text);
  keep(text);
  expect(isKept(text)).toBe(false);
});

test("an operation is found by its name, or alone; a mutation not by GET, a subscription never", () => {
  const several = "query A { a } query B { b } mutation C { c }";
  keep(several);
  expect(answer(several, "B")?.note).toEqual({ operation: "B", endpoint: "b" });
  expect(answer(several)).toBeUndefined();
  expect(answer(several, "D")).toBeUndefined();
  expect(answer(several, "C")?.plan).toBeUndefined();
  expect(answer(several, "C")?.note).toEqual({ operation: "C", endpoint: "c" });
  expect(answer(several, "C", {}, false)).toBeUndefined();
});

test("variables that the schema refuses have no answer", () => {
  const text = "query ($n: Int) { a(first: $n) }";
  keep(text);
  expect(answer(text, undefined, { n: "1" })).toBeUndefined();
  expect(answer(text, undefined, { n: 1 })).toBeDefined();
});

test("a document that is not valid throws each time", () => {
  for (const text of ["{ nothing }", "{", "{ nothing }"]) expect(() => documents.read(text)).toThrow();
});
