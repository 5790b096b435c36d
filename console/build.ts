/**
 * Builds the console into `dist/console`, and the reference of REST into `dist/reference`: types from schema.graphql
 * (console/api/generated), then the bundles, with every text compressed beside it. It hashes all that goes in and does nothing when that is as last time, so that `npm start` is quick.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { buildASTSchema, type GraphQLSchema, parse } from "graphql";
import type { InlineConfig, Plugin } from "vite";

const root = resolve(import.meta.dirname, "..");
const generated = join(import.meta.dirname, "api/generated");
const output = join(root, "dist");
const stampFile = join(output, "console.stamp");

/** The files below a folder, without what is generated. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (path === generated) return [];
      return entry.isDirectory() ? filesBelow(path) : [path];
    })
    .toSorted();
}

/** The hash of all that the build reads: the console, the schema, and the versions of the packages. */
function inputHash(): string {
  const hash = createHash("sha256");
  for (const file of [
    ...filesBelow(import.meta.dirname),
    join(root, "schema.graphql"),
    join(root, "package-lock.json"),
  ])
    hash.update(`${relative(root, file)}\0${statSync(file).size}\0`).update(readFileSync(file));
  return hash.digest("hex");
}

/** Whether the last build had the same input, and its output is there. */
function isBuilt(stamp: string): boolean {
  const outputs = [
    stampFile,
    join(output, "console/index.html"),
    join(output, "reference/index.html"),
    join(output, "graphiql/index.html"),
    join(generated, "graphql.ts"),
  ];
  return outputs.every((file) => existsSync(file)) && readFileSync(stampFile, "utf8") === stamp;
}

/** What a form finds in the code of the console, each with its file. */
const matchesOf = (form: RegExp) =>
  filesBelow(import.meta.dirname)
    .filter((file) => /\.tsx?$/.test(file) && file !== import.meta.filename)
    .flatMap((location) =>
      [...readFileSync(location, "utf8").matchAll(form)].map(([, text = ""]) => ({ location, text })),
    );

