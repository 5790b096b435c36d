/**
 * The service as a process of its own, started as an operator starts it, for tests that stop and kill it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const command = resolve(import.meta.dirname, "../../dist/src/cli/zonesmith.js");

/** A process of the `zonesmith` command. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** Waits until its standard output holds a match; throws when it ends before. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Waits for its end; answers the exit code, null after a signal. */
  readonly ended: () => Promise<number | null>;
}

/** Runs `zonesmith` with these arguments and settings; nothing else of the environment but PATH is handed on, and DNS takes a free port. */
export function zonesmith(args: readonly string[], environment: Record<string, string>): ServiceProcess {
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, DNS_PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (data: Buffer) => (output[name] += data.toString()));
  const exit = once(child, "exit");
  return {
    child,
    output: () => output,
    ended: async () => ((await exit)[0] as number | null) ?? null,
    printed: async (pattern) => {
      for (;;) {
        const match = pattern.exec(output.stdout);
        if (match) return match;
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`it ended: ${output.stdout}${output.stderr}`);
        await Promise.race([once(child.stdout as NodeJS.ReadableStream, "data"), exit]);
      }
    },
  };
}

/** A folder of its own under the system's temporary one, which any account may enter. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "zonesmith-process-"));
  chmodSync(folder, 0o755);
  return folder;
}

/** A TCP port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
