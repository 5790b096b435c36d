/** Text that is pasted into a sheet, and rows that are copied out of it. */
import { describe, expect, test } from "@jest/globals";
import type { RecordField } from "../../../../console/api/record-types.ts";
import { copyText } from "../../../../console/sheet/clipboard/copy.ts";
import { readPaste, rowOfLine, withoutLines } from "../../../../console/sheet/clipboard/paste.ts";
import { completed } from "../../../../console/sheet/clipboard/relative-names.ts";

const fieldCount = (type: string) => ({ MX: 2, SRV: 4, CAA: 3 })[type] ?? 1;
const rowsOf = (text: string) => {
  const pasted = readPaste(text, fieldCount);
  return pasted.kind === "rows"
    ? pasted.rows.map(({ values: { owner, type, ttl, rdata } }) => [owner, type, ttl, rdata].join("|"))
    : "file";
};

test.each([
  ["www A 192.0.2.1 ; the server", true],
  ["; nothing\nwww A 192.0.2.1", true],
  ["$TTL 300 ; short\nwww A 192.0.2.1", true],
  ['www TXT "a; b"', false],
  ["www\tTXT\t300\tv=DKIM1; k=rsa", false],
])("whether a text has comments: %j", (text, hasComments) =>
  expect(readPaste(text, fieldCount).hasComments).toBe(hasComments),
);

describe("pasted lines", () => {
  test.each([
    ["a line of a master file", "www 300 IN A 192.0.2.1", ["www|A|300|192.0.2.1"]],
    ["class before TTL", "www IN 5m A 192.0.2.1", ["www|A|5m|192.0.2.1"]],
    ["no TTL and no class", "www A 192.0.2.1", ["www|A||192.0.2.1"]],
    ["small letters", "www in a 192.0.2.1", ["www|A||192.0.2.1"]],
    ["tabs and blanks", "www\t\t300\tIN\tMX\t10 mail", ["www|MX|300|10 mail"]],
    ["a comment", "www A 192.0.2.1 ; the server\n; nothing\n\n", ["www|A||192.0.2.1"]],
    [
      "lines without a TTL have that of the line before",
      "a 300 A 192.0.2.1\nb A 192.0.2.2",
      ["a|A|300|192.0.2.1", "b|A|300|192.0.2.2"],
    ],
    [
      "cells without a TTL have none",
      "a\tA\t300\t192.0.2.1\nb\tA\t\t192.0.2.2",
      ["a|A|300|192.0.2.1", "b|A||192.0.2.2"],
    ],
    ["quoted semicolons", '@ TXT "v=DKIM1; k=rsa" ; key', ['@|TXT||"v=DKIM1; k=rsa"']],
    ["an owner with the zone's name", "www.example.com. A 192.0.2.1", ["www.example.com.|A||192.0.2.1"]],
    ["data that is not valid", "www A 192.0.2.300", ["www|A||192.0.2.300"]],
    ["the columns of the sheet", "www\tA\t300\t192.0.2.1", ["www|A|300|192.0.2.1"]],
    ["a preference in a cell of its own", "@\tMX\t10\tmail", ["@|MX||10 mail"]],
    ["a TTL before it", "@\tMX\t300\t10\tmail", ["@|MX|300|10 mail"]],
    ["a table with headings", "Owner\tType\tTTL\tData\nwww\tA\t300\t192.0.2.1", ["www|A|300|192.0.2.1"]],
    ["a table's plain text", "@\tTXT\t300\tv=DKIM1; k=rsa", ["@|TXT|300|v=DKIM1; k=rsa"]],
    ["parentheses in a table's text", "@\tTXT\t300\ta (b)\n\tTXT\t300\tc", ["@|TXT|300|a (b)", "@|TXT|300|c"]],
    ["a cell with quotation marks", '@\tTXT\t300\t"""a b"""', ['@|TXT|300|"a b"']],
    [
      "an empty first cell is the owner before it",
      "www\tA\t300\t192.0.2.1\n\tA\t300\t192.0.2.2\nmail\tA\t\t192.0.2.3\n \tMX\t10\tmail",
      ["www|A|300|192.0.2.1", "www|A|300|192.0.2.2", "mail|A||192.0.2.3", "mail|MX||10 mail"],
    ],
    [
      "an empty first cell in the first row is the apex, also below headings",
      "Owner\tType\tTTL\tData\n\tTXT\t300\ta\n\tTXT\t300\tb\nwww\tA\t\t192.0.2.1\n",
      ["@|TXT|300|a", "@|TXT|300|b", "www|A||192.0.2.1"],
    ],
    [
      "a row of a table in which the type or the data is missing stays at its place, to be corrected",
      "www\tA\t300\t192.0.2.1\nmail\t\t300\t192.0.2.2\nftp\tA\t300\t\n\t\t\t\nxmpp\tA?\t300\t192.0.2.3",
      ["www|A|300|192.0.2.1", "mail||300|192.0.2.2", "ftp|A|300|", "xmpp|A?|300|192.0.2.3"],
    ],
    ["line ends of Windows", "a A 192.0.2.1\r\nb A 192.0.2.2\r\n", ["a|A||192.0.2.1", "b|A||192.0.2.2"]],
  ])("%s", (_what, text, rows) => expect(rowsOf(text)).toEqual(rows));

  test.each([
    ["directives", "$TTL 300\nwww A 192.0.2.1"],
    ["owners that are left out", "www A 192.0.2.1\n    A 192.0.2.2"],
    ["owners that are left out before a tab", "www A 192.0.2.1\n\tA 192.0.2.2"],
    ["owners that are left out before a class", "www\tIN\tA\t192.0.2.1\n\tIN\tA\t192.0.2.2"],
    ["directives among tabs", "$TTL\t300\nwww\tA\t192.0.2.1\n\tA\t192.0.2.2"],
    ["parentheses", "@ SOA a b (\n1 2 3 4 5 )"],
    ["parentheses over several lines, also with tabs", "a\tTXT\t( b\n\tc )"],
    ["what is no record", "hello"],
  ])("%s are a whole master file, which the service reads", (_what, text) => expect(rowsOf(text)).toBe("file"));

  test("a refused line of a master file is a row, and the file without it keeps the numbers of the others", () => {
    const text = "$TTL 300\nwww A 192.0.2.300\nmail A 192.0.2.1";
    expect(rowOfLine(text, 2, fieldCount)).toEqual({
      line: 2,
      values: { owner: "www", type: "A", ttl: "300", rdata: "192.0.2.300" },
      isMasterLine: true,
    });
    expect(rowOfLine(`$ORIGIN sub\n${text}`, 3, fieldCount)?.isMasterLine).toBe(false);
    const ttlOf = (before: string) => rowOfLine(`${before}\nwww A 192.0.2.300`, 2, fieldCount)?.values.ttl;
    expect([ttlOf("mail 60 A 192.0.2.1"), ttlOf("  60 A 192.0.2.1 ; last"), ttlOf("mail A 192.0.2.1")]).toEqual([
      "60",
      "60",
      "",
    ]);
    expect(withoutLines(text, new Set([2]))).toBe("$TTL 300\n\nmail A 192.0.2.1");
  });
});

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

test("what is copied is pasted as it was, also in another zone", () => {
  const rows = [
    { owner: "@", type: "MX", ttl: 900, rdata: "10 mail.example.com." },
    { owner: "www", type: "TXT", ttl: 300, rdata: '"a; b" "c"' },
  ];
  expect(rowsOf(copyText(rows))).toEqual(["@|MX|900|10 mail.example.com.", 'www|TXT|300|"a; b" "c"']);
});
