/** What a name server's zone checker says of a master file. */
import { spawnSync } from "node:child_process";
import type { ZoneChecker } from "./name-servers.ts";

export interface Verdict {
  readonly objections: readonly string[];
  readonly printed: string;
}

export function check(checker: ZoneChecker, zone: string, file: string): Verdict {
  const { status, stdout, stderr } = spawnSync(checker.program, checker.arguments(zone, file), {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const said = (checker.prints ? stderr : `${stdout}\n${stderr}`).split("\n").map((line) => line.trim());
  const objections = said.filter((line) => !checker.harmless.test(line));
  const failed = status !== 0 && objections.length === 0 && said.every((line) => line === "");
  return { objections: failed ? [`exit code ${status}`] : objections, printed: checker.readable?.(stdout) ?? stdout };
}
