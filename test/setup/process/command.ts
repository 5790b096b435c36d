/** Programs as an operator's shell runs them: without what npm adds to the environment of its scripts, and on the machine's own Node. */
import { type ChildProcess, execFile, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";

export function shellEnvironment(): NodeJS.ProcessEnv {
  const ofScripts =
    /^(npm_(?!config_)|npm_config_(local_|global_)?prefix$|NODE$|NODE_ENV$|NODE_OPTIONS$|INIT_CWD$|JEST_)/;
  const entries = Object.entries(process.env).filter(([name]) => !ofScripts.test(name));
  const path = (process.env.PATH ?? "").split(":").filter((folder) => !folder.includes("node_modules"));
  return { ...Object.fromEntries(entries), PATH: path.join(":"), npm_config_prefer_offline: "true" };
}

/** Runs a program to its end and returns its standard output; throws with everything it printed when it fails. */
export async function run(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<string> {
  const settings = { env: shellEnvironment(), maxBuffer: 2 ** 26, ...options };
  try {
    return (await promisify(execFile)(program, [...args], { ...settings, encoding: "utf8" })).stdout;
  } catch (error) {
    const { message, stdout = "" } = error as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout}`);
  }
}

export interface Serving {
  /** Where HTTP is reached on this machine. */
  readonly url: string;
  readonly output: () => string;
  /** Sends SIGTERM and returns the exit code. */
  readonly stop: () => Promise<number | null>;
}

/** Starts `zonesmith serve` or what stands for it, and waits until it prints where it listens. */
export async function serve(program: string, args: readonly string[], options: SpawnOptions): Promise<Serving> {
  const child: ChildProcess = spawn(program, [...args], { ...options, stdio: ["ignore", "pipe", "pipe"] });
  // Not at its exit: what it printed last may be read after that.
  const ended = once(child, "close").then(([code]) => code as number | null);
  let output = "";
  const url = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (data: Buffer) => {
        output += data;
        const port = /http:\/\/[\d.]+:(\d+)/.exec(output)?.[1];
        if (port) resolve(`http://127.0.0.1:${port}`);
      });
  });
  const failed = ended.then((code): never => {
    throw new Error(`${program} ended with ${code}: ${output}`);
  });
  return {
    url: await Promise.race([url, failed]),
    output: () => output,
    stop: async () => {
      failed.catch(() => {});
      child.kill("SIGTERM");
      return ended;
    },
  };
}
