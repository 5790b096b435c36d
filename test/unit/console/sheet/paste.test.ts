/** Text that is pasted into a sheet, and rows that are copied out of it. */
import { describe, expect, test } from "@jest/globals";
import type { RecordField } from "../../../../console/api/record-types.ts";
import { copyText, tableOf } from "../../../../console/sheet/clipboard/copy.ts";
import {
  linesOf,
  readLines,
  readPaste,
  rowOfLine,
  rowOfText,
  wholeLines,
  withoutLines,
} from "../../../../console/sheet/clipboard/paste.ts";
import { completed, isForeign, relativeNames } from "../../../../console/sheet/clipboard/relative-names.ts";
import type { RowValues } from "../../../../console/sheet/records/row.ts";
import fc from "../../../setup/basics/property.ts";

const counts: Readonly<Record<string, number>> = { A: 1, AAAA: 1, CNAME: 1, TXT: 1, MX: 2, SRV: 4, CAA: 3 };
const fieldCount = (type: string) => counts[type] ?? 0;
const printed = ({ owner, type, ttl, rdata }: RowValues) => [owner, type, ttl, rdata].join("|");
const read = (text: string) => {
  const pasted = readPaste(text, fieldCount);
  return "rows" in pasted ? pasted.rows.map(printed) : pasted.kind;
};

describe("records, one a line", () => {
  test.each([
    ["no TTL", "www A 192.0.2.1", ["www|A||192.0.2.1"]],
    ["the TTL before the type", "www 5m A 192.0.2.1", ["www|A|5m|192.0.2.1"]],
    ["the TTL behind the type", "www a 300 192.0.2.1", ["www|A|300|192.0.2.1"]],
    ["a preference behind the type", "@ MX 10 mail", ["@|MX||10 mail"]],
    ["a TTL before the preference", "@ MX 300 10 mail", ["@|MX|300|10 mail"]],
    ["a TTL for the lines after it", "a 300 A 192.0.2.1\nb A 192.0.2.2", ["a|A|300|192.0.2.1", "b|A|300|192.0.2.2"]],
    ["a semicolon in quotes", '@ TXT "v=DKIM1; (k)"', ['@|TXT||"v=DKIM1; (k)"']],
    ["commas in the data", "x TXT a,b,c", ["x|TXT||a,b,c"]],
    ["an owner with the zone's name", "www.example.com. A 192.0.2.1", ["www.example.com.|A||192.0.2.1"]],
    ["data that is not valid, and none", "www A 192.0.2.300\nmail MX", ["www|A||192.0.2.300", "mail|MX||"]],
    ["line ends of Windows", "a A 192.0.2.1\r\n\r\nb A 192.0.2.2\r\n", ["a|A||192.0.2.1", "b|A||192.0.2.2"]],
  ])("%s", (_what, text, rows) => expect(read(text)).toEqual(rows));
});

