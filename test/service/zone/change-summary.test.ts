/** The summary of a change in lists: which records it removed, added or edited; of many records, the first. */
import { expect, test } from "@jest/globals";
import { summariesOf } from "../../../src/zone/change-summary.ts";
import type { ZoneEdits } from "../../../src/zone/edit/edit-plan.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();

async function summaryOf(id: number | undefined): Promise<Awaited<ReturnType<typeof summariesOf>>[number]> {
  const [summary] = await summariesOf(zones.session(), [id as number]);
  if (!summary) throw new Error("there is no such change");
  return summary;
}

const lastOf = async (zone: string) => (await zones.journal(zone)).at(-1)?.id;
const summaryOfLast = async (zone: string) => (await summaryOf(await lastOf(zone))).text;
const countsOfLast = async (zone: string) => {
  const { removedCount, addedCount } = await summaryOf(await lastOf(zone));
  return [removedCount, addedCount];
};

const a = (owner: string, last: number) => ({ owner, type: "A", rdata: `192.0.2.${last}` });
const many = Array.from({ length: 12 }, (_, at) => a(`host${at}`, 1));

test.each<[string, (zone: string) => Promise<ZoneEdits>]>([
  ["+ mail A 192.0.2.1", async () => ({ add: [a("mail", 1)] })],
  ["− web A 192.0.2.1", async (zone) => ({ remove: [await zones.idOf(zone, "web", "A")] })],
  [
    "web A 192.0.2.1 → 192.0.2.2",
    async (zone) => ({ update: [{ id: await zones.idOf(zone, "web", "A"), rdata: "192.0.2.2" }] }),
  ],
  ["web A TTL 3600 → 300", async (zone) => ({ update: [{ id: await zones.idOf(zone, "web", "A"), ttl: 300 }] })],
  [
    "web A 192.0.2.1 → web2 A 192.0.2.1",
    async (zone) => ({ update: [{ id: await zones.idOf(zone, "web", "A"), owner: "web2" }] }),
  ],
  ["host A +2", async () => ({ add: [a("host", 1), a("host", 2)] })],
  [
    "+1 −1 in 2 RRsets: mail A, web A",
    async (zone) => ({ remove: [await zones.idOf(zone, "web", "A")], add: [a("mail", 1)] }),
  ],
  ["+4 in 4 RRsets: host0 A, host1 A, host2 A, …", async () => ({ add: many.slice(0, 4) })],
  ["+12 in 8 or more RRsets: host0 A, host1 A, host2 A, …", async () => ({ add: many })],
])("an edit: %s", async (summary, edits) => {
  const zone = await zones.zone("web A 192.0.2.1");
  await zones.change(zone, await edits(zone));
  expect(await summaryOfLast(zone)).toBe(summary);
});

test("the numbers of an import are those of its records, the SOA and its serial aside", async () => {
  const zone = await zones.zone("web A 192.0.2.1");
  const lines = (first: number) => Array.from({ length: 20 }, (_, at) => `h${first + at} 60 A 192.0.2.1\n`);
  await importZone(zones.session(), { zone, text: lines(0), mode: "MERGE" });
  expect(await summaryOfLast(zone)).toMatch(/^\+20 in \d or more RRsets: /);
  const [soa, ns] = ["@ 60 SOA ns1.example.net. h.example.net. 1 2 3 4 5\n", "@ 60 NS ns1.example.net.\n"];
  await importZone(zones.session(), { zone, text: [soa, ns, ...lines(10)], mode: "REPLACE" });
  // Of the records, web and www come and go too, and ten stay.
  expect(await summaryOfLast(zone)).toMatch(/^\+12 −15 in \d+ or more RRsets: @ SOA, /);
  expect(await countsOfLast(zone)).toEqual([15, 12]);
});

test("an edit of the SOA is one of its fields, not of its serial", async () => {
  const zone = await zones.zone("web A 192.0.2.1");
  const { serial } = await zones.domain(zone);
  const soa = await zones.idOf(zone, "@", "SOA");
  const rdata = (next: number, refresh: number) =>
    `ns1.example.net. hostmaster.example.net. ${next} ${refresh} 3600 1209600 300`;
  await zones.change(zone, { update: [{ id: soa, rdata: rdata(serial + 1, 10_000) }] });
  await zones.change(zone, { update: [{ id: soa, rdata: rdata(serial + 2, 20_000) }] });
  expect(await summaryOfLast(zone)).toMatch(/^@ SOA .* 10000 .* → .* 20000 /);
  await zones.change(zone, { update: [{ id: soa, rdata: rdata(serial + 9, 20_000) }] });
  expect(await summaryOfLast(zone)).toBe("the serial alone");
});

test("data is shown to its first characters", async () => {
  const zone = await zones.zone();
  await zones.change(zone, { add: [{ owner: "t", type: "TXT", rdata: `"${"x".repeat(200)}"` }] });
  expect(await summaryOfLast(zone)).toBe(`+ t TXT "${"x".repeat(78)}…`);
});

test("a change of a whole zone says with how many records", async () => {
  const zone = await zones.zone("web A 192.0.2.1");
  const count = (await zones.records(zone)).length;
  const created = (await zones.journal(zone))[0]?.id as number;
  expect((await summaryOf(created)).text).toMatch(/^created with \d records$/);
  await zones.remove(zone);
  expect(await summaryOfLast(zone)).toBe(`deleted with ${count} records`);
  expect(await countsOfLast(zone)).toEqual([count, 0]);
  await restoreDomain(zones.session(), { zone });
  expect(await summaryOfLast(zone)).toBe(`restored with ${count} records`);
  expect(await countsOfLast(zone)).toEqual([0, count]);
});
