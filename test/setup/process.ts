/**
 * The service as a process of its own, started as an operator starts it, for tests that stop and kill it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { eventually } from "./eventually.ts";

const command = resolve(import.meta.dirname, "../../dist/src/cli/zonesmith.js");

/** A process of the `zonesmith` command. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** Waits until its standard output holds a match; throws when it ends before. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Waits until a service answers, and returns its URL; throws when it ends before. */
  readonly answersAt: () => Promise<string>;
  /** Waits for its end, and for all that it printed; answers the exit code, null after a signal. */
  readonly ended: () => Promise<number | null>;
}

/**
 * Runs `zonesmith` with these arguments and settings; nothing else of the environment but PATH is handed on, DNS takes a free port, and
 * `serve` has a folder of its own.
 */
export function zonesmith(args: readonly string[], environment: Record<string, string>): ServiceProcess {
  return runProcess(process.execPath, [command, ...args], args, environment);
}

/** The same at a terminal, on which both of its streams are what it prints. */
export function terminal(args: readonly string[], environment: Record<string, string>): ServiceProcess {
  const line = [process.execPath, command, ...args].map((word) => `'${word}'`).join(" ");
  return runProcess("script", ["-qfec", `exec ${line}`, "/dev/null"], args, { TERM: "xterm", ...environment });
}

function runProcess(
  program: string,
  words: readonly string[],
  args: readonly string[],
  environment: Record<string, string>,
): ServiceProcess {
  const folder = environment.DATA_DIR ?? (args[0] === "serve" ? temporaryFolder() : "");
  const child = spawn(program, words, {
    env: { PATH: process.env.PATH, DNS_PORT: "0", ...environment, ...(folder !== "" && { DATA_DIR: folder }) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (data: Buffer) => (output[name] += data.toString()));
  // Not at its exit: what it printed last may be read after that.
  const closed = once(child, "close");
  let isClosed = false;
  child.once("close", () => {
    isClosed = true;
  });
  return {
    child,
    output: () => output,
    answersAt: () => {
      const failed = closed.then((): never => {
        throw new Error(`it ended: ${output.stdout}${output.stderr}`);
      });
      return Promise.race([failed, eventually(() => announcedBy(child.pid, folder))]);
    },
    ended: async () => ((await closed)[0] as number | null) ?? null,
    printed: async (pattern) => {
      for (;;) {
        const match = pattern.exec(output.stdout);
        if (match) return match;
        if (isClosed) throw new Error(`it ended: ${output.stdout}${output.stderr}`);
        await Promise.race([once(child.stdout as NodeJS.ReadableStream, "data"), closed]);
      }
    },
  };
}

/** The URL that a service of this process id has written into its folder; throws while it has not. */
function announcedBy(pid: number | undefined, folder: string): string {
  const file = join(folder, "service.json");
  const announced = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as { url: string; pid: number })
    : undefined;
  if (announced?.pid === pid && announced) return announced.url;
  throw new Error("it does not answer yet");
}

/** A folder of its own under the system's temporary one, which any account may enter. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "zonesmith-process-"));
  chmodSync(folder, 0o755);
  return folder;
}

/** The ports of this process of the tests, 4,000 of 12,000 to 32,000: another process of them has others. */
const firstPort = 12_000 + 4000 * (Number(process.env.JEST_WORKER_ID ?? 0) % 5);
const givenPorts = new Set<number>();

/**
 * A port of 127.0.0.1 that is free on UDP and TCP, below those that the system gives to sockets that ask for any: nothing else
 * takes it before it is used, or while what listens there is started again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, firstPort + 4000);
    if (givenPorts.has(port)) continue;
    givenPorts.add(port);
    const server = createServer();
    const socket = createSocket("udp4");
    try {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
      socket.bind(port, "127.0.0.1");
      await once(socket, "listening");
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    } finally {
      socket.close();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}
