/** The commands as clients: their operations are those of the schema, and they import nothing of the service. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { type GraphQLEnumType, type OperationDefinitionNode, parse, validate } from "graphql";
import { clientName, clients } from "../../../src/cli/tsig.ts";
import { rowLimit } from "../../../src/graphql/row-limit.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";

const source = resolve(import.meta.dirname, "../../../src");
const schema = await createSchema();

/** The documents in what a module exports: a text of such a name, or in a row or a list of rows. */
function documentsIn(value: unknown, name = ""): string[] {
  if (typeof value === "string") return /document$/i.test(name) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => documentsIn(each, key));
}

test("every operation of the commands is one of the schema, and within its limit of rows", async () => {
  const all = readdirSync(join(source, "cli"), { recursive: true, encoding: "utf8" });
  const files = all.filter((file) => /(?<!\.d)\.ts$/.test(file) && file !== "zonesmith.ts");
  const modules = await Promise.all(files.map((file) => import(join(source, "cli", file))));
  const documents = [...new Set(documentsIn(modules))];
  expect(documents.length).toBeGreaterThan(100);
  const checkRows = rowLimit(schema);
  const input = { filter: {}, set: { ttl: 1 }, changeSetId: "1", id: "1" };
  const wrong = documents.flatMap((text) => {
    const document = parse(text);
    const errors = validate(schema, document);
    if (errors.length === 0)
      checkRows(document, document.definitions[0] as OperationDefinitionNode, { id: "1", input, isDry: true });
    return errors.map(({ message }) => `${text}: ${message}`);
  });
  expect(wrong).toEqual([]);
});

test("the clients of tsig add are those of the schema", () => {
  const values = (schema.getType("UpdateClient") as GraphQLEnumType).getValues().map(({ name }) => name);
  expect(values.toSorted()).toEqual(clients.map(clientName).toSorted());
});

test("the commands import nothing of the service but serials, except for those that open the database", () => {
  const found = new Set<string>();
  const visit = (file: string) => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(join(source, file), "utf8");
    for (const [, path = ""] of text.matchAll(/^(?:import|export)\b[^;]*?from "(\.[^"]+)"/gm))
      visit(relative(source, resolve(source, dirname(file), path)));
  };
  visit("cli/zonesmith.ts");
  expect([...found].filter((file) => !file.startsWith("cli/")).toSorted()).toEqual([
    "dns/malformed.ts",
    "dns/serial.ts",
    "error-codes.ts",
    "net/listening-address.ts",
    "time.ts",
    "version.ts",
  ]);
  for (const file of ["cli/serve.ts", "cli/backup.ts"]) expect(found).not.toContain(file);
});
