/** A zone file with every notation goes in and out by the command, and BIND reads what comes out as it reads the original. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect } from "@jest/globals";
import { testWith } from "../../setup/basics/programs.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const original = resolve(import.meta.dirname, "mixed.zone");
const exported = join(temporaryFolder(), "exported.zone");
const zone = "example.com";

async function zonesmith(line: string): Promise<string> {
  const [code, stdout, stderr] = await commandLine(service).run(line);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

/** The zone as BIND writes it, sorted and in full. */
function compiled(file: string): string {
  const words = ["-q", "-i", "none", "-k", "ignore", "-s", "full", "-o", "-", zone, file];
  const { stdout, status } = spawnSync("named-compilezone", words, { encoding: "utf8" });
  expect(status).toBe(0);
  return stdout;
}

testWith("named-compilezone")(
  "BIND reads the export as the original, and importing it again changes nothing",
  async () => {
    const user = await service.user("operator@example.com");
    const imported = await zonesmith(`import ${original} --zone ${zone} --user ${user} --replace`);
    expect(imported).toMatch(/added \d+ and removed 0 records, serial 2026112107/);
    await zonesmith(`export ${zone} --output ${exported}`);
    expect(compiled(exported)).toBe(compiled(original));
    expect(await zonesmith(`import ${exported} --zone ${zone} --replace`)).toBe(`${zone}: nothing to change\n`);
  },
);
