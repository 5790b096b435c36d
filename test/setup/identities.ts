/**
 * Records as they are compared whoever printed them, and what a server's zone checker says of a master file.
 */
import { spawnSync } from "node:child_process";
import { readMasterFile } from "../../src/dns/master-file/read.ts";
import { lowerName, nameText, zoneNameWire } from "../../src/dns/name.ts";
import { canonicalRdata } from "../../src/dns/rdata/rdata.ts";
import type { RecordType } from "../../src/dns/rdata/record-type-registry.ts";
import type { ZoneChecker } from "./name-servers.ts";

/** What a checker said about a zone file. */
export interface Verdict {
  readonly objections: readonly string[];
  readonly printed: string;
}

/** Runs a checker. */
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

/** A record as it is compared: owner in lower case, TTL, type, canonical wire (RFC 4034 §6.2). */
export function identity(owner: Uint8Array, ttl: number, type: RecordType, wire: Uint8Array): string {
  const data = Buffer.from(canonicalRdata(type, wire)).toString("hex");
  return `${nameText(lowerName(owner))} ${ttl} TYPE${type.code} ${data}`;
}

/** The records of a master file, as they are compared, sorted; a line that we do not read stands among them as what is wrong. */
export async function identities(text: string, zone: string): Promise<string[]> {
  const found: string[] = [];
  for await (const item of readMasterFile([text], { origin: zoneNameWire(zone) }))
    found.push(
      "problem" in item
        ? `line ${item.line}: ${item.problem.message}`
        : "omitted" in item
          ? `line ${item.line}: ${item.omitted}`
          : identity(item.owner, item.ttl, item.type, item.wire),
    );
  return found.sort();
}
