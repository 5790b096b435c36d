/*
 * The vector files and what our own rules say about them. The verdicts in the files were taken from the servers' parsers
 * (Knot 3.2.6, BIND 9.18, ldns 1.8, NSD 4.6, PowerDNS 4.7); nobody's expectations are in them.
 */
import { readFileSync } from "node:fs";

/** A line of rdata.jsonl; `valid` is null where the servers differ. */
export interface RdataVector {
  readonly id: string;
  readonly type: string;
  readonly rdata: string;
  readonly valid: boolean | null;
  readonly agree: "all" | "knot+bind" | "majority" | "split" | "policy";
  readonly wire?: string;
  readonly canonical_wire?: string;
  readonly wire_unsafe?: boolean;
}

/** A line of names.jsonl. */
export interface NameVector {
  readonly id: string;
  readonly kind: "owner" | "zone";
  readonly name: string;
  readonly valid: boolean | null;
  readonly agree: string;
  readonly wire?: string;
  readonly policy?: string;
}

/** A line of zones.jsonl: a small zone as master-file text. */
export interface ZoneVector {
  readonly id: string;
  readonly origin: string;
  readonly zone: string;
  readonly note: string;
  readonly valid: "accept" | "warn" | "split" | "reject";
}

/** Reads one of the files beside this one. */
export function readVectors<Vector>(file: string): Vector[] {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Vector);
}

/** A rule of ours about lines on which the vectors cannot bind us; the first that matches a line decides it. */
export interface Rule {
  readonly rule: string;
  readonly accept: boolean;
  matches(vector: RdataVector): boolean;
}

/** Settled lines that we decide otherwise. */
export const exceptions: readonly Rule[] = [
  {
    rule: "A6 ATMA DOA NXT SINK WKS are obsolete and left to RFC 3597 form",
    accept: false,
    matches: ({ type, rdata }) => /^(A6|ATMA|DOA|NXT|SINK|WKS)$/.test(type) && !rdata.startsWith("\\#"),
  },
  {
    rule: "TYPE47, TYPE50, TYPE63 hold the same data under which NSEC, NSEC3, ZONEMD lose a zone in BIND",
    accept: false,
    matches: ({ id }) => ["r0440", "r0476", "r0746"].includes(id),
  },
  {
    rule: "BIND drops a zone over an empty NSAP",
    accept: false,
    matches: ({ type, rdata }) => type === "NSAP" && rdata === "0x",
  },
  {
    rule: "BIND drops a zone over a key of algorithm 253 that does not begin with a name",
    accept: false,
    matches: ({ id }) => id === "r0949",
  },
  { rule: "there is no type 65536", accept: false, matches: ({ type }) => type === "TYPE65536" },
];

const nameTypes = /^(NS|CNAME|DNAME|PTR|MX|SRV|SOA|NAPTR|HTTPS|SVCB|LP|AFSDB|KX|RP|RT|PX)$/i;
const lastBase64 = /^(CERT|KEY|DNSKEY|CDNSKEY|RRSIG|DHCID|OPENPGPKEY|TYPE49)$/;

/** One verdict for each line on which the servers split. */
export const splitRules: readonly Rule[] = [
  {
    rule: "what one server takes and another drops the zone over is refused",
    accept: false,
    matches: (v) => v.wire_unsafe === true,
  },
  {
    rule: "raw control characters, numeric escapes beyond \\255 and a last backslash are refused",
    accept: false,
    matches: ({ rdata }) => /\\$|\\256|[^\P{Cc}\t\n]|first\nsecond/u.test(rdata),
  },
  {
    rule: "names are parsed liberally, Unicode becomes A-labels, and every odd octet is printed escaped",
    accept: true,
    matches: ({ type, rdata }) =>
      nameTypes.test(type) && /[!$%&+,:@`{~#]|[^\p{ASCII}]/u.test(rdata) && !/[=;]/.test(rdata),
  },
  {
    rule: "algorithms are read by the names of Knot and BIND",
    accept: true,
    matches: ({ rdata }) => /DSA-NSEC3-SHA1|RSASHA1-NSEC3-SHA1|ECC-GOST/.test(rdata),
  },
  {
    rule: "base64 whose last bits are not zero is refused",
    accept: false,
    matches: ({ id }) => ["r3639", "r5282"].includes(id),
  },
  {
    rule: "base64 and hexadecimal may be broken anywhere and are printed unbroken",
    accept: true,
    matches: ({ type, rdata }) =>
      (lastBase64.test(type) && /[\w+/=]\s+[\w+/=]+=*\s*\)?$/.test(rdata)) || /241 1 e1846540/.test(rdata),
  },
  {
    rule: "a text longer than 255 octets is split",
    accept: true,
    matches: ({ type, rdata }) => type === "TXT" && rdata.length > 255,
  },
  {
    rule: "a URI may stand without quotes and is printed with them",
    accept: true,
    matches: ({ type }) => type === "URI",
  },
  {
    rule: "short groups of NID and L64 are read and printed with four digits",
    accept: true,
    matches: ({ type }) => /^(NID|L64)$/.test(type),
  },
  {
    rule: "base32hex is written without padding",
    accept: true,
    matches: ({ type, rdata }) => type === "NSEC3" && !rdata.includes("="),
  },
  { rule: "NSAP-PTR is a type", accept: true, matches: ({ rdata }) => rdata.includes("NSAP-PTR") },
  {
    rule: "dohpath is a URI template with the variable dns (RFC 9461 §5); other keys beyond ipv6hint have no name",
    accept: true,
    matches: ({ rdata }) => rdata.includes("dohpath="),
  },
  {
    rule: "an AMTRELAY without a relay type that has text is refused",
    accept: false,
    matches: ({ type, rdata }) => type === "AMTRELAY" && !/ 83 /.test(rdata),
  },
  { rule: "an AMTRELAY in RFC 3597 form is read", accept: true, matches: ({ type }) => type === "AMTRELAY" },
  { rule: "anything else that one of the servers refuses is refused", accept: false, matches: () => true },
];
