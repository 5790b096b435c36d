/**
 * Many zones in one import: a folder of master files, and the named.conf of a BIND.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { zoneOfFileName, zonesOfFolder, zonesOfNamedConf } from "../../../src/cli/zone-sources.ts";
import { zonesmith as start } from "../../setup/process/process.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();
beforeAll(() => service.user("owner@example.com"));

const soa = "@ 300 SOA ns1.example.net. hostmaster.example.net. 7 1 1 1 1\n@ 300 NS ns1.example.net.\n";

/** Makes a folder with these files. */
function folder(files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), "zones-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, ".."), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}

async function zonesmith(...args: string[]) {
  const { output, ended } = start(args, { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey });
  const code = await ended();
  return { code, ...output() };
}

test.each([
  ["example.com.zone", "example.com"],
  ["example.com", "example.com"],
  ["db.example.com", "example.com"],
  ["2.0.192.in-addr.arpa.db", "2.0.192.in-addr.arpa"],
  ["corp.example.dns", "corp.example"],
  ["zonefile", undefined],
  [".hidden.example.com", undefined],
  ["named.conf", undefined],
  ["Kexample.com.+013+12345.key", undefined],
  ["example.com.zone.jnl", undefined],
])("the file %s is of the zone %s", (file, zone) => {
  expect(zoneOfFileName(`/zones/${file}`)).toBe(zone);
});

test("a folder has the zones that its files are named after; the others are named too", async () => {
  const path = folder({ "b.example.zone": "", "db.a.example": "", notes: "", "inner/c.example.zone": "" });
  expect(await zonesOfFolder(path)).toEqual({
    sources: [
      { zone: "b.example", file: join(path, "b.example.zone") },
      { zone: "a.example", file: join(path, "db.a.example") },
    ],
    skipped: ["inner: it is no file", "notes: its name is not that of a zone"],
  });
});

describe("named.conf", () => {
  const conf = `
// a comment with zone "x.example" { type master; file "x"; };
options { directory "zones"; /* zone "y.example" */ listen-on { any; }; };
include "more.conf"; # the rest
zone "Primary.Example." IN { type primary; file "primary.db"; allow-transfer { key "k;{"; }; };
zone "follower.example" { type secondary; file "follower.db"; primaries { 192.0.2.1; }; };
zone "." { type hint; file "root.hints"; };
zone "127.in-addr.arpa" { type master; file "db.127"; };
zone "nofile.example" { type master; };
`;
  const more = `view "inside" { zone "master.example" { type master; file "inside/master.db"; }; };
view "outside" { zone "master.example" { type master; file "outside/master.db"; }; };`;
  const files = () => ({
    "named.conf": conf,
    "zones/more.conf": more,
    "zones/primary.db": "",
    "zones/inside/master.db": "",
  });

  test("has the files of its primary zones, with its directory, includes and views", async () => {
    const path = folder(files());
    expect(await zonesOfNamedConf(join(path, "named.conf"))).toEqual({
      sources: [
        { zone: "master.example", file: join(path, "zones/inside/master.db") },
        { zone: "primary.example", file: join(path, "zones/primary.db") },
      ],
      skipped: [
        "master.example: it is there twice, as in several views; the first was taken",
        "follower.example: its type is secondary, not primary",
        ".: every name server has it for itself",
        "127.in-addr.arpa: every name server has it for itself",
        "nofile.example: it has no file",
      ],
    });
  });

  test("with a brace that is not closed is refused", async () => {
    await expect(zonesOfNamedConf(join(folder({ "named.conf": 'zone "a.example" {' }), "named.conf"))).rejects.toThrow(
      /brace is not closed/,
    );
  });
});

test("the import of a zone that is not there says how it is created", async () => {
  const path = folder({ "none.example.zone": soa });
  const { code, stderr } = await zonesmith("import", join(path, "none.example.zone"));
  expect({ code, lines: stderr.split("\n") }).toEqual({
    code: 1,
    lines: [
      expect.stringMatching(/^zonesmith: There is no zone none\.example;/),
      "zonesmith: To create the zone, say for whom: --user you@example.com.",
      "",
    ],
  });
});

test("a folder is imported in one call: a zone that is refused does not keep the others out", async () => {
  const path = folder({
    "one.example.zone": `${soa}a 300 A 192.0.2.1\n`,
    "two.example.zone": `${soa}a 300 A 192.0.2.256\n`,
    "three.example.zone": `${soa}@ 300 ALIAS target.example.net.\n`,
    "four.example.zone": `${soa}@ 300 CNAME target.example.net.\n`,
    notes: "",
  });
  const { code, stdout, stderr } = await zonesmith("import", path, "--user", "owner@example.com", "--replace");
  expect({ code, stdout }).toEqual({ code: 1, stdout: "one.example: added 2 and removed 0 records, serial 7\n" });
  expect(stderr.split("\n")).toEqual([
    "four.example: line 3: A CNAME cannot be at the apex; write the addresses that it leads to.",
    "four.example: --skip-unsupported leaves out the lines that no zone can hold, and names them.",
    expect.stringMatching(/^three\.example: line 3: ALIAS is resolved by the service/),
    "three.example: --skip-unsupported leaves out the lines that no zone can hold, and names them.",
    expect.stringMatching(/^two\.example: line 3: .*192\.0\.2\.256/),
    "skipped notes: its name is not that of a zone",
    "zonesmith: 3 of 4 zones were not imported; see above.",
    "",
  ]);
});

test("a named.conf is imported in one call, and lines that no zone can hold are left out when that is asked for", async () => {
  const path = folder({
    "named.conf": 'zone "four.example" { type master; file "four.db"; };',
    "four.db": `${soa}@ 300 ALIAS target.example.net.\nb 300 A 192.0.2.4\n`,
  });
  const args = ["import", join(path, "named.conf"), "--user", "owner@example.com", "--replace", "--skip-unsupported"];
  const { code, stdout } = await zonesmith(...args);
  expect(code).toBe(0);
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^warning: line 3: left out\. ALIAS/),
    "four.example: added 2 and removed 0 records, serial 7",
    "",
  ]);
  const json = await zonesmith(...args, "--json");
  expect(JSON.parse(json.stdout)).toMatchObject({ zone: "four.example", added: 0, removed: 0 });
});
