/**
 * Writes src/cli/generated/operations.d.ts: by the text of each exported `…Document` of the command line, the types of its data and its
 * variables. A command that gets an error throws; so the data have null only where the schema's description of the field says when.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { codegen } from "@graphql-codegen/core";
import * as operations from "@graphql-codegen/typescript-operations";
import { buildASTSchema, type DocumentNode, Kind, parse, visit } from "graphql";

const root = resolve(import.meta.dirname, "..");
const folder = join(root, "src/cli");
const generated = join(folder, "generated");

/** The texts of the documents, each once. */
async function documentTexts(): Promise<string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .map((file) => join(folder, file))
    .filter((file) => /^export const \w+Document\b/m.test(readFileSync(file, "utf8")));
  const modules = (await Promise.all(files.map((file) => import(file)))) as Readonly<Record<string, unknown>>[];
  const texts = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, text]) => (name.endsWith("Document") ? [String(text)] : [])),
  );
  return [...new Set(texts)];
}

/** A document whose one operation has a name. */
const named = (text: string, name: string): DocumentNode =>
  visit(parse(text), { OperationDefinition: (node) => ({ ...node, name: { kind: Kind.NAME, value: name } }) });

/** The schema as an answer without errors has it. */
const schema = visit(parse(readFileSync(join(root, "schema.graphql"), "utf8")), {
  FieldDefinition: (node) =>
    node.type.kind === Kind.NON_NULL_TYPE || /\bnull\b/i.test(node.description?.value ?? "")
      ? undefined
      : { ...node, type: { kind: Kind.NON_NULL_TYPE, type: node.type } },
});

const texts = await documentTexts();
const documents = texts.map((text, at) => ({ location: text, document: named(text, `Operation${at}`) }));
const types = await codegen({
  filename: "operations.d.ts",
  schema,
  schemaAst: buildASTSchema(schema),
  documents,
  plugins: [{ operations: {} }],
  pluginMap: { operations },
  config: {
    immutableTypes: true,
    strictScalars: true,
    scalars: { DateTime: "string", RecordType: "string", Serial: "number", UInt32: "number" },
  },
});
const members = texts.map((text, at) => {
  const type = `Operation${at}${text.startsWith("mutation") ? "Mutation" : "Query"}`;
  return `  ${JSON.stringify(text)}: { data: ${type}; variables: ${type}Variables };\n`;
});
mkdirSync(generated, { recursive: true });
writeFileSync(join(generated, "operations.d.ts"), `${types}\nexport interface Operations {\n${members.join("")}}\n`);
