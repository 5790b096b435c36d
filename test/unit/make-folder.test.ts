import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { makeFolder } from "../../src/make-folder.ts";
import { temporaryFolder } from "../setup/basics/temporary-folder.ts";

test("where none can be created the system's error is thrown, also below /proc", () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  expect(() => makeFolder(file)).toThrow("EEXIST");
  expect(() => makeFolder(join(file, "below"))).toThrow(/EEXIST|ENOTDIR/);
  expect(() => makeFolder("/proc/none/below")).toThrow("ENOENT");
});
