/**
 * Notes of RRsets: beside the zone, and along with its RRsets wherever these go.
 */
import { expect, test } from "@jest/globals";
import { domainByZone } from "../../../src/zone/domain.ts";
import { changeRecord } from "../../../src/zone/edit/change-zone.ts";
import { createDomain, deleteDomain } from "../../../src/zone/edit/lifecycle.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { revertDomain } from "../../../src/zone/history/revert.ts";
import { zoneFileText } from "../../../src/zone/master-file/export.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import { notesOfDomains, setNote } from "../../../src/zone/note.ts";
import { listRecords } from "../../../src/zone/record-list.ts";
import { actorOf, reasonsOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();

const note = (zone: string, rrset: string, text: string) => {
  const [owner = "", type = ""] = rrset.split(" ");
  return setNote(zones.session(), zone, { owner, type, text });
};

/** The notes of a zone as `owner type: text`. */
async function notes(zone: string): Promise<string[]> {
  const { id } = await domainByZone(zones.session(), zone);
  const [page] = await notesOfDomains(zones.session(), [id], {});
  return (page?.rows ?? []).map(({ owner, type, text }) => `${owner} ${type}: ${text}`);
}

const move = async (zone: string, rrset: string, to: object) => {
  const [owner = "", type = ""] = rrset.split(" ");
  const id = await zones.idOf(zone, owner, type);
  return changeRecord(zones.session(), id, { update: [{ id, ...to }] }, {});
};

test("a note is written, replaced and removed without a change of the zone", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  const before = await zones.journal(zone);
  const { serial } = await domainByZone(zones.session(), zone);
  expect(await note(zone, "a a", "  first\r\nsecond ")).toEqual({
    note: { owner: "a", type: "A", text: "first\nsecond", actor: "system", updatedAt: zones.now },
    isAboutRrset: true,
  });
  expect(await note(zone, `a.${zone}. A`, "third")).toMatchObject({ note: { text: "third" } });
  await note(zone, "@ SOA", "of the zone");
  expect(await note(zone, "_acme-challenge TXT", "lego on www")).toMatchObject({ isAboutRrset: false });
  expect(await notes(zone)).toEqual(["@ SOA: of the zone", "_acme-challenge TXT: lego on www", "a A: third"]);
  expect(await note(zone, "a A", " ")).toEqual({ note: null, isAboutRrset: true });
  expect(await notes(zone)).toEqual(["@ SOA: of the zone", "_acme-challenge TXT: lego on www"]);
  expect(await zones.journal(zone)).toEqual(before);
  expect((await domainByZone(zones.session(), zone)).serial).toBe(serial);
});

test.each([
  ["one that is too long", "a A", "x".repeat(1001), "INVALID_VALUE text"],
  ["control characters", "a A", "a\tb", "INVALID_VALUE text"],
  ["a type that is none", "a NOTHING", "x", "UNSUPPORTED_TYPE type"],
  ["an owner outside of the zone", "a.example.org. A", "x", "OUT_OF_ZONE owner"],
])("a note is refused: %s", async (_, rrset, text, reason) => {
  const zone = await zones.zone();
  expect(await reasonsOf(note(zone, rrset, text))).toEqual([reason]);
  expect(await notes(zone)).toEqual([]);
});

test("a note stays while its RRset is edited and while it is absent", async () => {
  const zone = await zones.zone("a TXT one", "a TXT two");
  await note(zone, "a TXT", "stays");
  await move(zone, "a TXT", { rdata: "three" });
  await zones.change(zone, { remove: [await zones.idOf(zone, "a", "TXT")] });
  await zones.change(zone, { remove: [await zones.idOf(zone, "a", "TXT")] });
  await zones.add(zone, "a TXT four");
  expect(await notes(zone)).toEqual(["a TXT: stays"]);
});

test("a note moves along with the last record of its RRset, to an RRset without one", async () => {
  const zone = await zones.zone("a TXT one", "a TXT two", "c A 192.0.2.1", "d AAAA 2001:db8::1");
  await note(zone, "a TXT", "of a");
  await move(zone, "a TXT", { owner: "b" });
  expect(await notes(zone)).toEqual(["a TXT: of a"]);
  await move(zone, "a TXT", { owner: "b" });
  expect(await notes(zone)).toEqual(["b TXT: of a"]);
  await note(zone, "c A", "of c");
  await move(zone, "c A", { owner: "b", type: "TXT", rdata: "x" });
  expect(await notes(zone)).toEqual(["b TXT: of a", "c A: of c"]);
  const before = (await zones.journal(zone)).at(-1)?.serial as number;
  await note(zone, "d AAAA", "of d");
  await move(zone, "d AAAA", { owner: "e" });
  expect(await notes(zone)).toEqual(["b TXT: of a", "c A: of c", "e AAAA: of d"]);
  await revertDomain(zones.session(), zone, { serial: before });
  expect(await notes(zone)).toEqual(["b TXT: of a", "c A: of c", "d AAAA: of d"]);
});

