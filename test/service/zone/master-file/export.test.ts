/**
 * A zone as a master file: every name absolute, every line whole, in an order that a reader expects.
 */
import { expect, test } from "@jest/globals";
import { domainByZone } from "../../../../src/zone/domain.ts";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { deleteDomain } from "../../../../src/zone/edit/lifecycle.ts";
import { exportZone, zoneFileText } from "../../../../src/zone/master-file/export.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import { actorOf, fieldsOf, reasonsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const exported = async (zone: string, session = zones.session()) => {
  let text = "";
  for await (const piece of await exportZone(session, zone)) text += piece;
  return text;
};
const textOf = async (zone: string) => zoneFileText(zones.session(), await domainByZone(zones.session(), zone));

test("the apex and its SOA come first, then the owners; names are absolute and data in their own form", async () => {
  const zone = await zones.zone(
    "b MX 10 mail",
    "a.b A 192.0.2.1",
    '@ TXT "x y"',
    "u TYPE65280 \\# 2 beef",
    "* A 192.0.2.2",
  );
  const lines = (await exported(zone))
    .trim()
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " "));
  expect(lines).toEqual([
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
  expect(await textOf(zone)).toBe(await exported(zone));
});

test("what was exported goes in again as it was", async () => {
  const zone = await zones.zone("b MX 10 mail", "a\\.b A 192.0.2.1", 't TXT "\\"quoted\\" \\;"');
  const [text, lines] = [await exported(zone), await zones.lines(zone)];
  await deleteDomain(zones.session(), zone);
  await importZone(zones.session(), { zone, text: [text], mode: "REPLACE", userId: zones.userId });
  const withoutSoa = (each: string) => !each.includes(" SOA ");
  expect((await zones.lines(zone)).filter(withoutSoa)).toEqual(lines.filter(withoutSoa));
});

test("an export shows one state of the zone, whatever is committed while it is read", async () => {
  const zone = await zones.zone();
  const add = Array.from({ length: 1000 }, (_, at) => fieldsOf(`h${at} A 192.0.2.1`));
  for (const part of ["a", "b", "c"])
    await changeZone(zones.session(), zone, { add: add.map((each) => ({ ...each, owner: `${part}.${each.owner}` })) });
  const pieces: string[] = [];
  for await (const piece of await exportZone(zones.session(), zone)) {
    if (pieces.push(piece) === 1) await changeZone(zones.session(), zone, { add: [fieldsOf("zzz A 192.0.2.9")] });
  }
  expect(pieces.length).toBeGreaterThan(1);
  const text = pieces.join("");
  expect(text.trim().split("\n")).toHaveLength(3004);
  expect(text).not.toContain("zzz");
  expect(text).toContain(" 2026112104 ");
});

test("a zone of more than a thousand records is streamed, and no text", async () => {
  const zone = await zones.zone();
  const add = Array.from({ length: 996 }, (_, at) => fieldsOf(`h${at} A 192.0.2.1`));
  await changeZone(zones.session(), zone, { add });
  expect((await textOf(zone))?.trim().split("\n")).toHaveLength(1000);
  await changeZone(zones.session(), zone, { add: [fieldsOf("more A 192.0.2.1")] });
  expect(await textOf(zone)).toBeUndefined();
  expect((await exported(zone)).trim().split("\n")).toHaveLength(1001);
});

test("a zone that is not there, or another user's, is not found before a piece is read", async () => {
  const zone = await zones.zone();
  expect(await reasonsOf(exportZone(zones.session(), "none.example.net"))).toEqual([["NOT_FOUND", "zone"]]);
  const other = zones.session(actorOf(zones.userId + 1));
  expect(await reasonsOf(exportZone(other, zone))).toEqual([["NOT_FOUND", "zone"]]);
});
