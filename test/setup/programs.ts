/**
 * Tests that need a program of another package: skipped for all to see where it is missing, and failed in CI, which installs it.
 */
import { spawnSync } from "node:child_process";
import { test } from "@jest/globals";

/** Whether every one of these programs is on the PATH. */
export function has(...programs: string[]): boolean {
  return programs.every((program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0);
}

/** `test` for tests that need these programs. */
export function testWith(...programs: string[]): typeof test | typeof test.skip {
  return has(...programs) || process.env.CI ? test : test.skip;
}