test("of several RRsets that one change moves to one, the note of the first moves; two that change places keep theirs", async () => {
  const zone = await zones.zone("a A 192.0.2.1", "b A 192.0.2.2", "c A 192.0.2.3", "d A 192.0.2.4");
  for (const owner of ["a", "b", "c", "d"]) await note(zone, `${owner} A`, `of ${owner}`);
  const update = async (owner: string, to: string) => ({ id: await zones.idOf(zone, owner, "A"), owner: to });
  await zones.change(zone, {
    update: [await update("a", "x"), await update("b", "x"), await update("c", "d"), await update("d", "c")],
  });
  expect(await notes(zone)).toEqual(["b A: of b", "c A: of c", "d A: of d", "x A: of a"]);
});

test("a dry run moves no note", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  await note(zone, "a A", "of a");
  const update = [{ id: await zones.idOf(zone, "a", "A"), owner: "b" }];
  await zones.change(zone, { update }, { dryRun: true });
  expect(await notes(zone)).toEqual(["a A: of a"]);
});

test("notes come back with their domain, and are not those of a new one of the name", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  await note(zone, "a A", "of a");
  const { domainId: id } = await deleteDomain(zones.session(), zone);
  await createDomain(zones.session(), zones.userId, zone);
  expect(await notes(zone)).toEqual([]);
  await deleteDomain(zones.session(), zone);
  await restoreDomain(zones.session(), { id });
  expect(await notes(zone)).toEqual(["a A: of a"]);
});

test("an export has the notes before their RRsets, which nothing in them can end, and an import reads none", async () => {
  const zone = await zones.zone("a TXT one", "a TXT two", "b TXT x");
  await note(zone, "a TXT", `evil\n\nb 300 IN A 192.0.2.9\n$INCLUDE /etc/passwd`);
  await note(zone, "@ NS", "ours");
  const text = await zones.exported(zone);
  expect(text).toContain(`; ours\n${zone}.\t3600\tIN\tNS\t`);
  expect(text.match(/^; ours$/gm)).toHaveLength(1);
  expect(text).toContain(
    `; evil\n;\n; b 300 IN A 192.0.2.9\n; $INCLUDE /etc/passwd\na.${zone}.\t3600\tIN\tTXT\t"one"\n`,
  );
  expect(await zoneFileText(zones.session(), await domainByZone(zones.session(), zone))).toBe(text);
  await deleteDomain(zones.session(), zone);
  await importZone(zones.session(), { zone, text: [text], mode: "REPLACE", userId: zones.userId });
  expect([await notes(zone), (await zones.exported(zone)).replaceAll(/\d{10}/g, "")]).toEqual([
    [],
    text.replaceAll(/^;.*\n/gm, "").replaceAll(/\d{10}/g, ""),
  ]);
});

test("records are found by their note, in a zone and across zones", async () => {
  const [zone, other] = [await zones.zone("a TXT one", "b TXT two"), await zones.zone("a TXT one")];
  await note(zone, "a TXT", "Ask Émile\nabout 100%");
  await note(other, "a TXT", "ask nobody");
  const found = async (filter: object) => {
    const { rows } = await listRecords(zones.session(), filter, { first: 10, order: "NAME" });
    return rows.map(({ zone, owner }) => `${owner}.${zone}`);
  };
  expect(await found({ zone, noteContains: "ASK" })).toEqual([`a.${zone}`]);
  expect(await found({ noteContains: "Émile\nABOUT" })).toEqual([`a.${zone}`]);
  expect(await found({ noteContains: "100%" })).toEqual([`a.${zone}`]);
  expect(await found({ noteContains: "ask ", types: ["TXT"] })).toEqual([`a.${zone}`, `a.${other}`]);
  expect(await found({ noteContains: "nothing" })).toEqual([]);
});

test("only those who see the zone see and write its notes", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  await note(zone, "a A", "secret");
  const { id } = await domainByZone(zones.session(), zone);
  const stranger = zones.session(actorOf(zones.userId + 16));
  const owner = actorOf(zones.userId);
  const fields = { owner: "a", type: "A", text: "x" };
  expect((await notesOfDomains(stranger, [id], {}))[0]?.rows).toEqual([]);
  expect(await reasonsOf(setNote(stranger, zone, fields))).toEqual(["NOT_FOUND zone"]);
  expect(await reasonsOf(setNote(zones.session({ ...owner, readOnly: true }), zone, fields))).toEqual(["FORBIDDEN"]);
  const limited = zones.session({ ...owner, zones: ["other.example"] });
  expect(await reasonsOf(setNote(limited, zone, fields))).toEqual(["NOT_FOUND zone"]);
  expect(await notes(zone)).toEqual(["a A: secret"]);
  expect((await setNote(zones.session(owner), zone, fields)).note?.actor).toBe(owner.name);
});
