/** Where an import of many zones finds them: a folder of master files, and the named.conf of a BIND. */
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { zoneOfFileName, zonesOfFolder, zonesOfNamedConf } from "../../../src/cli/zone-sources.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";

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
  ["example.com.zone~", undefined],
  ["example.com.zone.orig", undefined],
  ["example.com.zone.dpkg-dist", undefined],
  ["example.com.zone.rpmsave", undefined],
  ["example.com.zone.txt", undefined],
  ["example.new.zone", "example.new"],
])("the file %s is of the zone %s", (file, zone) => {
  expect(zoneOfFileName(`/zones/${file}`)).toBe(zone);
});

test("a folder has the zones that its files are named after; the others are named too", async () => {
  const path = temporaryFolder({ "b.example.zone": "", "db.a.example": "", notes: "", "inner/c.example.zone": "" });
  expect(await zonesOfFolder(path)).toEqual({
    sources: [
      { zone: "b.example", file: join(path, "b.example.zone") },
      { zone: "a.example", file: join(path, "db.a.example") },
    ],
    skipped: ["inner: it is no file", "notes: its name is not that of a zone"],
  });
});

test("a named.conf has the files of its primary zones, with its directory, includes and views", async () => {
  const conf = `
// a comment with zone "x.example" { type master; file "x"; };
options { directory "zones"; dnssec-policy standard; /* zone "y.example" */ listen-on { any; }; };
include "more.conf"; # the rest
zone "Primary.Example." IN { type primary; file "primary.db"; dnssec-policy none; allow-transfer { key "k;{"; }; };
zone "follower.example" { type secondary; file "follower.db"; primaries { 192.0.2.1; }; };
zone "." { type hint; file "root.hints"; };
zone "127.in-addr.arpa" { type master; file "db.127"; };
zone "nofile.example" { type master; };
zone "missing.example" { type master; file "missing.db"; };
`;
  const more = `view "inside" { zone "master.example" { type master; file "inside/master.db"; }; };
view "outside" { zone "master.example" { type master; file "outside/master.db"; }; };`;
  const files = { "named.conf": conf, "zones/more.conf": more, "zones/primary.db": "", "zones/inside/master.db": "" };
  const path = temporaryFolder(files);
  expect(await zonesOfNamedConf(join(path, "named.conf"))).toEqual({
    sources: [
      {
        zone: "master.example",
        file: join(path, "zones/inside/master.db"),
        warning: expect.stringContaining("has a DS"),
      },
      { zone: "primary.example", file: join(path, "zones/primary.db") },
      { zone: "missing.example", file: join(path, "zones/missing.db"), warning: expect.stringContaining("has a DS") },
    ],
    skipped: [
      "master.example: it is there twice, as in several views; the first was taken",
      "follower.example: its type is secondary, not primary",
      ".: every name server has it for itself",
      "127.in-addr.arpa: every name server has it for itself",
      "nofile.example: it has no file",
    ],
  });
  const open = join(temporaryFolder({ "named.conf": 'zone "a.example" {' }), "named.conf");
  await expect(zonesOfNamedConf(open)).rejects.toThrow(/brace is not closed/);
});
