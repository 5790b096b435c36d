/**
 * Good and bad input, once for every front: what a record is given as, and what becomes of it. The rules are those of the decisions
 * in README.md; `test/service/vectors/verdicts.test.ts` runs them. Each line is a record of example.com, judged alone; `test/service/vectors/zones.test.ts` has those that
 * its other records decide.
 */
import type { Code } from "../../src/error-codes.ts";

/** A record as somebody writes it. */
export interface Given {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
}

/** What becomes of it: its canonical form, or the code of the refusal and the field it names, as GraphQL calls it. */
export type Verdict = Given | { readonly code: Code; readonly field: keyof Given };

export interface Line {
  readonly rule: string;
  readonly given: Given;
  readonly verdict: Verdict;
  /**
   * Where a front has a decision of its own: `rest` takes certain TTLs; a `file` has comments, line breaks and an origin, and leaves
   * out what is there already or belongs to a signer; an `update` passes in silence over what RFC 2136 §3.4.2 says so of.
   */
  readonly but?: {
    readonly rest?: Verdict;
    readonly file?: Verdict | "left out";
    readonly update?: Verdict | "left out";
  };
}

/** Whether a record is taken. */
export const isGood = (verdict: Verdict): verdict is Given => "rdata" in verdict;

export const refused = (code: Code, field: keyof Given): Verdict => ({ code, field });
export const address: Given = { owner: "a", type: "A", ttl: 3600, rdata: "192.0.2.1" };

const long = (count: number, text = "x") => text.repeat(count);
const digest = (octets: number) => long(octets, "0A");

/** Owners: as given, as stored or why not, and as stored where names are taken as they stand. */
function owners(rule: string, lines: readonly (readonly [string, string | Code, { absolute: string }?])[]): Line[] {
  return lines.map(([owner, becomes, asItStands]) => {
    const bad = /^(AMBIGUOUS_NAME|OUT_OF_ZONE|INVALID_NAME)$/.test(becomes);
    const verdict = bad ? refused(becomes as Code, "owner") : { ...address, owner: becomes };
    const absolute = asItStands && { ...address, owner: asItStands.absolute };
    return {
      rule,
      given: { ...address, owner },
      verdict,
      ...(absolute && { but: { file: absolute, update: absolute } }),
    };
  });
}

/** Types with data that fits them: as given, and as answered or why not. */
function types(rule: string, lines: readonly (readonly [string, string, string?, string?])[]): Line[] {
  return lines.map(([type, rdata, becomes, canonical = rdata]) => {
    const given = { ...address, type, rdata };
    const verdict =
      becomes === undefined ? refused("UNSUPPORTED_TYPE", "type") : { ...given, type: becomes, rdata: canonical };
    return { rule, given, verdict };
  });
}

const asGiven = Symbol("canonical as it is given");
type Becomes = string | typeof asGiven | { readonly code: Code };
const no = { code: "INVALID_RDATA" } as const;
const ambiguous = { code: "AMBIGUOUS_NAME" } as const;

/** Data: type, as given, as stored or why not, and where a master file differs. */
function data(rule: string, lines: readonly (readonly [string, string, Becomes, Becomes?])[]): Line[] {
  return lines.map(([type, rdata, becomes, file]) => {
    const given = { ...address, type, rdata };
    const verdict = (becomes: Becomes): Verdict =>
      typeof becomes === "object"
        ? refused(becomes.code, "rdata")
        : { ...given, rdata: becomes === asGiven ? rdata : (becomes as string) };
    return { rule, given, verdict: verdict(becomes), ...(file && { but: { file: verdict(file) } }) };
  });
}

/** TTLs: as given, what GraphQL says, what REST says. */
function ttls(rule: string, lines: readonly (readonly [number, "ok" | "no", "ok" | "no"])[]): Line[] {
  return lines.map(([ttl, graphql, rest]) => {
    const given = { ...address, ttl };
    const verdict = (word: "ok" | "no") => (word === "ok" ? given : refused("INVALID_TTL", "ttl"));
    return { rule, given, verdict: verdict(graphql), but: { rest: verdict(rest) } };
  });
}

/** Lines of which a file has its own verdict. */
export function inFile(file: Verdict | "left out", lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, but: { ...line.but, file } }));
}

