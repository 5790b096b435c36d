/**
 * Processes as Linux lists them in /proc: children, and those that work in a folder.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const isNumber = (name: string) => /^\d+$/.test(name);

/** The parent of a process; undefined when the process has ended, or is only waited for. */
function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

const all = () => readdirSync("/proc").filter(isNumber).map(Number);

/** The running children of a process. */
export function childrenOf(pid: number): number[] {
  return all().filter((each) => parentOf(each) === pid);
}

/** The running processes whose working folder is this one or below it, each with its parent. */
export function processesIn(folder: string): { readonly pid: number; readonly parent: number }[] {
  return all().flatMap((pid) => {
    try {
      const at = readlinkSync(`/proc/${pid}/cwd`);
      const parent = parentOf(pid);
      return parent !== undefined && (at === folder || at.startsWith(`${folder}/`)) ? [{ pid, parent }] : [];
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
