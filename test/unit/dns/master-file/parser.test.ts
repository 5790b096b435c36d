/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are those of $GENERATE */
import { describe, expect, test } from "@jest/globals";
import {
  type MasterFileOptions,
  MasterFileReader,
  type MasterItem,
  maxProblems,
  recordLine,
} from "../../../../src/dns/master-file/parser.ts";
import { readMasterFile } from "../../../../src/dns/master-file/read.ts";
import { nameText, zoneNameWire } from "../../../../src/dns/name.ts";
import { printRdata } from "../../../../src/dns/rdata/rdata.ts";
import fc from "../../../setup/basics/property.ts";

const origin = zoneNameWire("example.com");

function read(text: string, options: MasterFileOptions = { origin }, size = text.length || 1): MasterItem[] {
  const reader = new MasterFileReader(options);
  const items: MasterItem[] = [];
  for (let at = 0; at < text.length; at += size) items.push(...reader.push(text.slice(at, at + size)));
  return [...items, ...reader.end()];
}

/** Records as "line owner ttl type data", problems as "line! message". */
function shown(items: readonly MasterItem[]): string[] {
  return items.map((item) =>
    "problem" in item
      ? `${item.line}! ${item.problem.reason}: ${item.problem.message}`
      : "omitted" in item
        ? `${item.line}- ${item.omitted}`
        : `${item.line} ${nameText(item.owner)} ${item.ttl} ${item.type.mnemonic} ${printRdata(item.type, item.wire)}`,
  );
}

const soa = "@ 3600 IN SOA ns1 hm 1 2 3 4 300\n";

describe("reads", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    [
      "TTL and class in any order",
      "a 60 IN A 192.0.2.1\nb IN 60 A 192.0.2.1\nc 60 A 192.0.2.1",
      ["1 a.example.com. 60 A 192.0.2.1", "2 b.example.com. 60 A 192.0.2.1", "3 c.example.com. 60 A 192.0.2.1"],
    ],
    [
      "the owner before for a line that begins with a blank",
      "a 60 A 192.0.2.1\n\tA 192.0.2.2\n",
      ["1 a.example.com. 60 A 192.0.2.1", "2 a.example.com. 60 A 192.0.2.2"],
    ],
    [
      "$ORIGIN, relative to the one before",
      "$ORIGIN sub\na 60 NS b\n$ORIGIN example.net.\n@ 60 NS b",
      ["2 a.sub.example.com. 60 NS b.sub.example.com.", "4 example.net. 60 NS b.example.net."],
    ],
    [
      "$TTL with units before the last TTL written",
      "$TTL 1h30m\na 60 A 192.0.2.1\nb A 192.0.2.2\n",
      ["2 a.example.com. 60 A 192.0.2.1", "3 b.example.com. 5400 A 192.0.2.2"],
    ],
    [
      "the last TTL written where there is no $TTL",
      "a 60 A 192.0.2.1\nb A 192.0.2.2\n",
      ["1 a.example.com. 60 A 192.0.2.1", "2 b.example.com. 60 A 192.0.2.2"],
    ],
    [
      "the minimum of an SOA where there is no TTL at all",
      "@ SOA ns1 hm 1 2 3 4 300\na A 192.0.2.1\n",
      ["1 example.com. 300 SOA ns1.example.com. hm.example.com. 1 2 3 4 300", "2 a.example.com. 300 A 192.0.2.1"],
    ],
    [
      "several lines in parentheses, with comments",
      '@ 60 SOA ns1 hm ( ; the (start\n 1 ; serial\n 2 3 4\n 5 )\na 60 TXT ( "x;(" ; c\n y )\n',
      ["1 example.com. 60 SOA ns1.example.com. hm.example.com. 1 2 3 4 5", '5 a.example.com. 60 TXT "x;(" "y"'],
    ],
    [
      "CRLF, empty lines and a last line without line feed",
      "; c\r\n\r\na 60 (\r\n A 192.0.2.1 )\r\nb 60 A 192.0.2.2",
      ["3 a.example.com. 60 A 192.0.2.1", "5 b.example.com. 60 A 192.0.2.2"],
    ],
    [
      "owners that look like something else",
      "IN 60 IN A 192.0.2.1\n300 60 A 192.0.2.1\nA 60 A 192.0.2.1\n",
      ["1 IN.example.com. 60 A 192.0.2.1", "2 300.example.com. 60 A 192.0.2.1", "3 A.example.com. 60 A 192.0.2.1"],
    ],
    [
      "RFC 3597 for known and unknown types",
      "a 60 CLASS1 TYPE1 \\# 4 c0000201\nb 60 TYPE65280 \\# 1 00",
      ["1 a.example.com. 60 A 192.0.2.1", "2 b.example.com. 60 TYPE65280 \\# 1 00"],
    ],
    [
      "service parameters with quotes",
      'a 60 HTTPS 1 . key9="a b" alpn=h2',
      ['1 a.example.com. 60 HTTPS 1 . alpn="h2" key9="a b"'],
    ],
    [
      "names that end in the zone's name as the relative names they are",
      "a 60 NS b.example.com",
      ["1 a.example.com. 60 NS b.example.com.example.com."],
    ],
  ];
  test.each(cases)("%s", (_, text, expected) => {
    expect(shown(read(text))).toEqual(expected);
  });

  test("a signer's records, marked as not for users to create", () => {
    const [record] = read("a 60 NSEC b A NSEC");
    expect(record).toMatchObject({ type: { mnemonic: "NSEC", creatable: false } });
  });

  test("which relative names with dots were completed", () => {
    const [record] = read("a 60 MX 10 mail.example.net");
    expect(record).toMatchObject({
      completed: [{ field: "exchange", written: "mail.example.net", name: "mail.example.net.example.com." }],
    });
  });

  test("the same whatever the chunks", () => {
    const text = `$TTL 60\n${soa}a TXT ( "é中"\r\n x )\nb A 192.0.2.1 oops\n  A 192.0.2.2\n`;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), (size) =>
        expect(shown(read(text, { origin }, size))).toEqual(shown(read(text))),
      ),
    );
  });

  test("octets as UTF-8, and reports others", async () => {
    const items = async (octets: Uint8Array) => {
      const all: MasterItem[] = [];
      for await (const item of readMasterFile([octets.subarray(0, 13), octets.subarray(13)], { origin }))
        all.push(item);
      return shown(all);
    };
    expect(await items(Buffer.from('a 60 TXT "aaé"'))).toEqual(['1 a.example.com. 60 TXT "aa\\195\\169"']);
    expect(await items(Buffer.from('a 60 TXT "aaa\xe9"', "latin1"))).toEqual([
      "1! syntax: From about this line on the text is not UTF-8; write other octets as \\DDD.",
    ]);
  });
});

