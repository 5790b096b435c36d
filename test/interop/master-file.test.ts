import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { testWith } from "../setup/basics/programs.ts";
import { adminKey, mutation, testService } from "../setup/service/service.ts";

const service = testService();
const command = resolve(import.meta.dirname, "../../dist/src/cli/zonesmith.js");
const original = resolve(import.meta.dirname, "mixed.zone");
const folder = mkdtempSync(join(tmpdir(), "zonesmith-oracle-"));

async function zonesmith(...args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey };
  return (await promisify(execFile)(process.execPath, [command, ...args], { env })).stdout;
}

let user = "";
let imported = "";
beforeAll(async () => {
  user = await service.user("operator@example.com");
  imported = await zonesmith("import", original, "--zone", "example.com", "--user", user, "--replace");
});

/** The zone as BIND writes it, sorted and in full. */
function compiled(file: string): string {
  const { stdout, status } = spawnSync(
    "named-compilezone",
    ["-q", "-i", "none", "-k", "ignore", "-s", "full", "-o", "-", "example.com", file],
    {
      encoding: "utf8",
    },
  );
  expect(status).toBe(0);
  return stdout;
}

testWith("named-compilezone")(
  "a zone file goes in by the command and by GraphQL, and BIND reads the export as the original",
  async () => {
    expect(imported).toMatch(/added \d+ and removed 0 records, serial 2026112107/);
    const exported = join(folder, "by-command.zone");
    await zonesmith("export", "example.com", "--output", exported);
    expect(compiled(exported)).toBe(compiled(original));

    await service.data('mutation { deleteDomain(input: { zone: "example.com" }) { deletedId } }');
    const input = {
      zone: "example.com",
      text: readFileSync(original, "utf8").replace("2026112107", "2026112109"),
      mode: "REPLACE",
      userId: user,
    };
    const { importZone } = await service.data(
      mutation("importZone", "change { serial } addedCount removedCount warnings"),
      { input },
    );
    expect(importZone).toMatchObject({ change: { serial: 2026112109 }, removedCount: 0 });
    const { domain } = await service.data('{ domain(by: { zone: "example.com" }) { zoneFile } }');
    const byGraphql = join(folder, "by-graphql.zone");
    writeFileSync(byGraphql, domain.zoneFile.replace("2026112109", "2026112107"));
    expect(compiled(byGraphql)).toBe(compiled(original));
  },
);

testWith("kzonecheck")("Knot accepts the exported zone", async () => {
  const exported = join(folder, "for-knot.zone");
  await zonesmith("export", "example.com", "--output", exported);
  const { status, stdout, stderr } = spawnSync("kzonecheck", ["-o", "example.com", exported], { encoding: "utf8" });
  expect([status, stdout + stderr]).toEqual([0, expect.not.stringContaining("error")]);
});

test("importing the export again changes nothing", async () => {
  const exported = join(folder, "again.zone");
  await zonesmith("export", "example.com", "--output", exported);
  expect(await zonesmith("import", exported, "--zone", "example.com", "--replace")).toBe(
    "example.com: nothing to change\n",
  );
});
