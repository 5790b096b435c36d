/**
 * Prepares the process for the commands that open the database. V8 flags keep its memory small. If the Node of the shell is too old, the
 * command runs on the Node that npm installed with the service. The other commands run on any Node version that npm supports.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * New objects get 32 MB instead of 128 MB. Old objects are collected once they have grown by half, instead of to four times their size
 * (bench/README.md, fairness).
 */
const flags = ["--max-semi-space-size=16", "--heap-growing-percent=50"];

/** The environment variable that marks a process as started on the installed Node by another process. */
const launched = "ZONESMITH_LAUNCHED";

/**
 * Returns if this process has the flags and a Node that is new enough; otherwise runs the same command line in a process that has. Where
 * `execve` is not available, it returns without the flags.
 */
export async function runAsService(environment: NodeJS.ProcessEnv): Promise<void> {
  if (isOldNode()) return runOnPackagedNode(environment);
  if (environment[launched] !== undefined) {
    delete environment[launched];
    endWithParent();
  }
  // `execve` keeps the process id. It is missing on Windows, and cannot be used where Node may not start processes.
  if (!flags.every((flag) => process.execArgv.includes(flag)) && process.permission?.has("child") !== false)
    process.execve?.(process.execPath, [process.argv0, ...commandLine()]);
}

/** The flags of an operator follow ours and take precedence. */
const commandLine = () => [...flags, ...process.execArgv, ...process.argv.slice(1)];

/** Whether Node is older than 22.17, which the libraries need, or is 23.0 to 23.10, which have no `execve`. */
function isOldNode(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < 22 || (major === 22 && minor < 17) || (major === 23 && minor < 11);
}

/** Runs the command line on the installed Node, passes signals on, and ends with its exit code. */
async function runOnPackagedNode(environment: NodeJS.ProcessEnv): Promise<never> {
  const node = join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin", "node");
  const child = spawn(node, commandLine(), {
    env: { ...environment, [launched]: "1" },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  return new Promise(() => child.on("exit", (code) => process.exit(code ?? 1)));
}

/** Stops this process when the one that started it on the installed Node has ended. The channel between them closes even after kill -9. */
function endWithParent(): void {
  const end = () => process.kill(process.pid, "SIGTERM");
  if (process.connected === false) end();
  process.once("disconnect", end);
  process.channel?.unref();
}
