/**
 * A frontend's way in: typed documents made from schema.graphql, type-checked with the code that uses them, and run.
 */
import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { generate } from "@graphql-codegen/cli";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { adminKey, testService } from "../setup/service/service.ts";

const service = testService();
const root = join(import.meta.dirname, "../..");
const folder = join(import.meta.dirname, "generated");

const consumer = `import { graphql } from "./typed/gql.ts";
import type { TypedDocumentString } from "./typed/graphql.ts";

const zoneQuery = graphql(\`
  query Zone($zone: String!, $first: Int!) {
    domain(by: { zone: $zone }) {
      id serial createdAt
      user { email domains { totalCount } }
      records(first: $first) { nodes { id owner type ttl rdata domain { zone } } pageInfo { hasNextPage endCursor } }
      changes(first: 1) { nodes { kind previousSerial serial } }
    }
  }
\`);

const addRecord = graphql(\`
  mutation AddRecord($input: CreateRecordInput!) {
    createRecord(input: $input) { record { id owner type ttl rdata } change { serial } warnings }
  }
\`);

async function run<Result, Variables>(url: string, key: string, document: TypedDocumentString<Result, Variables>, variables: Variables): Promise<Result> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-API-Key": key },
    body: JSON.stringify({ query: document.toString(), variables }),
  });
  const { data, errors } = (await response.json()) as { data: Result; errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
  return data;
}

export async function use(url: string, key: string, zone: string) {
  const { createRecord } = await run(url, key, addRecord, { input: { zone, owner: "mail", type: "A", rdata: "192.0.2.25" } });
  const serial: number | undefined = createRecord?.change.serial;
  const { domain } = await run(url, key, zoneQuery, { zone, first: 10 });
  const email: string | undefined = domain?.user?.email;
  const owners: string[] = domain?.records?.nodes.map((record) => record.owner) ?? [];
  const made: string | undefined = domain?.createdAt;
  // @ts-expect-error: a field that was not asked for is not there
  domain?.records?.totalCount;
  // @ts-expect-error: a variable of another type is refused
  const refused = () => run(url, key, zoneQuery, { zone: 1, first: 10 });
  return { serial, email, owners, made, kind: domain?.changes?.nodes[0]?.kind, refused: typeof refused };
}
`;

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "consumer.ts"), consumer);
  await generate(
    {
      schema: join(root, "schema.graphql"),
      documents: join(folder, "consumer.ts"),
      generates: {
        [`${folder}/typed/`]: {
          preset: "client",
          presetConfig: { fragmentMasking: false },
          config: {
            documentMode: "string",
            enumsAsTypes: true,
            useTypeImports: true,
            strictScalars: true,
            scalars: { DateTime: "string", RecordType: "string", Serial: "number" },
          },
        },
      },
      silent: true,
      emitLegacyCommonJSImports: false,
      importExtension: ".ts",
    },
    true,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("typed documents from schema.graphql fit the code that uses them", async () => {
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2024", "--lib", "es2024,dom"];
  const modules = [
    "--module",
    "nodenext",
    "--moduleResolution",
    "nodenext",
    "--allowImportingTsExtensions",
    "--ignoreConfig",
  ];
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const run = promisify(execFile)(process.execPath, [tsc, ...options, ...modules, join(folder, "consumer.ts")]);
  await expect(run.catch((error) => error.stdout)).resolves.toMatchObject({ stdout: "" });
});

test("typed documents run against the service", async () => {
  const zone = "frontend.example.com";
  await service.domain(zone, await service.user("frontend@example.com"));
  const path = join(folder, "consumer.ts");
  const { use } = (await import(path)) as { use(url: string, key: string, zone: string): Promise<unknown> };
  const { serial } = (await service.data(`{ domain(by: { zone: "${zone}" }) { serial } }`)).domain;
  expect(await use(`${service.url}/graphql`, adminKey, zone)).toEqual({
    serial: serial + 1,
    email: "frontend@example.com",
    owners: ["@", "@", "@", "mail", "www"],
    made: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    kind: "EDIT",
    refused: "function",
  });
});