describe("reports with its line", () => {
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ["$INCLUDE", "$INCLUDE /etc/passwd", /^1! syntax: \$INCLUDE is refused, .*named-compilezone/],
    ["an unknown directive", "$FOO", /^1! syntax: "\$FOO" is not a directive/],
    ["what follows a directive", "$TTL 60 61", /^1! rdata: "61" follows/],
    ["a wrong TTL", "a 2147483648 A 192.0.2.1", /^1! ttl: "2147483648" is not a TTL/],
    ["a missing TTL", "a A 192.0.2.1", /^1! ttl: The record has no TTL/],
    ["another class", "a 60 CH TXT x", /^1! syntax: The class is "CH"/],
    ["an unknown type", "a 60 FOO x", /^1! type: "FOO" is not a record type/],
    ["a type that is no data", "a 60 AXFR x", /^1! type: AXFR is a query or meta type/],
    ["an owner that is none", "a..b 60 A 192.0.2.1", /^1! name: "a\.\.b" is not a domain name/],
    ["a first record without owner", " 60 A 192.0.2.1", /^1! syntax: The first record begins with a blank/],
    ["an unclosed parenthesis", "\na 60 TXT (\nx\n", /^2! rdata: A parenthesis is not closed/],
    ["an unclosed quote", 'a 60 TXT "x\n', /^1! rdata: A quoted string is not closed/],
    ["a byte order mark", "\ufeff$TTL 60", /^1! name/],
    ["$GENERATE without a pattern", "\n$generate 1-9", /^2! syntax: \$GENERATE cannot be read; write /],
    [
      "$GENERATE of too many",
      "$GENERATE 0-65536 a$ 60 A 192.0.2.1",
      /^1! syntax: \$GENERATE would create 65537 records/,
    ],
    [
      "$GENERATE of a range that ends first",
      "$GENERATE 9-1 a$ 60 A 192.0.2.1",
      /^1! syntax: The range "9-1" is not valid/,
    ],
    ["$GENERATE with a wrong modifier", "$GENERATE 1-2 a${x} 60 A 192.0.2.1", /^1! syntax: \$\{x\} is not a modifier/],
    ["$GENERATE that goes below zero", "$GENERATE 1-9 a${-2} 60 A 192.0.2.1", /^1! syntax: \$\{-2\} changes 1 to -1/],
  ];
  test.each(cases)("%s", (_, text, expected) => {
    const [only, ...more] = shown(read(text));
    expect(only).toMatch(expected);
    expect(more).toEqual([]);
  });

  test("every problem, and goes on behind each", () => {
    const text = 'a 60 A x\nb 60 A 192.0.2.1\nc 60 TXT "\nd 60 MX 70000 m\ne 60 A 192.0.2.2\n';
    expect(shown(read(text)).map((line) => line.split(" ")[0])).toEqual(["1!", "2", "3!", "4!", "5"]);
  });

  test("a malformed owner once, not again for the lines that share it", () => {
    expect(
      shown(read("a..b 60 A 192.0.2.1\n 60 A 192.0.2.2\n 60 A x\nc 60 A 192.0.2.3")).map((line) => line.split(" ")[0]),
    ).toEqual(["1!", "3!", "4"]);
  });

  test("no more than a bounded number of problems", () => {
    const items = shown(read("a A x\n".repeat(1000)));
    expect(items).toHaveLength(maxProblems + 1);
    expect(items.at(-1)).toMatch(/the rest was not read/);
  });

  test("a line and a record without end, in bounded memory, and goes on behind them", () => {
    const long = shown(read(`a 60 TXT "${"x".repeat(3_000_000)}"\nb 60 A 192.0.2.1\n`, { origin }, 65536));
    expect(long[0]).toMatch(/^1! syntax: The line is longer/);
    expect(long.at(-1)).toBe("2 b.example.com. 60 A 192.0.2.1");
    const open = shown(read(`a 60 TXT (\n${"x\n".repeat(600_000)}`));
    expect(open[0]).toMatch(/^1! syntax: The record is longer/);
  });
});

