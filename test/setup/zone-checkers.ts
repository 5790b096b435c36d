/**
 * The checkers of real name servers: Debian's bind9-utils, knot-dnssecutils and nsd, run on a zone file.
 * Each answers what it objects to and, where it prints the zone, the records it read.
 */
import { spawnSync } from "node:child_process";
import { readMasterFile } from "../../src/dns/master-file/reader.ts";
import { lowerName, nameText, zoneNameWire } from "../../src/dns/name.ts";
import { canonicalRdata } from "../../src/dns/rdata/rdata.ts";
import type { RecordType } from "../../src/dns/rdata/record-types.ts";

export interface Checker {
  readonly name: string;
  readonly program: string;
  readonly arguments: (zone: string, file: string) => readonly string[];
  /** Whether it prints the zone to its standard output, and the types that it does not print as it holds them. */
  readonly prints: false | { readonly but: readonly string[] };
  /** Lines that are no objection to a record: what is said to nobody's harm, or of what we warn about ourselves. */
  readonly harmless: RegExp;
  /** Makes what it prints readable to us. */
  readonly mend?: (printed: string) => string;
}

export const checkers: readonly Checker[] = [
  {
    name: "BIND's named-checkzone",
    program: "named-checkzone",
    // -i none: an NS without glue is a warning of ours. Names of hosts (-k) are not ours to judge.
    arguments: (zone, file) => ["-i", "none", "-k", "ignore", "-q", "-D", "-o", "-", zone, file],
    prints: { but: [] },
    // As a type it prints a mnemonic that is no type of data.
    mend: (printed) => printed.replace(/(\s(?:CSYNC|DSYNC)\s.*)\bANY\b/g, "$1TYPE255"),
    harmless: /^$/,
  },
  {
    name: "Knot's kzonecheck",
    program: "kzonecheck",
    arguments: (zone, file) => ["-o", zone, file],
    prints: false,
    // It judges whether a resolver could use a DS and find a name server; knotd loads the zone all the same.
    harmless: /^$|missing glue record|invalid algorithm in DS|^Error summary:$/,
  },
  {
    name: "NSD's nsd-checkzone",
    program: "nsd-checkzone",
    arguments: (zone, file) => ["-p", zone, file],
    // The tool prints the first text of an SPF alone; nsd serves them all.
    prints: { but: ["SPF"] },
    harmless: /^$|warning: .* is (experimental|obsolete)$/,
  },
];

/** What a checker said about a zone file. */
export interface Verdict {
  readonly objections: readonly string[];
  readonly printed: string;
}

/** Runs a checker. */
export function check(checker: Checker, zone: string, file: string): Verdict {
  const { status, stdout, stderr } = spawnSync(checker.program, checker.arguments(zone, file), {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  const said = (checker.prints ? stderr : `${stdout}\n${stderr}`).split("\n").map((line) => line.trim());
  const objections = said.filter((line) => !checker.harmless.test(line));
  const failed = status !== 0 && objections.length === 0 && said.every((line) => line === "");
  return { objections: failed ? [`exit code ${status}`] : objections, printed: checker.mend?.(stdout) ?? stdout };
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
        : identity(item.owner, item.ttl, item.type, item.wire),
    );
  return found.sort();
}