describe("tables", () => {
  test.each([
    ["name, type, TTL, data", "www\tA\t300\t192.0.2.1", ["www|A|300|192.0.2.1"]],
    ["name, TTL, type, data", "www\t300\tA\t192.0.2.1", ["www|A|300|192.0.2.1"]],
    [
      "no TTL",
      "www\tA\t192.0.2.1\nb\tA\t\t192.0.2.2\nc\t\tA\t192.0.2.3",
      ["www|A||192.0.2.1", "b|A||192.0.2.2", "c|A||192.0.2.3"],
    ],
    ["a preference in a cell of its own", "@\tMX\t10\tmail", ["@|MX||10 mail"]],
    ["a TTL before it", "@\tMX\t300\t10\tmail", ["@|MX|300|10 mail"]],
    [
      "an empty first cell is the apex",
      "www\tA\t300\t192.0.2.1\n\tA\t300\t192.0.2.2",
      ["www|A|300|192.0.2.1", "@|A|300|192.0.2.2"],
    ],
    [
      "headings",
      "Content\tPriority\tHost\tType\nmail\t10\t\tmx\n192.0.2.1\t\twww\tA",
      ["@|MX||10 mail", "www|A||192.0.2.1"],
    ],
    ["plain text with semicolons and parentheses", "@\tTXT\t300\tv=DKIM1; (k)", ["@|TXT|300|v=DKIM1; (k)"]],
    ["a cell with quotation marks", '@\tTXT\t300\t"""a b"""', ['@|TXT|300|"a b"']],
    [
      "a row in which the type or the data is missing stays, to be corrected",
      "www\tA\t300\t192.0.2.1\nmail\t\t300\t192.0.2.2\nftp\tA\t300\t\n\t\t\t\nxmpp\tA?\t300\t192.0.2.3",
      ["www|A|300|192.0.2.1", "mail||300|192.0.2.2", "ftp|A|300|", "xmpp|A?|300|192.0.2.3"],
    ],
    ["commas", 'www, A, 300, 192.0.2.1\n,TXT,,"a, ""b"""', ["www|A|300|192.0.2.1", '@|TXT||a, "b"']],
    ["semicolons", 'www;A;300;192.0.2.1\n;TXT;;"a; b"', ["www|A|300|192.0.2.1", "@|TXT||a; b"]],
    ["a line end in quotes", 'www,TXT,"a\nb"', ["www|TXT||a\nb"]],
  ])("%s", (_what, text, rows) => expect(read(text)).toEqual(rows));

  const name = fc.constantFrom("@", "www", "a.b", "_sip._tcp", "mail.example.net.");
  const row: fc.Arbitrary<RowValues> = fc.record({
    owner: name,
    type: fc.constantFrom("A", "TXT", "CNAME"),
    ttl: fc.constantFrom("", "300", "1h"),
    rdata: fc.constantFrom("192.0.2.1", 'v=x; a "b", c', "host", "(x)", '"a b"'),
  });
  const columns = ["owner", "type", "ttl", "rdata"] as const;
  const headings = { owner: "Name", type: "Type", ttl: "TTL", rdata: "Value" };
  const separators = {
    "\t": (cell: string) => (cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell),
    ",": (cell: string) => `"${cell.replaceAll('"', '""')}"`,
    ";": (cell: string) => `"${cell.replaceAll('"', '""')}"`,
  };
  const orders = [columns, ["owner", "ttl", "type", "rdata"]] as const;

  test("give the same rows in any order of the columns, with headings or without, with tabs or as CSV", () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 6 }),
        fc.shuffledSubarray([...columns], { minLength: 4 }),
        fc.constantFrom(...orders),
        fc.constantFrom("\t", ",", ";") as fc.Arbitrary<keyof typeof separators>,
        fc.boolean(),
        (rows, anyOrder, plainOrder, separator, hasHeadings) => {
          const order: readonly (keyof RowValues)[] = hasHeadings ? anyOrder : plainOrder;
          const cells = rows.map((values) => order.map((column) => (values[column] === "@" ? "" : values[column])));
          const table = hasHeadings ? [order.map((column) => headings[column]), ...cells] : cells;
          const text = table.map((line) => line.map(separators[separator]).join(separator)).join("\n");
          expect(read(text)).toEqual(rows.map(printed));
        },
      ),
    );
  });

  test("are what is copied as one, with the name in every line", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
        const text = tableOf(rows)
          .map((line) => line.map(separators["\t"]).join("\t"))
          .join("\n");
        expect(read(text)).toEqual(rows.map(printed));
      }),
    );
  });

  test("what is copied as text is a master file with the same records", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
        const written = rows.map(({ rdata, ...values }) => ({
          ...values,
          ttl: values.ttl || "60",
          rdata: `"${rdata.replace(/["\\]/g, "\\$&")}"`,
        }));
        const text = copyText(written);
        expect(read(text)).toBe("file");
        expect(readLines(wholeLines(linesOf(text)), fieldCount).map(printed)).toEqual(written.map(printed));
      }),
    );
  });
});

test.each([
  ["directives", "$TTL 300\nwww A 192.0.2.1"],
  ["directives among tabs", "$TTL\t300\nwww\tA\t192.0.2.1"],
  ["a class", "www 300 IN A 192.0.2.1"],
  ["a class before the TTL", "www in 5m A 192.0.2.1"],
  ["a class between tabs", "www\tIN\tA\t192.0.2.1\n\tIN\tA\t192.0.2.2"],
  ["comments", "www A 192.0.2.1 ; the server"],
  ["names that are left out", "www A 192.0.2.1\n    A 192.0.2.2"],
  ["names that are left out before a tab", "www A 192.0.2.1\n\tA 192.0.2.2"],
  ["parentheses", "@ SOA a b (\n1 2 3 4 5 )"],
  ["parentheses over several lines, also with tabs", "a\tTXT\t( b\n\tc )"],
])("%s are of a master file, which the service reads", (_what, text) => expect(read(text)).toBe("file"));

test.each(["hello", "192.0.2.1\n192.0.2.2", "10 mail\n20 mail2", "here are the records that you asked for", "a\tb\tc"])(
  "%j is no record: values of cells, or nothing",
  (text) => expect(read(text)).toBe("values"),
);

test.each([
  ["www A 192.0.2.1", "www|A||192.0.2.1"],
  ["www\tA\t300\t192.0.2.1", "www|A|300|192.0.2.1"],
  ["www 300 IN MX 10 mail", "www|MX|300|10 mail"],
  ["www", undefined],
  ["www A", undefined],
  ["a A 192.0.2.1\nb A 192.0.2.2", undefined],
])("%j is one line with a record, or not", (text, row) => {
  const values = rowOfText(text, fieldCount);
  expect(values && printed(values)).toBe(row);
});

