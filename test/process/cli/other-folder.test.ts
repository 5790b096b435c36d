/**
 * The command in a folder that is not that of its checkout: it finds the data of the checkout, and makes no second installation unasked.
 */
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { freePort } from "../../setup/basics/free-port.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { project } from "../../setup/process/embedded-postgres.ts";
import { runToEnd, type ServiceProcess, zonesmith } from "../../setup/process/process.ts";

const [checkout, elsewhere] = [join(temporaryFolder(), "checkout"), temporaryFolder()];
const command = join(checkout, "dist/src/cli/zonesmith.js");
const typed = (line: string) => runToEnd(line.split(" "), {}, { command, cwd: elsewhere });
let service: ServiceProcess;

beforeAll(async () => {
  mkdirSync(checkout);
  cpSync(join(project, "dist/src"), join(checkout, "dist/src"), { recursive: true });
  symlinkSync(join(project, "node_modules"), join(checkout, "node_modules"));
  writeFileSync(join(checkout, "package.json"), JSON.stringify({ type: "module", version: "0.0.0" }));
  service = zonesmith(
    ["serve"],
    { DATA_DIR: "data", HTTP_PORT: "0", DNS_PORT: String(await freePort()), LOG_LEVEL: "error" },
    { command, cwd: checkout },
  );
  await service.answersAt();
});
afterAll(async () => {
  service.child.kill("SIGTERM");
  await service.ended();
});

test("serve says that the service of the checkout runs, before it makes a second installation", async () => {
  const line = new RegExp(
    `^zonesmith: The service of ${checkout} runs already, at http://127\\.0\\.0\\.1:\\d+ with its data in ${checkout}/data; ` +
      `${elsewhere}/data holds none\\. .*DATA_DIR=.*HTTP_PORT.*DNS_PORT`,
  );
  expect(await typed("serve")).toEqual([1, "", expect.stringMatching(line)]);
  expect(existsSync(join(elsewhere, "data"))).toBe(false);
});

test("doctor, backup and keys recover find the data of the checkout, while its service runs and while it does not", async () => {
  const [code, findings] = await typed("doctor");
  expect([code, findings.replaceAll(/^(OK|NOTE) .*\n(.* To do: .*\n)?/gm, "")]).toEqual([
    0,
    expect.stringMatching(/^\n/),
  ]);
  const found = async () => {
    expect((await typed("backup backup.tar.gz")).slice(0, 1)).toEqual([0]);
    expect(await typed("keys recover")).toEqual([0, expect.stringMatching(/^zs_/), ""]);
    expect(existsSync(join(elsewhere, "data"))).toBe(false);
  };
  await found();
  service.child.kill("SIGTERM");
  await service.ended();
  await found();
});
