/**
 * The master file of a zone as that of another: which of its words are names of the zone.
 */
import { expect, test } from "@jest/globals";
import { relativeFile } from "../../../../console/zones/renamed-file.ts";

const lines: readonly (readonly [what: string, line: string, inData: string, ownersAlone: string])[] = [
  ["the apex", "example.com.\t300\tIN\tA\t192.0.2.1", "@\t300\tIN\tA\t192.0.2.1", "@\t300\tIN\tA\t192.0.2.1"],
  [
    "names in the data",
    "www.example.com.\t300\tIN\tMX\t10 mail.example.com.",
    "www\t300\tIN\tMX\t10 mail",
    "www\t300\tIN\tMX\t10 mail.example.com.",
  ],
  [
    "the zone's own name in the data",
    "a.b.example.com.\t300\tIN\tCNAME\texample.com.",
    "a.b\t300\tIN\tCNAME\t@",
    "a.b\t300\tIN\tCNAME\texample.com.",
  ],
  [
    "names of other zones",
    "x.example.com.\t300\tIN\tNS\tns.notexample.com.",
    "x\t300\tIN\tNS\tns.notexample.com.",
    "x\t300\tIN\tNS\tns.notexample.com.",
  ],
  [
    "quoted text",
    'x.example.com.\t300\tIN\tTXT\t"to \\" mail.example.com. " "example.com."',
    'x\t300\tIN\tTXT\t"to \\" mail.example.com. " "example.com."',
    'x\t300\tIN\tTXT\t"to \\" mail.example.com. " "example.com."',
  ],
  [
    "a dot within a label",
    "x.example.com.\t300\tIN\tCNAME\tfoo\\046example.com.",
    "x\t300\tIN\tCNAME\tfoo\\046example.com.",
    "x\t300\tIN\tCNAME\tfoo\\046example.com.",
  ],
  [
    "a parameter",
    'x.example.com.\t300\tIN\tSVCB\t1 y.example.com. alpn="h2" key65400=z.example.com.',
    'x\t300\tIN\tSVCB\t1 y alpn="h2" key65400=z.example.com.',
    'x\t300\tIN\tSVCB\t1 y.example.com. alpn="h2" key65400=z.example.com.',
  ],
];

test.each(lines)("%s", (_what, line, inData, ownersAlone) => {
  expect(relativeFile(`${line}\n`, "example.com", true)).toBe(`${inData}\n`);
  expect(relativeFile(`${line}\n`, "example.com", false)).toBe(`${ownersAlone}\n`);
});
