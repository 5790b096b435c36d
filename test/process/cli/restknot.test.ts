/** `zonesmith import restknot`: users, zones and records of a RESTKnot. It is a stand-in, with the answers of RESTKnot 0.7. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { opened } from "../../setup/basics/opened.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { commandLine } from "../../setup/process/command-line.ts";
import { idOf, Restknot } from "../../setup/service/restknot.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService();
const cli = commandLine(service);
const restknot = opened(new Restknot());

const defaults = [
  ["@", "SOA", "one.dns.id. hostmaster.dns.id. 2019121601 10800 3600 604800 38400"],
  ["@", "NS", "one.dns.id."],
  ["@", "NS", "two.dns.id."],
] as const;
const folder = temporaryFolder({ key: "a key of RESTKnot\n", wrong: "another" });
let from: string;

beforeAll(() => {
  restknot.users = [
    {
      email: "john@example.com",
      zones: {
        "example.com": [
          ...defaults,
          ["www", "CNAME", "example.com."],
          ["@", "TXT", 'v=spf1 "a" ~all', "7200"],
          ["WWW2", "A", "192.0.2.1", "300"],
          ["relative", "CNAME", "target.example.net"],
        ],
        "strict.example": [
          ...defaults,
          ["six", "A", "2001:db8::1"],
          ["gone", "A", null],
          ["both", "CNAME", "strict.example."],
          ["both", "TXT", "beside it"],
          ["good", "A", "192.0.2.2"],
        ],
      },
    },
    { email: "jane@example.com", zones: { "other.example": defaults } },
    { email: "idle@example.com", zones: {} },
  ];
  from = `restknot ${restknot.url} --key ${join(folder, "key")} --ids ${join(folder, "ids.tsv")}`;
});

/** The new id and the name of an old id in the table. */
function rowOf(kind: "user" | "zone" | "record", at: number): readonly string[] {
  const rows = readFileSync(join(folder, "ids.tsv"), "utf8").split("\n");
  const row = rows.find((line) => line.startsWith(`${kind}\t${idOf(kind, at)}\t`));
  return row?.split("\t").slice(2) ?? [];
}

test("users, zones and records come over, what is refused is named, and a zone that is equal is left", async () => {
  const refused = `
    2> strict.example: six 3600 A 2001:db8::1: address is "2001:db8::1"; write an IPv4 address such as 192.0.2.1.
    2> strict.example: gone 3600 A: address is missing; …
    2> strict.example: --skip-refused leaves out the records that are refused, and names them.
    2> zonesmith: 1 of 3 zones were not imported; see above.
    [1]`;
  await cli.shows(`
    $ import ${from} --dry-run => [1] A dry run checks new zones as those of a user, and there is none
    $ user add jane@example.com …
    $ import ${from} --dry-run …
    example.com: would add 6 and remove 0 records
    + @ 7200 TXT "v=spf1 \\"a\\" ~all"${refused}
    $ domain list …
    $ import ${from} …
    example.com: added 6 and removed 0 records, serial 2019121601
    warning: relative 3600 CNAME target.example.net: target.example.net is relative and became target.example.net.example.com.; …${refused}
    $ import ${from} --skip-refused …
    strict.example: added 4 and removed 0 records, serial 2019121601
    left out: six 3600 A 2001:db8::1: …
    left out: gone 3600 A: …
    left out: both 3600 CNAME strict.example.: both CNAME … cannot be beside both TXT "beside it"…
    2> ${folder}/ids.tsv has the ids of RESTKnot, and those of now.
    $ domain list --user john@example.com …
    example.com …
    strict.example …
    $ user show idle@example.com …
  `);
  const again = (await cli.printed(`import ${from} --skip-refused --json`)).trim().split("\n");
  const results = new Map(again.map((line) => JSON.parse(line)).map((result) => [result.zone, result]));
  expect(results.get("example.com")).toMatchObject({ change_id: null, left_out: [] });
  expect(results.get("strict.example")).toMatchObject({ change_id: null, left_out: { length: 3 } });
});

test("the table has the ids of RESTKnot with all their digits, and those of now", async () => {
  const { user, domain } = await service.data(`{ user(by: { email: "jane@example.com" }) { id }
    domain(by: { zone: "example.com" }) { id records(types: ["SOA", "A"]) { nodes { id } } } }`);
  const [soa, address] = domain.records.nodes;
  expect(rowOf("user", 1)).toEqual([user.id, "jane@example.com"]);
  expect(rowOf("zone", 0)).toEqual([domain.id, "example.com"]);
  expect(rowOf("record", 0)).toEqual([soa.id, "@ SOA example.com"]);
  expect(rowOf("record", 5)).toEqual([address.id, "WWW2 A example.com"]);
  expect(rowOf("record", 103)).toEqual(["", "six A strict.example"]);
});

test("what cannot be read is named", () =>
  cli.shows(`
    $ import restknot ${restknot.url} => [2] write restknot, its URL, and --key
    $ import restknot ${restknot.url} --key ${folder}/none => [1] --key: ${folder}/none cannot be read (ENOENT)
    $ import restknot ${restknot.url} --key ${folder}/wrong => [1] refuses the key; --key is the file of its RESTKNOT_API_KEY.
    $ import restknot ${restknot.url}/other --key ${folder}/key => [1] answered 404 without a list; check the URL
    $ import restknot http://127.0.0.1:9 --key ${folder}/key => [1] RESTKnot at http://127.0.0.1:9 cannot be reached
    $ import example.com.zone --skip-refused => [2] need --from
    $ import example.com.zone --key ${folder}/key => [2] go with restknot
  `));

test("a RESTKnot without users has nothing to import", async () => {
  restknot.users = [];
  await cli.shows(`$ import ${from} --dry-run => [1] RESTKnot has no zone`);
});
