/** The processes of PostgreSQL. They run as an unprivileged account and end with this process. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./data-folder.ts";

/** A running binary. `ended` resolves when it exits; `lastLines` returns the last lines of its standard error. */
export interface PostgresProcess {
  readonly child: ChildProcess;
  readonly cwd: string;
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  lastLines(): string;
}

/** Starts a binary as the account, in its own session, so that a Ctrl-C reaches only this process. */
export function startProcess(
  account: Account,
  cwd: string,
  command: string,
  args: string[],
  wrapper: string[] = [],
): PostgresProcess {
  const [program = command, ...rest] = [
    ...wrapper,
    ...(canEndWithParent() ? ["setpriv", "--pdeathsig", "INT"] : []),
    command,
    ...args,
  ];
  const env = { PATH: process.env.PATH, TZ: process.env.TZ, LC_ALL: "C" };
  const child = spawn(program, rest, {
    ...account,
    env,
    cwd,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  let hasEnded = false;
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(-4000);
  });
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true;
      resolve();
    };
    // Orphaned backends may hold the pipe open: its last output is awaited for 200 ms at most.
    child.once("close", end).once("exit", () => setTimeout(end, 200).unref());
    child.once("error", (error) => {
      text += error.message;
      end();
    });
  });
  const lastLines = () => text.trim().split("\n").slice(-5).join(" | ");
  return { child, cwd, ended, hasEnded: () => hasEnded, lastLines };
}

let hasSetpriv: boolean | undefined;

/** Returns whether setpriv is installed. With it the kernel signals a process when its parent dies. */
export function canEndWithParent(): boolean {
  hasSetpriv ??= spawnSync("setpriv", ["--pdeathsig", "INT", "true"]).status === 0;
  return hasSetpriv;
}

const shutdownMs = 9300;

/** The parts of the shutdown time that are kept for PostgreSQL's immediate shutdown, and for SIGKILL to take effect, ms. */
const immediateMs = 1300;
const killedMs = 500;

/**
 * Shuts a process down within the time limit: by PostgreSQL's fast shutdown, then its immediate one, then SIGKILL. A suspended process and
 * its backends get SIGCONT too, since a suspended process does not handle signals.
 */
export async function shutDown(server: PostgresProcess, withinMs = shutdownMs): Promise<void> {
  const steps = [
    ["SIGINT", Math.max(1, withinMs - immediateMs - killedMs)],
    ["SIGQUIT", immediateMs],
    ["SIGKILL", killedMs],
  ] as const;
  for (const [signal, timeoutMs] of steps) {
    if (server.hasEnded()) return;
    server.child.kill(signal);
    for (const pid of [server.child.pid, ...processesBelow(dirname(server.cwd))]) if (pid) kill(pid, "SIGCONT");
    await Promise.race([server.ended, sleep(timeoutMs, undefined, { ref: false })]);
  }
}

/** The time after which an orphan gets SIGQUIT, and the time after which we stop waiting for it and fail, ms. */
const orphanTimeoutsMs = { quit: 8000, giveUp: 15_000 };

/** Stops every PostgreSQL and initdb that runs below `home`; throws when one does not end in time, or on abort. */
export async function stopOrphans(home: string, log: (line: string) => void, signal?: AbortSignal): Promise<void> {
  if (!hasProc()) return;
  const begin = performance.now();
  let sent: NodeJS.Signals | undefined;
  for (let pids = processesBelow(home); pids.length > 0; pids = processesBelow(home)) {
    const waited = performance.now() - begin;
    if (waited > orphanTimeoutsMs.giveUp)
      throw new Error(`PostgreSQL still runs in ${home}: end process ${pids.join(", ")} first.`);
    const next = waited > orphanTimeoutsMs.quit ? "SIGQUIT" : "SIGINT";
    if (next !== sent) {
      sent = next;
      log(`Stopping the PostgreSQL that an earlier run left in ${home} (process ${pids.join(", ")}).`);
      for (const pid of pids) for (const each of [next, "SIGCONT"] as const) kill(pid, each);
    }
    await sleep(20);
    signal?.throwIfAborted();
  }
  fs.rmSync(join(home, "cluster/postmaster.pid"), { force: true });
}

const hasProc = () => fs.existsSync("/proc/self/cwd");

/** The ids of the processes whose binary is postgres or initdb and whose working directory is below `home`. */
function processesBelow(home: string): number[] {
  if (!hasProc()) return [];
  const isBelow = (pid: string) => {
    try {
      const program = basename(fs.readlinkSync(`/proc/${pid}/exe`));
      return /^(postgres|initdb)\b/.test(program) && fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(`${home}/`);
    } catch {
      return false;
    }
  };
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isBelow(name))
    .map(Number);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {} // it has ended meanwhile
}

const hints: readonly (readonly [RegExp, string])[] = [
  [/no space left|disk quota/i, "free some space on its disk"],
  [/could not look up effective user ID/i, "give the user who starts it an entry in /etc/passwd"],
  [/shared memory|cannot allocate memory/i, "free some memory, or enlarge /dev/shm"],
  [/permission denied|not permitted/i, "give its owner access to every file in it"],
  [/PANIC|corrupt|invalid page|could not (read|open) file/, "restore it from a backup"],
];

export function processError(what: string, lastLines: string, folder: string): Error {
  const hint =
    hints.find(([pattern]) => pattern.test(`${what} ${lastLines}`))?.[1] ?? "see its last lines, or set DATABASE_URL";
  return new Error(`${what} in ${folder}: ${hint} (${lastLines || "it printed nothing"}).`);
}
