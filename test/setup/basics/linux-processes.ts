/** Processes as Linux lists them in /proc: their state, children, and those that work in a folder. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

interface LinuxProcess {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly isSuspended: boolean;
}

/** A process; undefined when it has ended, or is only waited for. */
export function processOf(pid: number): LinuxProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, name = "", state = "", parent] = /\((.*)\) (\S) (\d+)/s.exec(stat) ?? [];
    return state === "Z" ? undefined : { pid, parent: Number(parent), name, isSuspended: state === "T" };
  } catch {
    return undefined;
  }
}

const all = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

export function childrenOf(pid: number): number[] {
  return all().filter((each) => processOf(each)?.parent === pid);
}

/** The running processes whose working folder is this one or below it. */
export function processesIn(folder: string): LinuxProcess[] {
  return all().flatMap((pid) => {
    try {
      const at = readlinkSync(`/proc/${pid}/cwd`);
      return at === folder || at.startsWith(`${folder}/`) ? (processOf(pid) ?? []) : [];
    } catch {
      return [];
    }
  });
}

/** Sends a signal, or none to see whether the process runs; whether there was a process to send it to. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  if (pid <= 0) return false; // It would go to the whole group of this process.
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
