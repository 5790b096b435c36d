/** The systemd unit: valid, confined, and started with settings that the service has. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { settings } from "../../src/config/settings.ts";
import { testWith } from "../setup/basics/programs.ts";
import { temporaryFolder } from "../setup/basics/temporary-folder.ts";
import { run } from "../setup/process/command.ts";

const path = resolve(import.meta.dirname, "../../deploy/zonesmith.service");
const unit = readFileSync(path, "utf8");
const folder = temporaryFolder();

/** What systemd-analyze says of the unit, a line for each fault; it exits with 0 also when it ignores a line. */
function faults(text: string): string[] {
  const here = join(folder, "zonesmith.service");
  writeFileSync(here, text);
  const { stderr } = spawnSync("systemd-analyze", ["verify", here], { encoding: "utf8" });
  return stderr.split("\n").filter((line) => line.includes("zonesmith.service"));
}

testWith("systemd-analyze")("systemd-analyze verifies it, and sees a wrong line", () => {
  // The program must be there; the package is installed elsewhere on this machine.
  const installed = unit.replace("/opt/zonesmith/bin/zonesmith", process.execPath);
  expect(faults(installed)).toEqual([]);
  expect(faults(installed.replace("Type=exec", "Type=none"))).toEqual([expect.stringContaining("none")]);
});

testWith("systemd-analyze")("its exposure is low: 1.5 of 10 at most", async () => {
  await run("systemd-analyze", ["security", "--offline=true", "--threshold=15", path]);
  await expect(run("systemd-analyze", ["security", "--offline=true", "--threshold=5", path])).rejects.toThrow();
});

test("sets only what the service reads", () => {
  const names = [...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = ""]) => name);
  expect(names).toEqual(["DATA_DIR"]);
  expect(names.filter((name) => !(name in settings))).toEqual([]);
});
