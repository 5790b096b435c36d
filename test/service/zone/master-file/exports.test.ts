/**
 * Exports of other services: each is imported, or fails with the line and what to write instead. The files in `exports` are written by hand
 * in the form of those exports.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { type ImportResult, importZone } from "../../../../src/zone/master-file/import.ts";
import { messagesOf } from "../../../setup/zones/messages.ts";
import { testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const zone = "export.example";

const fileOf = (name: string) => readFileSync(new URL(`exports/${name}`, import.meta.url));
const run = (text: string | Uint8Array | readonly Uint8Array[], skipUnsupported = false) => {
  const pieces = Array.isArray(text) ? text : [text as Uint8Array];
  const request = { zone, text: pieces, mode: "REPLACE", userId: zones.userId, dryRun: true, skipUnsupported } as const;
  return importZone(zones.session(), request);
};
const linesOf = ({ addedRecords }: ImportResult) =>
  addedRecords.map(({ owner, ttl, type, rdata }) => `${owner} ${ttl} ${type} ${rdata}`);
const refusalOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => [],
    (error) => error.reasons.map(({ code, message }: { code: string; message: string }) => `${code} ${message}`),
  );

/** What is said of a file with the name servers of another service. */
const otherServers = (...names: readonly string[]) =>
  `The zone's name servers are those of the file (${names.join(", ")}); none of them is in NAME_SERVERS (ns1.example.net., ns2.example.net.).`;

describe("Cloudflare", () => {
  test("is imported, and the SOA's owner without its dot is named", async () => {
    const result = await run(fileOf("cloudflare.txt"));
    expect(linesOf(result)).toEqual([
      "@ 1 A 192.0.2.10",
      "@ 1 MX 10 mail.export.example.",
      "@ 86400 NS ada.ns.cloudflare.com.",
      "@ 86400 NS bob.ns.cloudflare.com.",
      '@ 1 TXT "v=spf1 include:_spf.example.net ~all"',
      '_dmarc 1 TXT "v=DMARC1; p=none"',
      "shop 1 A 192.0.2.11",
      "www 1 CNAME export.example.",
    ]);
    expect(messagesOf(result)).toEqual([
      "line 10: the owner of the SOA, export.example, has no dot at its end; it was taken for the zone.",
      expect.stringMatching(/^line \d+: the TTL is 1 s, which stands for "automatic" .*; also in 5 more lines\.$/),
      otherServers("ada.ns.cloudflare.com.", "bob.ns.cloudflare.com."),
      "@ MX 10 mail.export.example. names a host in this zone that has no address; add an A or AAAA record at mail.",
    ]);
  });

  test("another owner without its dot is named too", async () => {
    const text = fileOf("cloudflare.txt").toString().replace("shop.export.example.", "shop.export.example");
    expect(messagesOf(await run(text))).toContainEqual(
      "line 18: the owner shop.export.example is relative and became shop.export.example.export.example.; " +
        "end it with a dot if it is a full name.",
    );
  });

  test("a CNAME at the apex fails with its line, or is left out when that is asked for, and named", async () => {
    const text = fileOf("cloudflare.txt").toString();
    const flattened = `${text.replace(/^export.example.\t1\tIN\tA\t.*$/m, "")}\nexport.example. 1 IN CNAME pages.example.net.\n`;
    expect(await refusalOf(run(flattened))).toEqual([expect.stringMatching(/^RECORD_CONFLICT line 30: A CNAME /)]);
    expect(messagesOf(await run(flattened, true))).toContainEqual(
      "line 30: left out. A CNAME cannot be at the apex; write the addresses that it leads to.",
    );
  });
});

