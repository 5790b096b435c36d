/** Each broken zone has the one finding, and its sound neighbour none. */
import { expect, test } from "@jest/globals";
import { CheckedZone, World } from "../../../src/finding/checked-zone.ts";
import { findingCodes, findingsOf } from "../../../src/finding/finding-code.ts";
import type { RuledRecord } from "../../../src/zone/edit/rules.ts";
import { ruledRecords } from "../../setup/dns/ruled-records.ts";

/**
 * Each begins with its code. `-` are the records of the broken zone, `+` those of the sound one, the others are in both; the TTL is 300
 * where there is none. SOA and NS records at the apex replace the usual ones. `in` begins another zone, `zone` is the name of the zone
 * itself, `serial` and `secondaries` are what checks know besides; a secondary with ? is not required.
 */
const brokenZones = `
TARGET_MISSING
- www CNAME gone
+ www CNAME web
+ web A 198.51.100.1
TARGET_MISSING
- www CNAME gone.b.test.
+ www CNAME www.b.test.
in b.test
  www A 198.51.100.1
TARGET_MISSING
- www HTTPS 1 gone alpn=h2
+ www HTTPS 1 . alpn=h2
TARGET_MISSING
- old DNAME gone
+ old DNAME new
+ a.new A 198.51.100.1
TARGET_MISSING
- www CNAME gone
+ _acme-challenge.www CNAME gone
ALIAS_LOOP
- one CNAME one
+ one CNAME far.example.net.
ALIAS_LOOP
- one CNAME One.b.test.
+ one CNAME two.b.test.
in b.test
  one CNAME one.a.example.
  two A 198.51.100.1
HOST_WITHOUT_ADDRESS
  @ MX 10 mail
+ mail A 198.51.100.1
HOST_WITHOUT_ADDRESS
- @ MX 10 mail.b.test.
+ @ MX 10 mx.b.test.
in b.test
  mx A 198.51.100.1
  mail TXT x
HOST_WITHOUT_ADDRESS
- @ MX 10 mail.other
+ @ MX 10 mail.sub
  sub NS ns.example.net.
HOST_WITHOUT_ADDRESS
  _sip._tcp SRV 0 0 5060 sip
+ * A 198.51.100.1
NAME_SERVER_WITHOUT_ADDRESS
  sub NS ns.sub
+ ns.sub A 198.51.100.1
TARGET_IS_ALIAS
- @ MX 10 mail
- mail CNAME mx.example.net.
+ @ MX 10 mx.example.net.
TARGET_IS_ALIAS
- @ MX 10 mail.b.test.
+ @ MX 10 mx.b.test.
in b.test
  mail CNAME mx.example.net.
  mx A 198.51.100.1
TARGET_IS_ADDRESS
- @ MX 10 198.51.100.1.
+ @ MX 10 mx.example.net.
TARGET_IS_ADDRESS
- @ MX 10 198.51.100.1
+ @ MX 10 mx.example.net.
HIDDEN_BY_DELEGATION
  sub NS ns.example.net.
- www.sub TXT x
NULL_MX_BESIDE_OTHERS
  @ MX 0 .
- @ MX 10 mx.example.net.
TTL_LONG
- www 700000 A 198.51.100.1
+ www 604800 A 198.51.100.1
PRIVATE_ADDRESS
- db A 10.0.0.1
+ db A 11.0.0.1
PRIVATE_ADDRESS
- db AAAA fd00::1
+ db AAAA 2001:db8::1
PTR_MISSING
- www A 198.51.100.2
+ www A 198.51.100.1
in 100.51.198.in-addr.arpa
  1 PTR www.a.example.
PTR_WITHOUT_ADDRESS
zone 100.51.198.in-addr.arpa
- 1 PTR gone.b.test.
+ 1 PTR www.b.test.
in b.test
  www A 198.51.100.1
WILDCARD_HIDDEN
  * A 198.51.100.1
  www TXT x
+ www A 198.51.100.1
SPF_SYNTAX
- @ TXT "v=spf1 ipv4:198.51.100.1 -all"
+ @ TXT "v=spf1 ip4:198.51.100.1 -all"
SPF_ALLOWS_ALL
- @ TXT "v=spf1 +all"
+ @ TXT "v=spf1 a/24 mx:b.test/24 ~all"
SPF_SYNTAX
- @ TXT "v=spf1 ip4:198.51.100.0/33 -all"
+ @ TXT "v=spf1 ip4:198.51.100.0/24 -all"
SPF_LOOKUPS
- @ TXT "v=spf1 include:a include:b include:c include:d " "include:e include:f include:g include:h mx a ptr -all"
+ @ TXT "v=spf1 include:a include:b include:c include:d " "include:e include:f include:g include:h mx a -all"
SPF_LOOKUPS
- @ TXT "v=spf1 include:many.b.test -all"
+ @ TXT "v=spf1 redirect=few.b.test"
in b.test
  many TXT "v=spf1 mx mx mx mx mx mx mx mx mx mx -all"
  few TXT "v=spf1 mx mx mx mx mx mx mx mx mx -all"
SPF_INCLUDE_MISSING
- @ TXT "v=spf1 include:www.b.test -all"
+ @ TXT "v=spf1 include:spf.b.test include:%{d}.b.test -all"
in b.test
  www A 198.51.100.1
  spf TXT "v=spf1 -all"
SEVERAL_SPF_POLICIES
  @ TXT "v=spf1 mx -all"
- @ TXT "v=spf1 -all"
+ @ TXT "other"
DMARC_SYNTAX
- _dmarc TXT "v=DMARC1; p=refuse"
+ _dmarc TXT "v=DMARC1; p=reject; rua=mailto:d@a.example,mailto:e@a.example"
DMARC_SYNTAX
- _dmarc TXT "v=DMARC1; p=none; rua=d@a.example"
+ _dmarc TXT "v=DMARC1; p=none; pct=50;"
DMARC_SYNTAX
  _dmarc TXT "v=DMARC1; p=Reject"
  _dmarc TXT "verification=1"
- _dmarc TXT "v=DMARC1; p=none"
DKIM_SYNTAX
- k1._domainkey TXT "v=DKIM1; p=MIGfMA0GCSqGSIb3DQEB"
+ _adsp._domainkey TXT "dkim=all"
DKIM_SYNTAX
- k1._domainkey TXT "v=DKIM1; k=rsa"
+ k1._domainkey TXT "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
MTA_STS_SYNTAX
- _mta-sts TXT "v=STSv1; id=2026-11-28"
+ _mta-sts TXT "v=STSv1; id=20261128"
TLS_RPT_SYNTAX
- _smtp._tls TXT "v=TLSRPTv1; rua=t@a.example"
+ _smtp._tls TXT "v=TLSRPTv1; rua=mailto:t@a.example"
CAA_FORBIDS_ACME
  @ CAA 0 issue ";"
+ @ CAA 0 issuewild "ca.example.net"
CHILD_NS_DIFFER
- sub NS ns9.example.net.
+ sub NS ns1.b.example.
+ sub NS ns2.c.example.
in sub.a.example
DS_WITHOUT_KEY
  sub NS ns1.b.example.
  sub NS ns2.c.example.
- sub DS 1 13 2 9A4C0B7CD1E1A5B0A5D9A5A8B24E4F1F7D2A7BD1C2C6B46E2AD0A9C8D7E6F5A4
+ sub DS 2064 13 2 9A4C0B7CD1E1A5B0A5D9A5A8B24E4F1F7D2A7BD1C2C6B46E2AD0A9C8D7E6F5A4
in sub.a.example
  @ DNSKEY 257 3 13 AQID
ZONE_NOT_DELEGATED
zone sub.a.example
in a.example
+ sub NS ns1.b.example.
SINGLE_NAME_SERVER
- @ 86400 NS ns1.b.example.
ONE_NETWORK
  @ 86400 NS ns1
  @ 86400 NS ns2
  ns1 A 198.51.100.1
- ns2 A 198.51.100.2
+ ns2 A 203.0.113.1
NS_NOT_SECONDARY
secondaries 198.51.100.1 203.0.113.1?
  @ 86400 NS ns1
  @ 86400 NS ns2
  ns1 A 198.51.100.1
- ns2 A 203.0.113.9
+ ns2 A 203.0.113.1
SECONDARY_NOT_NS
secondaries 198.51.100.1 203.0.113.1 192.0.2.7
  @ 86400 NS ns1
  @ 86400 NS ns2
  ns1 A 198.51.100.1
  ns2 A 203.0.113.1
+ ns2 A 192.0.2.7
NS_TTL_SHORT
- @ 300 NS ns1.b.example.
- @ 300 NS ns2.c.example.
SOA_TIMERS
- @ 3600 SOA ns1.b.example. h.b.example. 1 7200 3600 3600 3600
SOA_TIMERS
- @ 3600 SOA ns1.b.example. h.b.example. 1 3600 7200 1209600 3600
NEGATIVE_TTL_LONG
- @ 604800 SOA ns1.b.example. h.b.example. 1 7200 3600 1209600 604800
SERIAL_IN_FUTURE
serial 2099010100
`;

