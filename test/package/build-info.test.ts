/** What the build writes for `zonesmith --version`, from a checkout of git and without one. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { testWith } from "../setup/basics/programs.ts";
import { temporaryFolder } from "../setup/basics/temporary-folder.ts";
import { run, shellEnvironment } from "../setup/process/command.ts";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, "deploy"));
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "package.json"), '{ "version": "1.2.3", "type": "module" }');
  writeFileSync(join(folder, ".gitignore"), "dist/\n");
  cpSync(resolve(import.meta.dirname, "../../deploy/build-info.ts"), join(folder, "deploy/build-info.ts"));
});

async function written(environment: Record<string, string> = {}): Promise<unknown> {
  await run(process.execPath, [join(folder, "deploy/build-info.ts")], {
    env: { ...shellEnvironment(), ...environment },
  });
  return JSON.parse(readFileSync(join(folder, "dist/build-info.json"), "utf8"));
}
const git = (...args: string[]) =>
  run("git", ["-C", folder, "-c", "user.name=test", "-c", "user.email=test@example.com", ...args]);

test("the commit is unknown without a checkout, and COMMIT where the build is told", async () => {
  expect(await written()).toEqual({ version: "1.2.3", commit: "unknown" });
  expect(await written({ COMMIT: "0123456789ab" })).toEqual({ version: "1.2.3", commit: "0123456789ab" });
});

testWith("git")("in a checkout it is the present commit, marked when files differ from it", async () => {
  await git("init", "--quiet");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "first");
  const commit = (await git("rev-parse", "--short=12", "HEAD")).trim();
  expect(await written()).toEqual({ version: "1.2.3", commit });
  writeFileSync(join(folder, ".gitignore"), "dist/\ndata/\n");
  expect(await written()).toEqual({ version: "1.2.3", commit: `${commit}-dirty` });
});
