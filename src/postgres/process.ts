// The processes of PostgreSQL: run as an unprivileged account, bound to our life, stopped, and found again when an earlier life
// left them behind.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Account } from "./data-folder.ts";

/** One binary at work, and the last that it said. */
export interface PostgresProcess {
  child: ChildProcess;
  ended: Promise<void>;
  hasEnded(): boolean;
  lastLines(): string;
}

/** Runs a binary as the account, in a session of its own so that a Ctrl-C reaches us alone, keeping its last lines. */
export function startProcess(
  account: Account,
  cwd: string,
  command: string,
  args: string[],
  wrapper: string[] = [],
): PostgresProcess {
  const [program = command, ...rest] = [
    ...wrapper,
    ...(canDieWithUs() ? ["setpriv", "--pdeathsig", "INT"] : []),
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
  let over = false;
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(-4000);
  });
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      over = true;
      resolve();
    };
    // Orphaned backends may hold the pipe open: its rest is waited for, but not for long.
    child.once("close", end).once("exit", () => setTimeout(end, 200).unref());
    child.once("error", (error) => {
      text += error.message;
      end();
    });
  });
  const lastLines = () => text.trim().split("\n").slice(-5).join(" | ");
  return { child, ended, hasEnded: () => over, lastLines };
}

/** Whether setpriv can have the kernel signal a process when we die. */
let pdeathsig: boolean | undefined;
export function canDieWithUs(): boolean {
  pdeathsig ??= spawnSync("setpriv", ["--pdeathsig", "INT", "true"]).status === 0;
  return pdeathsig;
}

/** Fast shutdown, then immediate, then none at all: 10 s together. */
export async function shutDown(server: PostgresProcess): Promise<void> {
  const steps = [
    ["SIGINT", 7500],
    ["SIGQUIT", 1300],
    ["SIGKILL", 500],
  ] as const;
  for (const [signal, patience] of steps) {
    if (server.hasEnded()) return;
    server.child.kill(signal);
    await Promise.race([server.ended, sleep(patience, undefined, { ref: false })]);
  }
}

/** Stops whatever PostgreSQL or initdb still works below `home`, and removes the process id one may have left. */
export async function stopOrphans(home: string, log: (line: string) => void): Promise<void> {
  if (!fs.existsSync("/proc/self/cwd")) return;
  const begin = Date.now();
  let signal: NodeJS.Signals | undefined;
  for (let pids = processesBelow(home); pids.length > 0; pids = processesBelow(home)) {
    const waited = Date.now() - begin;
    if (waited > 15_000) throw new Error(`PostgreSQL still runs in ${home}: end process ${pids.join(", ")} first.`);
    const next = waited > 8000 ? "SIGQUIT" : "SIGINT";
    if (next !== signal) {
      signal = next;
      log(`Stopping the PostgreSQL that an earlier run left in ${home} (process ${pids.join(", ")}).`);
      for (const pid of pids) kill(pid, signal);
    }
    await sleep(20);
  }
  fs.rmSync(join(home, "cluster/postmaster.pid"), { force: true });
}

/** The processes that work in a folder of ours, as initdb, the postmaster and all their children do. */
function processesBelow(home: string): number[] {
  const isOurs = (pid: string) => {
    try {
      const program = basename(fs.readlinkSync(`/proc/${pid}/exe`));
      return /^(postgres|initdb)\b/.test(program) && fs.readlinkSync(`/proc/${pid}/cwd`).startsWith(`${home}/`);
    } catch {
      return false;
    }
  };
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isOurs(name))
    .map(Number);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {} // gone meanwhile
}

const hints: [RegExp, string][] = [
  [/no space left|disk quota/i, "free some space on its disk"],
  [/could not look up effective user ID/i, "give the user who starts it an entry in /etc/passwd"],
  [/shared memory|cannot allocate memory/i, "free some memory, or enlarge /dev/shm"],
  [/permission denied|not permitted/i, "give its owner access to every file in it"],
  [/PANIC|corrupt|invalid page|could not (read|open) file/, "restore it from a backup"],
];

/** One line of what failed, the likely cure and the last lines of PostgreSQL. */
export function explained(what: string, lastLines: string, folder: string): Error {
  const cure =
    hints.find(([pattern]) => pattern.test(`${what} ${lastLines}`))?.[1] ?? "see its last lines, or set DATABASE_URL";
  return new Error(`${what} in ${folder}: ${cure} (${lastLines || "it said nothing"}).`);
}
