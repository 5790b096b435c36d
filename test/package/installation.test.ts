/** What `npm ci` needs and leaves: no warning on the Node that `engines` names, and nothing that only development needs at run time. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "@jest/globals";
import { admitsNode20, warnedOf } from "../../deploy/lock-engines.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));

test("no package makes npm warn of the Node that engines names; if one does: npm run lock", () => {
  expect(read("package.json").engines.node).toBe(">=20.19.0");
  expect(warnedOf(read("package-lock.json").packages)).toEqual([]);
});

test.each([
  [">= 22.17.0", false],
  ["^22.14.0 || >=24.0.0", false],
  ["^20.19.0 || ^22.12.0 || >=23", true],
  [">=20", true],
  ["18 || 20 || >=22", true],
  ["*", true],
])("the range %s admits Node 20: %p", (range, admits) => {
  expect(admitsNode20(range)).toBe(admits);
});

test("the scripts of an installation without what development needs do not look for it", () => {
  const { prepare, prestart } = read("package.json").scripts;
  for (const script of [prepare, prestart])
    expect(script).toContain("[ ! -x node_modules/.bin/tsc ] || node --run build");
});

test("bin/zonesmith is the command that was built", () => {
  expect(realpathSync(join(root, "bin/zonesmith"))).toBe(join(root, read("package.json").bin.zonesmith));
  expect(existsSync(join(root, "bin/zonesmith"))).toBe(true);
});
