/**
 * The process of the commands that open the database: flags of V8 keep its memory small, and it runs on the Node that npm installed with
 * the service where that of the shell is too old. The other commands run on any version that npm does.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/**
 * New objects take 32 MB and not 128, and the others are collected when they have grown by a half and not to their fourfold
 * (bench/README.md, fairness).
 */
const flags = ["--max-semi-space-size=16", "--heap-growing-percent=50"];

/** The environment variable of a process that another process runs on the installed Node. */
const launched = "ZONESMITH_LAUNCHED";

/** Returns in such a process; in any other, the same command line runs in such a process instead. */
export async function runAsService(environment: NodeJS.ProcessEnv): Promise<void> {
  if (isOldNode()) return runOnPackagedNode(environment);
  if (environment[launched] !== undefined) {
    delete environment[launched];
    endWithParent();
  }
  // `execve` keeps the process id. Windows does not have it, nor a Node that may start no process.
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

/** Stops this process when the one that runs it on the installed Node is gone: the channel between them closes, after kill -9 too. */
function endWithParent(): void {
  const end = () => process.kill(process.pid, "SIGTERM");
  if (process.connected === false) end();
  process.once("disconnect", end);
  process.channel?.unref();
}