test("a record written as a line reads back, types unknown to some server in RFC 3597 form", () => {
  const text = 'a\\.b 60 HIP 2 0A00 AQID .\n@ 0 TXT "x" y\n* 60 SVCB 1 . key7=/{?dns}\n';
  const records = read(text).flatMap((item) => ("wire" in item ? [item] : []));
  const lines = records.map(({ owner, ttl, type, wire }) => recordLine(owner, ttl, type, wire));
  expect(lines).toEqual(
    [
      "a\\046b.example.com.\t60\tIN\tTYPE55\t\\# 10 020200030a0001020300",
      'example.com.\t0\tIN\tTXT\t"x" "y"',
      '*.example.com.\t60\tIN\tSVCB\t1 . key7="/{?dns}"',
    ].map((line) => `${line}\n`),
  );
  expect(shown(read(lines.join("")))).toEqual(shown(records));
});

test("what NSD does not read as text is written in octets", () => {
  const text = `@ 0 CAA 0 ${"a".repeat(15)} x\n@ 0 CAA 0 ${"a".repeat(16)} x\n@ 0 CSYNC 1 1 TYPE0 A\n@ 0 IPSECKEY 1 3 2 a\\.b. AQID\n`;
  const records = read(text).flatMap((item) => ("wire" in item ? [item] : []));
  const lines = records.map(({ owner, ttl, type, wire }) => recordLine(owner, ttl, type, wire));
  expect(lines.map((line) => line.split("\t").slice(3).join(" "))).toEqual([
    `CAA 0 ${"a".repeat(15)} "x"\n`,
    `CAA \\# 19 0010${"61".repeat(16)}78\n`,
    "CSYNC \\# 9 0000000100010001c0\n",
    "IPSECKEY \\# 11 01030203612e6200010203\n",
  ]);
  expect(shown(read(lines.join("")))).toEqual(shown(records).map((line, at) => line.replace(/^\d+/, String(at + 1))));
});

describe("$GENERATE makes", () => {
  const made = (directive: string) => shown(read(`$TTL 60\n$GENERATE ${directive}\n`)).map((line) => line.slice(2));
  test.each([
    ["1-3 host$ A 192.0.2.$", ["host1 A 192.0.2.1", "host2 A 192.0.2.2", "host3 A 192.0.2.3"]],
    [
      "0-4/2 $ PTR dhcp-${0,3}.example.net.",
      ["0 PTR dhcp-000.example.net.", "2 PTR dhcp-002.example.net.", "4 PTR dhcp-004.example.net."],
    ],
    ["9-10 a${+1,4,x} IN A 192.0.2.$ ; a comment with $", ["a000a A 192.0.2.9", "a000b A 192.0.2.10"]],
    ["10-10 b${0,0,X}-${0,0,o} A 192.0.2.$", ["bA-12 A 192.0.2.10"]],
    ["18-19 ${0,7,n} PTR h${-18}.example.net.", ["2.1.0.0 PTR h0.example.net.", "3.1.0.0 PTR h1.example.net."]],
    ['1-1 t TXT "cost $$ and \\$ and $"', ['t TXT "cost $ and $ and 1"']],
  ] as [string, string[]][])("%s", (directive, records) => {
    expect(made(directive)).toEqual(
      records.map((record) => {
        const [owner, ...rest] = record.split(" ");
        return `${owner}.example.com. 60 ${rest.join(" ")}`;
      }),
    );
  });

  test("65,536 records at most, all of the line of the directive", () => {
    const items = read("$GENERATE 0-65535 a$ 60 A 192.0.2.1");
    expect(items).toHaveLength(65_536);
    expect(items.every((item) => "wire" in item && item.line === 1)).toBe(true);
  });

  test("one problem, not one for each record", () => {
    expect(made("1-500 a$ A 192.0.2.$")).toHaveLength(256);
  });
});