/** The operations of the console: the texts of `graphql(`…`)`, and the mutations that `act("…")` names. */
function operationsOf(schema: GraphQLSchema, acts: readonly string[]) {
  const written = matchesOf(/\bgraphql\(\s*`([^`]*)`/g);
  const named = acts.map((name) => {
    const input = schema.getMutationType()?.getFields()[name]?.args[0]?.type;
    return `mutation ${upper(name)}($input: ${input}) { ${name}(input: $input) { __typename } }`;
  });
  return [...written, ...named.map((text) => ({ location: "acts", text }))].map(({ location, text }) => ({
    location,
    rawSDL: text,
    document: parse(text),
  }));
}

const upper = (name: string) => name.replace(/^./, (first) => first.toUpperCase());

/** The documents of the mutations that `act` runs, by their names. */
const actsText = (names: readonly string[]) =>
  [
    `import * as documents from "./graphql.ts";`,
    "export const acts = {",
    ...names.map((name) => `  ${name}: documents.${upper(name)}Document,`),
    "};",
    "",
  ].join("\n");

async function generateTypes(): Promise<void> {
  const { codegen } = await import("@graphql-codegen/core");
  const { preset } = await import("@graphql-codegen/client-preset");
  const schema = parse(readFileSync(join(root, "schema.graphql"), "utf8"));
  const schemaAst = buildASTSchema(schema);
  const acts = [...new Set(matchesOf(/\bact\(\s*"(\w+)"/g).map(({ text }) => text))].toSorted();
  const files = await preset.buildGeneratesSection({
    baseOutputDir: `${generated}/`,
    presetConfig: { fragmentMasking: false },
    schema,
    schemaAst,
    documents: operationsOf(schemaAst, acts),
    plugins: [],
    pluginMap: {},
    config: {
      documentMode: "string",
      enumsAsTypes: true,
      useTypeImports: true,
      strictScalars: true,
      scalars: { DateTime: "string", RecordType: "string", Serial: "number", UInt32: "number" },
      emitLegacyCommonJSImports: false,
      importExtension: ".ts",
    },
  });
  mkdirSync(generated, { recursive: true });
  for (const file of files) writeFileSync(file.filename, await codegen(file));
  writeFileSync(join(generated, "acts.ts"), actsText(acts));
}

const digestOf = (text: string) => createHash("sha256").update(text).digest("base64url").replaceAll(/[^\w]/g, "0");

/** Puts a script before all others that runs at once: Vite bundles modules alone, and these run when the page is there. */
function startScript(file: string): Plugin {
  const source = readFileSync(file, "utf8");
  const fileName = `assets/${basename(file, ".js")}-${digestOf(source).slice(0, 8)}.js`;
  return {
    name: "start-script",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source });
    },
    transformIndexHtml: () => [{ tag: "script", attrs: { src: `/console/${fileName}` }, injectTo: "head-prepend" }],
  };
}

/** What a page is built with; `name` is the folder below dist, and the path that it is served at. */
function configOf(name: string, folder: string, outDir: string, plugins: readonly Plugin[]): InlineConfig {
  return {
    configFile: false,
    root: folder,
    base: `/${name}/`,
    logLevel: "warn",
    plugins: [...plugins],
    worker: { format: "es" },
    oxc: { jsx: { runtime: "automatic" } },
    // Without the numbers of lines the sheet compresses to less.
    css: {
      modules: {
        generateScopedName: (name, file) => `${name}-${digestOf(relative(root, file.replace(/\?.*/, ""))).slice(0, 3)}`,
      },
    },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2023",
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // One sheet: it is smaller than its parts, and its rules have one order whichever page is opened first.
      cssCodeSplit: false,
      license: { fileName: "licenses.md" },
      reportCompressedSize: false,
      // Swagger UI is one file.
      chunkSizeWarningLimit: 2000,
      // "use client" in packages is for servers that render.
      rolldownOptions: {
        onLog: (level, line, print) =>
          void (["MODULE_LEVEL_DIRECTIVE", "PLUGIN_TIMINGS"].includes(line.code ?? "") || print(level, line)),
      },
    },
  };
}

/** Builds a page into a folder of its own, and puts that where the former one was. */
async function buildPage(name: string, folder: string, plugins: readonly Plugin[] = []): Promise<void> {
  const { build } = await import("vite");
  const fresh = join(output, `${name}.${process.pid}`);
  await build(configOf(name, folder, fresh, plugins));
  await compress(fresh);
  rmSync(join(output, name), { recursive: true, force: true });
  renameSync(fresh, join(output, name));
}

const compressible = /\.(html|js|css|svg|json|md)$/;

/** Writes `.br` and `.gz` beside every text that becomes smaller by it. */
async function compress(folder: string): Promise<void> {
  const texts = filesBelow(folder).filter((file) => compressible.test(file));
  const pack = async (file: string) => {
    const text = readFileSync(file);
    // The highest quality of brotli takes a second for a megabyte.
    const quality = text.length > 500_000 ? 6 : 11;
    const packed = await Promise.all([
      promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
      promisify(gzip)(text, { level: 9 }),
    ]);
    for (const [at, suffix] of ["br", "gz"].entries()) {
      const bytes = packed[at];
      if (bytes && bytes.length < text.length) writeFileSync(`${file}.${suffix}`, bytes);
    }
  };
  await Promise.all(texts.map(pack));
}

const stamp = inputHash();
if (!isBuilt(stamp)) {
  mkdirSync(output, { recursive: true });
  rmSync(stampFile, { force: true });
  await generateTypes();
  await buildPage("reference", join(import.meta.dirname, "reference"));
  await buildPage("console", import.meta.dirname, [startScript(join(import.meta.dirname, "app/theme-start.js"))]);
  await buildPage("graphiql", join(import.meta.dirname, "graphiql"));
  writeFileSync(stampFile, stamp);
}
