/** Text that is pasted into the records of a template. */
import { expect, test } from "@jest/globals";
import { pastedRecords } from "../../../../console/templates/paste.ts";

const fieldCount = (type: string) => ({ MX: 2, SRV: 4, SOA: 7 })[type] ?? 1;
const rows = (text: string) =>
  pastedRecords(text, fieldCount)?.map(({ owner, type, ttl, rdata }) => [owner, type, ttl, rdata].join("|"));

const address = "\u0024{address}";

test.each([
  ["lines with variables", `www 300 IN A ${address}\n@ MX 10 mail\n`, [`www|A|300|${address}`, "@|MX|300|10 mail"]],
  ["cells of a spreadsheet", "www\tA\t300\t192.0.2.1", ["www|A|300|192.0.2.1"]],
  [
    "a file with its origin, whose names become relative, but not text in quotes",
    '$ORIGIN Example.com.\n$TTL 3600\n@ NS ns1.example.com.\nwww.example.com. 300 CNAME example.com.\na TXT "b.example.com."\n',
    ["@|NS|3600|ns1", "www|CNAME|300|@", 'a|TXT|300|"b.example.com."'],
  ],
  [
    "an export, whose SOA names the zone",
    "example.com.\t300\tIN\tSOA\tns1.example.com. you.example.com. 1 2 3 4 5\nwww.example.com.\t300\tIN\tA\t192.0.2.1\n",
    ["@|SOA|300|ns1 you 1 2 3 4 5", "www|A|300|192.0.2.1"],
  ],
  [
    "parentheses, comments and owners that are left out",
    'a MX ( ; first\n 10 ; second\n mail )\n  A 192.0.2.1\nb TXT "(" ; no parenthesis\n',
    ["a|MX||10 mail", "a|A||192.0.2.1", 'b|TXT||"("'],
  ],
])("%s", (_what, text, expected) => expect(rows(text)).toEqual(expected));

test.each([
  ["a second origin", "$ORIGIN a.example.\nwww A 192.0.2.1\n$ORIGIN b.example.\nwww A 192.0.2.2\n"],
  ["another file", "$INCLUDE other.zone\n"],
  ["prose", "Hello,\nhere are the records you asked for.\n"],
])("%s is not read", (_what, text) => expect(rows(text)).toBeUndefined());
