/**
 * No silent break outside GraphQL: settings, codes, metrics, webhook events and REST have all that the last release had.
 * released-names.txt has a line for each, which `npm run schema:release` writes. What goes for good (docs/stability.md) takes
 * its line with it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { exitCodes } from "../../src/cli/service/failure.ts";
import { settings } from "../../src/config/settings.ts";
import { codes } from "../../src/error-codes.ts";
import { metrics } from "../../src/metrics/table.ts";
import { eventKinds } from "../../src/outbox/event-kinds.ts";
import { openApiDocument } from "../../src/rest/openapi.ts";
import { routes } from "../../src/rest/routes.ts";

const listFile = join(import.meta.dirname, "released-names.txt");

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object };
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: object;
}

/** The names within JSON schemas. */
const propertiesIn = (schema: unknown): readonly string[] =>
  typeof schema === "object" && schema !== null
    ? Object.entries(schema).flatMap(([key, value]) => [
        ...(key === "properties" ? Object.keys(value) : []),
        ...propertiesIn(value),
      ])
    : [];

function restLines(): readonly string[] {
  const { paths, components } = openApiDocument(routes, "") as unknown as OpenApi;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) =>
      line(`${method} ${path}`, [...parameters.map(({ name }) => name), ...propertiesIn(requestBody)]),
    ),
  );
  const answers = Object.entries(components.schemas).map(([name, schema]) =>
    line(`answer ${name}`, propertiesIn(schema)),
  );
  return [...operations, ...answers];
}

const line = (name: string, parts: readonly string[]) => [`${name}:`, ...new Set(parts)].join(" ");

const present = [
  ...Object.keys(settings).map((name) => line(`setting ${name}`, [])),
  ...Object.entries(exitCodes).map(([name, code]) => line(`exit code ${code}`, [name])),
  ...Object.entries(codes).map(([name, { status, rcode }]) => line(`error ${name}`, [String(status), rcode])),
  ...Object.entries(metrics).map(([name, { type, labels }]) => line(`metric ${name}`, [type, ...labels])),
  ...Object.entries(eventKinds).map(([name, { data }]) => line(`event ${name}`, data.match(/\w+(?=`)/g) ?? [])),
  ...restLines(),
];

/** The names of lines, alone and with each of their parts. */
const namesIn = (lines: readonly string[]) =>
  lines.flatMap((each) => {
    const [name = "", parts = ""] = each.split(":");
    return [name, ...(parts.match(/\S+/g) ?? []).map((part) => `${name}: ${part}`)];
  });

function gone(released: readonly string[], now: readonly string[]): readonly string[] {
  const kept = new Set(namesIn(now));
  return namesIn(released).filter((name) => !kept.has(name));
}

test("what the last release names is still there; else keep it, and deprecate it as docs/stability.md says", () => {
  if (process.env.RELEASE_NAMES) writeFileSync(listFile, present.map((each) => `${each}\n`).join(""));
  expect(gone(readFileSync(listFile, "utf8").trimEnd().split("\n"), present)).toEqual([]);
});

test("a name or a part that is gone is seen, and an addition is not", () => {
  const released = ["setting A:", "setting B:", "get /a: limit cursor"];
  expect(gone(released, ["setting A:", "setting C:", "get /a: cursor zone"])).toEqual(["setting B", "get /a: limit"]);
});
