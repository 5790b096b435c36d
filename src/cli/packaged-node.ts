/**
 * The Node that npm installed with the service. The `node` of a shell may be older than the service needs; then the
 * commands that open the database run again on this one. The others run on any version that npm does.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Whether this process runs on a Node that is older than the service needs. */
export function isOldNode(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < 22 || (major === 22 && minor < 17);
}

/** Runs the same command line on the installed Node, passes signals on, and ends with its exit code. */
export async function runOnPackagedNode(): Promise<never> {
  const node = join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin", "node");
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  return new Promise(() => child.on("exit", (code) => process.exit(code ?? 1)));
}