/** Lines of which a dynamic update has its own verdict. */
export function inUpdate(update: Verdict | "left out", lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, but: { ...line.but, update } }));
}

export const table: readonly Line[] = [
  ...owners("the apex is @, nothing, or the zone's name with a dot", [
    ["@", "@"],
    ["example.com.", "@"],
    ["EXAMPLE.com.", "@"],
  ]),
  ...inFile(
    refused("BAD_REQUEST", "owner"),
    owners("no owner is the apex, but in a file the owner before", [["", "@"]]),
  ),
  ...owners("an owner is relative or absolute, and stored relative in lower case", [
    ["web", "web"],
    ["WWW.Sub", "www.sub"],
    ["web.example.com.", "web"],
    ["a.b.c", "a.b.c"],
    ["*", "*"],
    ["*.a", "*.a"],
    ["_dmarc", "_dmarc"],
    ["0/26", "0/26"],
    [long(63), long(63)],
    [`${`${long(60)}.`.repeat(3)}${long(58)}`, `${`${long(60)}.`.repeat(3)}${long(58)}`],
  ]),
  ...owners("Unicode is stored as A-labels, and a dot is a dot in any script", [
    ["bücher", "xn--bcher-kva"],
    ["BÜCHER", "xn--bcher-kva"],
    ["straße", "xn--strae-oqa"],
    ["xn--bcher-kva", "xn--bcher-kva"],
    ["a。b", "a.b"],
  ]),
  ...owners("escapes are read, and written only where they are needed", [
    ["a\\.b", "a\\046b"],
    ["\\065", "a"],
    ["\\@", "\\064"],
    ["a\\ b", "a\\032b"],
    ["\\255", "\\255"],
  ]),
  ...owners("a relative owner that ends in the zone's own name lacks its dot; on the wire no name does", [
    ["www.example.com", "AMBIGUOUS_NAME", { absolute: "www.example.com" }],
    ["example.com", "AMBIGUOUS_NAME", { absolute: "example.com" }],
    ["a.EXAMPLE.com", "AMBIGUOUS_NAME", { absolute: "a.example.com" }],
    ["badexample.com", "badexample.com"],
  ]),
  ...owners("an absolute owner stands in the zone", [
    ["www.example.net.", "OUT_OF_ZONE"],
    ["badexample.com.", "OUT_OF_ZONE"],
    ["com.", "OUT_OF_ZONE"],
    [".", "OUT_OF_ZONE"],
  ]),
  ...owners("an owner is a domain name", [
    ["a..b", "INVALID_NAME"],
    [".a", "INVALID_NAME"],
    [long(64), "INVALID_NAME"],
    [`${`${long(60)}.`.repeat(4)}x`, "INVALID_NAME"],
    ["\\256", "INVALID_NAME"],
    ["\\25", "INVALID_NAME"],
    ["é\\065", "INVALID_NAME"],
  ]),
  ...types("a type is its mnemonic in any case, or its number", [
    ["mx", "10 mail.example.net.", "MX"],
    ["TYPE15", "10 mail.example.net.", "MX"],
    ["type1", "192.0.2.1", "A"],
    ["TYPE65280", "\\# 4 0a000001", "TYPE65280"],
    ["type65280", "\\# 4 0A 00 00 01", "TYPE65280", "\\# 4 0a000001"],
    ["TYPE65534", "\\# 0", "TYPE65534"],
  ]),
  ...inFile(
    "left out",
    types("what a signer owns is no type of records here", [
      ["RRSIG", "A 13 2 3600 20260322173103 20260220173103 2642 example.com. AQID"],
      ["NSEC", "a.example.com. A"],
      ["NSEC3", "1 0 0 - 2T7B4G4VSA5SMI47K61MV5BV1A22BOJR A"],
    ]),
  ),
  ...inFile(refused("INVALID_RDATA", "rdata"), types("the same by its number", [["TYPE46", "\\# 0"]])),
  ...types("queries and what servers refuse are no types of records here", [
    ["NULL", "\\# 0"],
    ["MD", "mail.example.net."],
    ["TYPE0", "\\# 0"],
    ["TYPE65536", "\\# 0"],
    ["NOTATYPE", "\\# 0"],
  ]),
  ...inUpdate(
    refused("BAD_REQUEST", "type"),
    types("an update with such a record is no update (RFC 2136 §3.4.1.2)", [
      ["ANY", "192.0.2.1"],
      ["AXFR", "192.0.2.1"],
      ["OPT", "\\# 0"],
      ["TSIG", "\\# 0"],
      ["TYPE255", "\\# 0"],
    ]),
  ),
  ...ttls("a TTL is seconds from 0 to 2147483647; REST takes the preserved values", [
    [3600, "ok", "ok"],
    [300, "ok", "ok"],
    [86400, "ok", "ok"],
    [0, "ok", "no"],
    [3601, "ok", "no"],
    [2147483647, "ok", "no"],
  ]),
  ...inFile(
    refused("UNSUPPORTED_TYPE", "type"),
    ttls("a TTL has no sign; in a file it is no TTL then", [
      [-1, "no", "no"],
      [-2147483648, "no", "no"],
    ]),
  ),
  ...data("an address is a whole address", [
    ["A", "192.0.2.255", asGiven],
    ["A", "127.1", no],
    ["A", "192.0.2.256", no],
    ["A", "192.0.2.01", no],
    ["A", "0xc0000201", no],
    ["A", "192.0.2.1 192.0.2.2", no],
    ["A", "", no],
    ["AAAA", "2001:DB8:0:0::0:1", "2001:db8::1"],
    ["AAAA", "::ffff:192.0.2.1", "::ffff:c000:201"],
    ["AAAA", "fe80::1%eth0", no],
    ["AAAA", "2001:db8::1::2", no],
    ["AAAA", "192.0.2.1", no],
  ]),
  ...data("names are completed with the zone and answered absolute, letter case kept", [
    ["MX", "10 mail", "10 mail.example.com."],
    ["MX", "010 Mail.Example.NET.", "10 Mail.Example.NET."],
    ["MX", "0 .", asGiven],
    ["CNAME", "@", "example.com."],
    ["CNAME", "target\\.example", "target\\046example.example.com."],
    ["NS", "bücher.example.", "xn--bcher-kva.example."],
    ["SRV", "1 2 65535 a\\.b.example.net.", "1 2 65535 a\\046b.example.net."],
    ["PTR", `${long(63)}.example.`, asGiven],
    ["PTR", `${long(64)}.example.`, no],
    ["PTR", "a..example.", no],
  ]),
  ...data("a relative name of several labels lacks its dot, or the zone's name: a field asks which", [
    ["CNAME", "target.example.net", ambiguous, "target.example.net.example.com."],
    ["MX", "10 mail.sub", ambiguous, "10 mail.sub.example.com."],
    ["SVCB", "1 svc.example.net alpn=h2", ambiguous, '1 svc.example.net.example.com. alpn="h2"'],
    ["NAPTR", '1 2 "s" "" "" _sip.sub', ambiguous, '1 2 "s" "" "" _sip.sub.example.com.'],
    ["MX", "10 mail.example.com", ambiguous, "10 mail.example.com.example.com."],
    ["CNAME", "example.com", ambiguous, "example.com.example.com."],
    ["SOA", "ns1.example.com a 1 2 3 4 5", ambiguous, { code: "RECORD_CONFLICT" }],
  ]),
  ...data("a number keeps its bounds and has no sign", [
    ["MX", "65536 a.example.net.", no],
    ["MX", "-1 a.example.net.", no],
    ["MX", "1e3 a.example.net.", no],
    ["SRV", "1 2 65536 a.example.net.", no],
    ["CAA", '256 issue "ca.example.net"', no],
  ]),
  ...data("plain text is one literal string for an API, and words in a file", [
    ["TXT", "v=spf1 a mx ~all", '"v=spf1 a mx ~all"', '"v=spf1" "a" "mx" "~all"'],
    ["TXT", "v=DKIM1; k=rsa; p=MIGf", '"v=DKIM1; k=rsa; p=MIGf"', '"v=DKIM1"'],
    ["SPF", "v=spf1 -all", '"v=spf1 -all"', '"v=spf1" "-all"'],
    ["TXT", '"a" "b c"', asGiven],
    ["TXT", '""', asGiven],
    ["TXT", '\\"a\\; \\065\\\\', '"\\"a; A\\\\"', '"\\"a;" "A\\\\"'],
    ["TXT", "é", '"\\195\\169"'],
    ["TXT", long(256), `"${long(255)}" "x"`],
    ["TXT", `"${long(256)}"`, `"${long(255)}" "x"`],
    ["TXT", "\\# 2 0161", '"a"'],
    ["TXT", 'a"b', no],
    ["TXT", '"a', no],
    ["TXT", '"a"b', no],
    ["TXT", "", no],
    ["TXT", "\\256", no],
    ["TXT", "a\\", no],
  ]),
  ...data("nothing is dropped as a comment, and no line is begun", [
    ["A", "192.0.2.1 ; a host", no, "192.0.2.1"],
    ["TXT", '"a" ; b', no, '"a"'],
    ["MX", "10 a.example.net. ;", no, "10 a.example.net."],
    ["A", "192.0.2.1\nevil A 192.0.2.66", no, "192.0.2.1"],
    ["TXT", "a\n$INCLUDE /etc/passwd", no, { code: "BAD_REQUEST" }],
    ["TXT", "a\tb", no, '"a" "b"'],
    ["TXT", "a\0b", no],
    ["MX", "\t10\ta.example.net. ", "10 a.example.net."],
    ["MX", "(10 (a.example.net.))", "10 a.example.net."],
    ["MX", "(10 a.example.net.", no],
    ["MX", "10 a.example.net.)", no],
  ]),
  ...data("RFC 3597 form is taken for any type and judged by it", [
    ["A", "\\# 4 c0000201", "192.0.2.1"],
    ["A", "\\# 3 c00002", no],
    ["A", "\\# 4 c000", no],
    ["TXT", "\\# 0", no],
    ["MX", "\\# 3 000a00", "10 ."],
    ["TYPE65280", "0a000001", no],
    ["TYPE65280", "\\# 1 0", no],
  ]),
  ...data("what the strictest server drops a zone over is refused", [
    ["DS", `1 8 2 ${digest(32)}`, `1 8 2 ${digest(32)}`],
    ["DS", `1 8 2 ${digest(31)}`, no],
    ["CDS", `1 8 1 ${digest(19)}`, no],
    ["SSHFP", `4 2 ${digest(20)}`, no],
    ["ZONEMD", `1 1 1 ${digest(47)}`, no],
    ["TLSA", "3 1 1 0a0", no],
    ["DNSKEY", "257 3 13 AB==", no],
    ["CDNSKEY", "0 3 0", no],
    ["CAA", '0 ISSUE "ca.example.net"', '0 issue "ca.example.net"', '0 ISSUE "ca.example.net"'],
    ["CAA", '0 is-sue "ca.example.net"', no],
    ["CAA", '0 "" "ca.example.net"', no],
    ["NAPTR", '1 1 "S" "SIP+D2U" "" _sip._udp.example.net.', asGiven],
    ["NAPTR", '1 1 "U" "E2U+sip" "!^.*$!sip:a@example.com" .', no],
    ["LOC", "91 0 0 N 4 0 0 E 0m", no],
    ["SVCB", "1 . no-default-alpn", no],
    ["SVCB", "1 . mandatory=port", no],
    ["SVCB", "1 . port=1 port=2", no],
    ["HTTPS", "00 a.example.net.", "0 a.example.net."],
    ["HTTPS", "1 . port=443 alpn=h2,h3", '1 . alpn="h2,h3" port=443'],
    ["EUI48", "00-00-5E-00-53-2A", "00-00-5e-00-53-2a"],
    ["EUI48", "00:00:5e:00:53:2a", no],
    ["L64", "10 2001:db8:1140:1000", "10 2001:0db8:1140:1000"],
    ["IPSECKEY", "10 1 0 192.0.2.38 AQID", no],
    ["HINFO", "PC Linux", '"PC" "Linux"'],
    ["HINFO", "PC", no],
    ["URI", "10 1 https://www.example.net/", '10 1 "https://www.example.net/"'],
    ["URI", '10 1 ""', '10 1 ""'],
    ["NSEC3PARAM", "1 0 0 -", asGiven],
  ]),
];
