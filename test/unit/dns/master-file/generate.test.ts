/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: the braces are those of $GENERATE */
import { describe, expect, test } from "@jest/globals";
import { MasterFileReader, type MasterItem } from "../../../../src/dns/master-file/parser.ts";
import { nameText, zoneNameWire } from "../../../../src/dns/name.ts";
import { printRdata } from "../../../../src/dns/rdata/rdata.ts";

function read(text: string): MasterItem[] {
  const reader = new MasterFileReader({ origin: zoneNameWire("example.com") });
  return [...reader.push(text), ...reader.end()];
}

const shown = (items: readonly MasterItem[]) =>
  items.map((item) =>
    "wire" in item
      ? `${item.line} ${nameText(item.owner)} ${item.ttl} ${item.type.mnemonic} ${printRdata(item.type, item.wire)}`
      : "problem" in item
        ? `${item.line}! ${item.problem.reason}: ${item.problem.message}`
        : "",
  );

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

test.each([
  ["$GENERATE without a pattern", "\n$generate 1-9", /^2! syntax: \$GENERATE cannot be read; write /],
  ["$GENERATE of too many", "$GENERATE 0-65536 a$ 60 A 192.0.2.1", /^1! syntax: \$GENERATE would make 65537 records/],
  ["$GENERATE of a range that ends first", "$GENERATE 9-1 a$ 60 A 192.0.2.1", /^1! syntax: The range "9-1" is not one/],
  ["$GENERATE with a wrong modifier", "$GENERATE 1-2 a${x} 60 A 192.0.2.1", /^1! syntax: \$\{x\} is not a modifier/],
  ["$GENERATE that goes below zero", "$GENERATE 1-9 a${-2} 60 A 192.0.2.1", /^1! syntax: \$\{-2\} makes -1 of 1/],
] as [string, string, RegExp][])("reports with its line %s", (_, text, expected) => {
  const [only, ...more] = shown(read(text));
  expect(more).toEqual([]);
  expect(only).toMatch(expected);
});
