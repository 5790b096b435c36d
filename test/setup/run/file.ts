/**
 * Runs a test file by jest-circus in the module system of its worker, which loads the service once and not for every file. Each file has a
 * temporary folder and databases of its own, which are removed after it; a process that is still there then fails it.
 */
import { mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { endLeft } from "./left-behind.ts";
import { nextFile } from "./modules.ts";

type Circus = (
  globalConfig: object,
  config: object,
  environment: object,
  runtime: object,
  testPath: string,
  send?: (...message: unknown[]) => void,
) => Promise<{ testExecError?: unknown; failureMessage?: string | null; numFailingTests: number }>;

const require = createRequire(import.meta.url);
const { default: circus } = require("jest-circus/runner") as { default: Circus };

export default async function run(
  ...[globalConfig, config, environment, runtime, testPath, send]: Parameters<Circus>
): ReturnType<Circus> {
  const file = nextFile();
  const before = { ...process.env };
  const folder = join(
    process.env.TEST_RUN_FOLDER as string,
    `${process.env.JEST_WORKER_ID ?? 0}-${String(file).padStart(3, "0")}`,
  );
  mkdirSync(folder);
  process.env.TMPDIR = folder;
  Object.assign(globalThis, { testEnvironment: environment });
  // What jest-circus asks of a virtual machine, done by the worker itself.
  const native = Object.assign(Object.create(runtime) as object, {
    requireInternalModule: (path: string) => {
      delete require.cache[path];
      return require(path);
    },
    setGlobalsForRuntime: (given: object) => Object.assign(environment, { given }),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path: string) => import(pathToFileURL(path).href),
  });
  try {
    const result = await circus(globalConfig, config, environment, native, testPath, send);
    if (process.env.TEST_SERVER_URL) await (await import("../database/database.ts")).dropDatabases();
    const left = await endLeft(folder);
    if (left.length > 0) {
      const message = `processes were left behind: ${left.join("; ")}`;
      Object.assign(result, {
        testExecError: { message, stack: message },
        failureMessage: `${result.failureMessage ?? ""}\n${message}\n`,
      });
    }
    return result;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}
