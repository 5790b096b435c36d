/**
 * A zone as a master file: every name absolute, every line whole, in an order that a reader expects.
 */
import { expect, test } from "@jest/globals";
import { domainByZone } from "../../../../src/zone/domain.ts";
import { deleteDomain } from "../../../../src/zone/edit/lifecycle.ts";
import { exportZone, zoneFileText } from "../../../../src/zone/master-file/export.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import { actorOf, reasonsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const textOf = async (zone: string) => zoneFileText(zones.session(), await domainByZone(zones.session(), zone));

test("the apex and its SOA come first, then the owners; names are absolute and data in their own form", async () => {
  const records = ["b MX 10 mail", "a.b A 192.0.2.1", '@ TXT "x y"', "u TYPE65280 \\# 2 beef", "* A 192.0.2.2"];
  const zone = await zones.zone(...records);
  const lines = (await zones.exported(zone)).trim().split("\n");
  expect(lines.map((line) => line.replaceAll(/\s+/g, " "))).toEqual([
    `${zone}. 3600 IN SOA ns1.example.net. hostmaster.example.net. 2026112102 10800 3600 1209600 3600`,
    `${zone}. 3600 IN NS ns1.example.net.`,
    `${zone}. 3600 IN NS ns2.example.net.`,
    `${zone}. 3600 IN TXT "x y"`,
    `*.${zone}. 3600 IN A 192.0.2.2`,
    `a.b.${zone}. 3600 IN A 192.0.2.1`,
    `b.${zone}. 3600 IN MX 10 mail.${zone}.`,
    `u.${zone}. 3600 IN TYPE65280 \\# 2 beef`,
    `www.${zone}. 3600 IN CNAME ${zone}.`,
  ]);
  expect(await textOf(zone)).toBe(await zones.exported(zone));
});

test("what was exported goes in again as it was", async () => {
  const zone = await zones.zone("b MX 10 mail", "a\\.b A 192.0.2.1", 't TXT "\\"quoted\\" \\;"');
  const [text, lines] = [await zones.exported(zone), await zones.lines(zone)];
  await deleteDomain(zones.session(), zone);
  await importZone(zones.session(), { zone, text: [text], mode: "REPLACE", userId: zones.userId });
  const withoutSoa = (each: string) => !each.includes(" SOA ");
  expect((await zones.lines(zone)).filter(withoutSoa)).toEqual(lines.filter(withoutSoa));
});

test("an export shows one state of the zone, whatever is committed while it is read", async () => {
  const zone = await zones.zone();
  for (const part of ["a", "b", "c"])
    await zones.add(zone, ...Array.from({ length: 1000 }, (_, at) => `h${at}.${part} A 192.0.2.1`));
  const pieces: string[] = [];
  for await (const piece of await exportZone(zones.session(), zone)) {
    if (pieces.push(piece) === 1) await zones.add(zone, "zzz A 192.0.2.9");
  }
  expect(pieces.length).toBeGreaterThan(1);
  const text = pieces.join("");
  expect(text.trim().split("\n")).toHaveLength(3004);
  expect(text).not.toContain("zzz");
  expect(text).toContain(" 2026112104 ");
});

test("a zone of more than a thousand records is streamed, and no text", async () => {
  const zone = await zones.zone();
  await zones.add(zone, ...Array.from({ length: 996 }, (_, at) => `h${at} A 192.0.2.1`));
  expect((await textOf(zone))?.trim().split("\n")).toHaveLength(1000);
  await zones.add(zone, "more A 192.0.2.1");
  expect(await textOf(zone)).toBeUndefined();
  expect((await zones.exported(zone)).trim().split("\n")).toHaveLength(1001);
});

test("a zone that is not there, or another user's, is not found before a piece is read", async () => {
  const zone = await zones.zone();
  expect(await reasonsOf(exportZone(zones.session(), "none.example.net"))).toEqual(["NOT_FOUND zone"]);
  const other = zones.session(actorOf(zones.userId + 1));
  expect(await reasonsOf(exportZone(other, zone))).toEqual(["NOT_FOUND zone"]);
});