test("a refused line of a master file is a row, and the file without it keeps the numbers of the others", () => {
  const lines = ["$TTL 300", "www A 192.0.2.300", "  A 192.0.2.301", "mail A 192.0.2.1"];
  const rowAt = (line: number, before: readonly string[] = []) => {
    const row = rowOfLine([...before, ...lines], line, fieldCount);
    return row && printed(row);
  };
  expect([1, 2, 3].map((line) => rowAt(line))).toEqual([undefined, "www|A|300|192.0.2.300", "www|A|300|192.0.2.301"]);
  expect(rowAt(3, ["$ORIGIN globex.example."])).toBe("www.globex.example.|A|300|192.0.2.300");
  const ttlOf = (before: string) => rowOfLine([before, "www A 192.0.2.300"], 2, fieldCount)?.ttl;
  expect([ttlOf("mail 60 A 192.0.2.1"), ttlOf("  60 A 192.0.2.1 ; last"), ttlOf("mail A 192.0.2.1")]).toEqual([
    "60",
    "60",
    "",
  ]);
  expect(withoutLines(lines, new Set([2, 3]))).toBe("$TTL 300\n\n\nmail A 192.0.2.1");
});

test.each([
  [["mail.globex.example."], ["mail"]],
  [["globex.example."], ["@"]],
  [
    ["a.b.globex.example.", "globex.example.", "WWW.globex.example."],
    ["a.b", "@", "www"],
  ],
  [
    ["www.a.example.", "www.b.example."],
    ["www.a", "www.b"],
  ],
])("names of another zone are made relative: %j", (owners, names) => {
  expect(owners.every((owner) => isForeign(owner, "example.com"))).toBe(true);
  expect(relativeNames(owners)).toEqual(names);
});

test.each(["www", "www.example.com.", "EXAMPLE.com.", "mail.globex.example"])("%s is not of another zone", (owner) =>
  expect(isForeign(owner, "example.com")).toBe(false),
);

describe("names in a line of a master file", () => {
  const field = (name: string, kind: string): RecordField => ({
    name,
    kind,
    form: "TEXT",
    quoted: false,
    max: null,
    range: "",
    description: "",
    optional: false,
  });
  const fields = {
    CNAME: [field("target", "name")],
    MX: [field("preference", "u16"), field("exchange", "name")],
    RP: [field("mbox", "name"), field("txt", "name")],
    HIP: [field("key", "base64"), field("servers", "names")],
    TXT: [field("strings", "strings")],
    IPSECKEY: [
      field("precedence", "u8"),
      field("gatewayType", "u8"),
      field("algorithm", "u8"),
      field("gateway", "gateway"),
      field("publicKey", "base64"),
    ],
    AMTRELAY: [field("precedence", "u8"), field("bit", "bit"), field("relayType", "u8"), field("relay", "gateway")],
  };
  const zone = "example.com";
  const rdataOf = (type: keyof typeof fields, rdata: string, owner = "www") =>
    completed({ owner, type, ttl: "", rdata }, fields[type], zone);

  test.each([
    ["CNAME", "host.sub", "host.sub.example.com."],
    ["MX", "10  mail.example.com", "10  mail.example.com.example.com."],
    ["RP", "admin.staff about.admin", "admin.staff.example.com. about.admin.example.com."],
    ["HIP", "AwEA a.b c.d.", "AwEA a.b.example.com. c.d."],
    ["IPSECKEY", "10 3 2 gate.sub AQID", "10 3 2 gate.sub.example.com. AQID"],
    ["AMTRELAY", "10 0 3 relay.sub", "10 0 3 relay.sub.example.com."],
  ] as const)("are relative to the zone: %s %s", (type, rdata, full) => {
    const { values, warnings } = rdataOf(type, rdata);
    expect(values.rdata).toBe(full);
    expect(warnings[0]).toMatch(/is relative and became .+; end it with a dot if it is a full name\.$/);
  });

  test.each([
    ["CNAME", "host"],
    ["CNAME", "@"],
    ["CNAME", "host.sub."],
    ["CNAME", "a\\.b"],
    ["CNAME", "a.b\\\\."],
    ["MX", "10 192.0.2.1"],
    ["RP", "admin@example.net ."],
    ["TXT", "host.sub"],
    ["CNAME", "\\# 1 00"],
    ["IPSECKEY", "10 2 2 ::ffff:192.0.2.1 AQID"],
    ["AMTRELAY", "10 0 1 relay.sub"],
  ] as const)("stay as they are where they mean one name alone, or none: %s %s", (type, rdata) =>
    expect(rdataOf(type, rdata)).toEqual({ values: { owner: "www", type, ttl: "", rdata }, warnings: [] }),
  );

  test.each([
    ["www.example.com", "www.example.com.example.com."],
    ["www.example.com.", "www.example.com."],
    ["a.b", "a.b"],
  ])("so is the owner: %s", (owner, full) => expect(rdataOf("CNAME", ".", owner).values.owner).toBe(full));
});
