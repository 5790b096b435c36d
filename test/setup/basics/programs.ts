/**
 * Tests that need more than Node: skipped where it is missing, which the end of the run says. In CI, which installs every program, they fail.
 */
import { accessSync, appendFileSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "@jest/globals";

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Whether the tests of these programs run. */
export function has(...programs: string[]): boolean {
  return process.env.CI !== undefined || programs.every(isOnPath);
}

export function testWith(...programs: string[]): typeof test | typeof test.skip {
  return has(...programs) ? test : skipped(...programs.filter((program) => !isOnPath(program)));
}

/** `test` for tests that need something else, such as a Python module; `what` names it. */
export function testIf(isThere: boolean, what: string): typeof test | typeof test.skip {
  return isThere ? test : skipped(what);
}

function skipped(...missing: string[]): typeof test.skip {
  const { testPath } = expect.getState();
  appendFileSync(join(process.env.TEST_RUN_FOLDER as string, "missing"), `${JSON.stringify({ testPath, missing })}\n`);
  return test.skip;
}
