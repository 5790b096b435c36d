/** The service as a process of its own, started as an operator starts it, for tests that stop and kill it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { eventually } from "../basics/eventually.ts";
import { temporaryFolder } from "../basics/temporary-folder.ts";

export const builtCommand = resolve(import.meta.dirname, "../../../dist/src/cli/zonesmith.js");

/** The file of the command, that of this checkout by default, and the folder that it is run in. */
interface Place {
  readonly command?: string;
  readonly cwd?: string;
}

export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly output: () => { readonly stdout: string; readonly stderr: string };
  /** Waits until its standard output holds a match; throws when it ends before. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Waits until a service answers, and returns its URL; throws when it ends before. */
  readonly answersAt: () => Promise<string>;
  /** Waits for its end, and for all that it printed; returns the exit code, null after a signal. */
  readonly ended: () => Promise<number | null>;
}

/**
 * Runs `zonesmith` with these arguments and settings; nothing else of the environment but PATH and TMPDIR is handed on, and `serve` takes
 * a free port for DNS and, unless it is run in a folder, has one of its own.
 */
export function zonesmith(
  args: readonly string[],
  environment: Record<string, string>,
  { command = builtCommand, cwd }: Place = {},
): ServiceProcess {
  return runProcess(process.execPath, [command, ...args], args, environment, cwd);
}

/** Runs it to its end; returns the exit code and what it printed on standard output and on standard error. */
export async function runToEnd(
  args: readonly string[],
  environment: Record<string, string>,
  place?: Place,
): Promise<[number | null, string, string]> {
  const command = zonesmith(args, environment, place);
  const code = await command.ended();
  const { stdout, stderr } = command.output();
  return [code, stdout, stderr];
}

/** The same at a terminal, on which both of its streams are what it prints. */
export function terminal(args: readonly string[], environment: Record<string, string>): ServiceProcess {
  const line = [process.execPath, builtCommand, ...args].map((word) => `'${word}'`).join(" ");
  return runProcess("script", ["-qfec", `exec ${line}`, "/dev/null"], args, { TERM: "xterm", ...environment });
}

function runProcess(
  program: string,
  words: readonly string[],
  args: readonly string[],
  environment: Record<string, string>,
  cwd?: string,
): ServiceProcess {
  const folder = environment.DATA_DIR ?? (args[0] === "serve" && cwd === undefined ? temporaryFolder() : "");
  const child = spawn(program, words, {
    env: {
      PATH: process.env.PATH,
      TMPDIR: process.env.TMPDIR,
      ...(args[0] === "serve" && { DNS_PORT: "0" }),
      ...environment,
      ...(folder !== "" && { DATA_DIR: folder }),
    },
    stdio: ["ignore", "pipe", "pipe"],
    cwd,
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
      return Promise.race([failed, eventually(() => announcedBy(child.pid, resolve(cwd ?? "", folder)))]);
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
