/** Processes that tests started and did not end, as Linux lists them in /proc. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { signal } from "../basics/linux-processes.ts";

/** What `read` reads; nothing of a process that has ended, or is another account's. */
function text(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

const commandOf = (id: number) =>
  text(() => readFileSync(`/proc/${id}/cmdline`, "utf8"))
    .replaceAll("\0", " ")
    .trim();

/** The processes that run in a folder, or name it in their command or environment; those that have ended have no command. */
function processesOf(folder: string): number[] {
  const ids = text(() => readdirSync("/proc").join(" ")).match(/\b\d+\b/g) ?? [];
  const saysOf = (id: number) =>
    commandOf(id) +
    text(() => readlinkSync(`/proc/${id}/cwd`)) +
    text(() => readFileSync(`/proc/${id}/environ`, "utf8"));
  return ids.map(Number).filter((id) => id !== process.pid && commandOf(id) !== "" && saysOf(id).includes(folder));
}

/** Kills the processes of a folder that do not end by themselves within some seconds; returns their commands. */
export async function endLeft(folder: string): Promise<string[]> {
  let left = processesOf(folder);
  for (let times = 0; times < 50 && left.length > 0; times += 1) {
    await sleep(100);
    left = processesOf(folder);
  }
  const commands = left.map(commandOf);
  for (const id of left) signal(id, "SIGKILL");
  while (left.some((id) => commandOf(id) !== "")) await sleep(20);
  return commands;
}
