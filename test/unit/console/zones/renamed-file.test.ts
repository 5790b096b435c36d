/** The master file of a zone as that of another: which of its words are names of the zone. */
import { expect, test } from "@jest/globals";
import { relativeFile } from "../../../../console/zones/renamed-file.ts";

test.each([
  ["names in the data", "MX\t10 mail.example.com.", "MX\t10 mail"],
  ["the zone's own name in the data", "CNAME\texample.com.", "CNAME\t@"],
  ["names of other zones", "NS\tns.notexample.com.", "NS\tns.notexample.com."],
  ["quoted text", 'TXT\t"to \\" mail.example.com. " "example.com."', 'TXT\t"to \\" mail.example.com. " "example.com."'],
  ["a dot within a label", "CNAME\tfoo\\046example.com.", "CNAME\tfoo\\046example.com."],
  ["a parameter", 'SVCB\t1 y.example.com. alpn="h2" k=z.example.com.', 'SVCB\t1 y alpn="h2" k=z.example.com.'],
])("%s", (_what, data, inData) => {
  for (const [owner, relative] of [
    ["example.com.", "@"],
    ["a.b.example.com.", "a.b"],
  ]) {
    const file = `${owner}\t300\tIN\t${data}\n`;
    expect(relativeFile(file, "example.com", true)).toBe(`${relative}\t300\tIN\t${inData}\n`);
    expect(relativeFile(file, "example.com", false)).toBe(`${relative}\t300\tIN\t${data}\n`);
  }
});
