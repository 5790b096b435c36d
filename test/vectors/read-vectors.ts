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

const decide = (rule: string, accept: boolean, matches: Rule["matches"]): Rule => ({ rule, accept, matches });

/** Settled lines that we decide otherwise. */
export const exceptions: readonly Rule[] = [
  decide(
    "A6 ATMA DOA NXT SINK WKS are obsolete and left to RFC 3597 form",
    false,
    ({ type, rdata }) => /^(A6|ATMA|DOA|NXT|SINK|WKS)$/.test(type) && !rdata.startsWith("\\#"),
  ),
  decide(
    "TYPE47, TYPE50, TYPE63 hold the same data under which NSEC, NSEC3, ZONEMD lose a zone in BIND",
    false,
    ({ id }) => ["r0440", "r0476", "r0746"].includes(id),
  ),
  decide("BIND drops a zone over an empty NSAP", false, ({ type, rdata }) => type === "NSAP" && rdata === "0x"),
  decide(
    "BIND drops a zone over a key of algorithm 253 that does not begin with a name",
    false,
    ({ id }) => id === "r0949",
  ),
  decide("there is no type 65536", false, ({ type }) => type === "TYPE65536"),
];

const nameTypes = /^(NS|CNAME|DNAME|PTR|MX|SRV|SOA|NAPTR|HTTPS|SVCB|LP|AFSDB|KX|RP|RT|PX)$/i;
const lastBase64 = /^(CERT|KEY|DNSKEY|CDNSKEY|RRSIG|DHCID|OPENPGPKEY|TYPE49)$/;

/** One verdict for each line on which the servers split. */
export const splitRules: readonly Rule[] = [
  decide("what one server takes and another drops the zone over is refused", false, (v) => v.wire_unsafe === true),
  decide("raw control characters, numeric escapes beyond \\255 and a last backslash are refused", false, ({ rdata }) =>
    /\\$|\\256|[^\P{Cc}\t\n]|first\nsecond/u.test(rdata),
  ),
  decide(
    "names are parsed liberally, Unicode becomes A-labels, and every odd octet is printed escaped",
    true,
    ({ type, rdata }) => nameTypes.test(type) && /[!$%&+,:@`{~#]|[^\p{ASCII}]/u.test(rdata) && !/[=;]/.test(rdata),
  ),
  decide("algorithms are read by the names of Knot and BIND", true, ({ rdata }) =>
    /DSA-NSEC3-SHA1|RSASHA1-NSEC3-SHA1|ECC-GOST/.test(rdata),
  ),
  decide("base64 whose last bits are not zero is refused", false, ({ id }) => ["r3639", "r5282"].includes(id)),
  decide(
    "base64 and hexadecimal may be broken anywhere and are printed unbroken",
    true,
    ({ type, rdata }) =>
      (lastBase64.test(type) && /[\w+/=]\s+[\w+/=]+=*\s*\)?$/.test(rdata)) || /241 1 e1846540/.test(rdata),
  ),
  decide("a text longer than 255 octets is split", true, ({ type, rdata }) => type === "TXT" && rdata.length > 255),
  decide("a URI may stand without quotes and is printed with them", true, ({ type }) => type === "URI"),
  decide("short groups of NID and L64 are read and printed with four digits", true, ({ type }) =>
    /^(NID|L64)$/.test(type),
  ),
  decide("base32hex is written without padding", true, ({ type, rdata }) => type === "NSEC3" && !rdata.includes("=")),
  decide("NSAP-PTR is a type", true, ({ rdata }) => rdata.includes("NSAP-PTR")),
  decide(
    "dohpath is a URI template with the variable dns (RFC 9461 §5); other keys beyond ipv6hint have no name",
    true,
    ({ rdata }) => rdata.includes("dohpath="),
  ),
  decide(
    "an AMTRELAY without a relay type that has text is refused",
    false,
    ({ type, rdata }) => type === "AMTRELAY" && !/ 83 /.test(rdata),
  ),
  decide("an AMTRELAY in RFC 3597 form is read", true, ({ type }) => type === "AMTRELAY"),
  decide("anything else that one of the servers refuses is refused", false, () => true),
];