describe("Route 53, as the command line of AWS prints it", () => {
  test("an alias fails with its line and what to write", async () => {
    expect(await refusalOf(run(fileOf("route53.json")))).toEqual([
      "UNSUPPORTED_TYPE line 4: An alias of Route 53 (AWS ALIAS) is resolved by the service that it is from and is no zone data; " +
        "write the addresses that it leads to, or below the apex a CNAME.",
    ]);
  });

  test("is imported without its aliases, which are named, and says that routing is lost", async () => {
    const result = await run(fileOf("route53.json"), true);
    expect(linesOf(result)).toEqual([
      "* 300 CNAME www.export.example.",
      "@ 172800 NS ns-1.awsdns.example.",
      "@ 172800 NS ns-2.awsdns.example.",
      '@ 300 TXT "caf\\195\\169" "two"',
      "www 60 A 192.0.2.20",
      "www 60 A 192.0.2.21",
    ]);
    expect(messagesOf(result)).toEqual([
      expect.stringMatching(/^line 4: left out\. An alias of Route 53/),
      "line 31: the routing policy of Route 53 was left out, so that every client gets the record; also in 1 more line.",
      otherServers("ns-1.awsdns.example.", "ns-2.awsdns.example."),
    ]);
  });

  test.each([
    ["{", /begins as JSON and is not JSON/],
    ['{"HostedZones": []}', /without ResourceRecordSets.*aws route53 list-resource-record-sets/],
    ['{"ResourceRecordSets": [{"Name": 1}]}', /without ResourceRecordSets/],
  ])("other JSON is refused: %s", async (text, message) => {
    expect(await refusalOf(run(text))).toEqual([expect.stringMatching(message)]);
  });
});

test("Route 53, as cli53 writes it: an alias fails with its line, and the rest is imported without it", async () => {
  const alias = expect.stringMatching(/^UNSUPPORTED_TYPE line 5: An alias of Route 53/);
  expect(await refusalOf(run(fileOf("cli53.txt")))).toEqual([alias]);
  const result = await run(fileOf("cli53.txt"), true);
  expect(linesOf(result)).toHaveLength(5);
  expect(messagesOf(result)).toEqual([
    expect.stringMatching(/^line 5: left out/),
    expect.stringMatching(/^line 6: the routing policy .* in 1 more line\.$/),
    otherServers("ns-1.awsdns.example.", "ns-2.awsdns.example."),
  ]);
});

describe("Windows DNS", () => {
  const crlf = fileOf("windows.txt").toString().replaceAll("\n", "\r\n");

  test.each([
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${crlf}`)],
    ["UTF-16 with a byte order mark", Buffer.from(`\ufeff${crlf}`, "utf16le")],
    ["UTF-16 with the other byte order", Buffer.from(`\ufeff${crlf}`, "utf16le").swap16()],
    ["UTF-16 without a byte order mark", Buffer.from(crlf, "utf16le")],
  ])("is imported, in %s", async (_encoding, octets) => {
    const result = await run(octets);
    expect(linesOf(result)).toEqual([
      "@ 600 A 192.0.2.1",
      "@ 3600 NS dc1.corp.example.",
      "@ 3600 NS dc2.corp.example.",
      "_ldap._tcp 600 SRV 0 100 389 dc1.corp.example.",
      "client7 1200 A 192.0.2.7",
      "client7 1200 AAAA 2001:db8::7",
      'note 1200 TXT "two words"',
    ]);
    expect(messagesOf(result)).toEqual([
      "line 24: WINS is a setting of Windows DNS and no zone data; it was left out.",
      "line 30: the aging time of Windows DNS was left out; also in 2 more lines.",
      otherServers("dc1.corp.example.", "dc2.corp.example."),
    ]);
  });

  test("is imported octet by octet", async () => {
    const octets = Buffer.from(`\ufeff${crlf}`, "utf16le");
    expect((await run(Array.from(octets, (octet) => Uint8Array.of(octet)))).added).toBe(7);
  });
});

test("a file in the raw format of BIND is refused with the command that turns it into text", async () => {
  const refusal = await refusalOf(run(Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 1, 0x65, 0x53)));
  expect(refusal).toEqual([expect.stringMatching(/^\w+ line 1: .* named-compilezone -f raw -F text /)]);
});

test("a signed zone is imported without its signatures, with one warning of each kind and one about the DS", async () => {
  const { added, notices } = await run(fileOf("signed.txt"));
  expect(added).toBe(3);
  expect(messagesOf({ notices })).toEqual([
    "line 2: RRSIG belongs to the signer of the zone and was left out; also in 2 more lines.",
    "line 6: NSEC belongs to the signer of the zone and was left out; also in 1 more line.",
    expect.stringMatching(/^The signatures were left out and the DNSKEY records kept: .* DS/),
  ]);
});