/** What a server or a parent zone answers, which servers.test.ts has. */
const outside = /^(LAME_SERVER|PARENT_|SERVER_|SIGNATURE_|CDS_)/;
const usual = {
  SOA: ["@ 3600 SOA ns1.b.example. h.b.example. 1 7200 3600 1209600 3600"],
  NS: ["@ 86400 NS ns1.b.example.", "@ 86400 NS ns2.c.example."],
};

function recordsOf(zone: string, own: readonly string[]): RuledRecord[] {
  const isThere = (type: string) => own.some((line) => RegExp(`^@ (\\d+ )?${type} `).test(line));
  return ruledRecords(zone, [...(isThere("SOA") ? [] : usual.SOA), ...(isThere("NS") ? [] : usual.NS), ...own]);
}

/** The codes that the zone of a text has, broken or sound. */
async function codesIn(text: string, state: "-" | "+", ignored: readonly string[] = []): Promise<string[]> {
  const [own = "", ...others] = text.split("\nin ");
  const linesOf = (part: string) =>
    part.split("\n").flatMap((line) => (line.startsWith(state) || line.startsWith(" ") ? line.slice(2) : []));
  const [, name = "a.example"] = /^zone (.*)/m.exec(own) ?? [];
  const [, serial = "1"] = (state === "-" && /^serial (.*)/m.exec(own)) || [];
  const secondaries = (/^secondaries (.*)/m.exec(own)?.[1] ?? "").split(" ").filter((each) => each !== "");
  const world = new World({
    now: new Date("2026-11-28T12:00:00Z"),
    secondaries: secondaries.map((each) => ({
      name: each,
      address: each.replace("?", ""),
      required: !each.endsWith("?"),
    })),
    acmeKeys: [{ name: "acme.key", userId: null, zones: ["a.example"], owners: ["_acme-challenge*"] }],
  });
  const zoneOf = (zone: string, part: string) => {
    const about = { zone, userId: null, serial: Number(serial), ignored: new Set(ignored) };
    return new CheckedZone(about, recordsOf(zone, linesOf(part)), world);
  };
  for (const part of others) zoneOf(part.split("\n")[0] as string, part);
  return (await findingsOf(zoneOf(name, own))).map(({ code }) => code);
}

const cases = brokenZones
  .trim()
  .split(/\n(?=[A-Z_]+$)/m)
  .map((text) => [text.split("\n")[0] as string, text] as const);

test.each(cases)("%s", async (code, text) => {
  expect(await codesIn(text, "-")).toEqual([code]);
  expect(await codesIn(text, "+")).toEqual([]);
  expect(await codesIn(text, "-", [code])).toEqual([]);
});

test("every check has a broken zone", () => {
  const checked = Object.keys(findingCodes).filter((code) => !outside.test(code));
  expect(cases.length).toBeGreaterThanOrEqual(40);
  expect(checked.filter((code) => !cases.some(([each]) => each === code))).toEqual([]);
});
