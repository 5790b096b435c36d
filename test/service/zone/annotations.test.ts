/** Annotations of a zone: labels of domains and their selectors, and notes of RRsets, which move with the records. */
import { expect, test } from "@jest/globals";
import { domainsBy, listDomains } from "../../../src/zone/domain.ts";
import { labelsOfDomains, setLabels } from "../../../src/zone/domain-annotations.ts";
import { changeRecord } from "../../../src/zone/edit/change-zone.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { revertDomain } from "../../../src/zone/history/revert.ts";
import { type Label, readLabels } from "../../../src/zone/label.ts";
import { transferDomain } from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { zoneFileText } from "../../../src/zone/master-file/export.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import { notesOfDomains, setNote } from "../../../src/zone/note.ts";
import { listRecords } from "../../../src/zone/record-list.ts";
import { actorOf, reasonsOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();

/** Labels as a client sends them, from `env=prod`. */
const labelsOf = (...texts: string[]): Label[] =>
  texts.map((text) => {
    const [name = "", value = ""] = text.split("=");
    return { name, value };
  });

async function labels(zone: string): Promise<string[]> {
  const { id } = await zones.domain(zone);
  const listed = (await labelsOfDomains(zones.session(), [id])).get(id) ?? [];
  return listed.map(({ name, value }) => `${name}=${value}`);
}

test("labels are replaced as a whole, without a change of the zone", async () => {
  const zone = await zones.zone();
  const journal = await zones.journal(zone);
  const before = await zones.domain(zone);
  const sent = labelsOf("team=dns", "env=prod", "a.example/B_c.d-e=", "toString=1");
  expect(await setLabels(zones.session(), zone, sent)).toEqual(before);
  expect(await labels(zone)).toEqual(["a.example/B_c.d-e=", "env=prod", "team=dns", "toString=1"]);
  await setLabels(zones.session(), zone, labelsOf("env=test"));
  expect(await labels(zone)).toEqual(["env=test"]);
  expect(await zones.journal(zone)).toEqual(journal);
});

test.each<[string, Label[], string]>([
  ["an empty name", labelsOf("=x"), "labels.0.name"],
  ["a name that ends in a hyphen", labelsOf("a=b", "env-=x"), "labels.1.name"],
  ["a name of 64 letters", labelsOf(`${"a".repeat(64)}=x`), "labels.0.name"],
  ["a prefix in upper case", labelsOf("Example.com/env=x"), "labels.0.name"],
  ["a prefix alone", labelsOf("example.com/=x"), "labels.0.name"],
  ["two slashes", labelsOf("a/b/c=x"), "labels.0.name"],
  ["a prefix of 254 letters", labelsOf(`${"a.".repeat(126)}aa/x=x`), "labels.0.name"],
  ["a value with a blank", [{ name: "env", value: "a b" }], "labels.0.value"],
  ["a value of 64 letters", labelsOf(`env=${"a".repeat(64)}`), "labels.0.value"],
  ["a line end", [{ name: "env", value: "a\n" }], "labels.0.value"],
  ["one name twice", labelsOf("env=a", "env=b"), "labels.1.name"],
  ["33 labels", labelsOf(...Array.from({ length: 33 }, (_, n) => `l${n}=x`)), "labels"],
])("labels are refused: %s", async (_, sent, field) => {
  const zone = await zones.zone();
  expect(await reasonsOf(setLabels(zones.session(), zone, sent))).toEqual([`INVALID_VALUE ${field}`]);
  expect(await labels(zone)).toEqual([]);
});

test("32 labels of the longest form are kept", () => {
  const longest = (n: number) => ({
    name: `${"a.".repeat(125)}aaa/${"b".repeat(60)}${100 + n}`,
    value: "c".repeat(63),
  });
  expect(Object.keys(readLabels(Array.from({ length: 32 }, (_, n) => longest(n))))).toHaveLength(32);
});

test("domains and their records are found by labels", async () => {
  const [one, two, three] = [await zones.zone(), await zones.zone(), await zones.zone()];
  await setLabels(zones.session(), one, labelsOf("find=x", "stage=prod"));
  await setLabels(zones.session(), two, labelsOf("find=y", "stage=prod"));
  await setLabels(zones.session(), three, labelsOf("find="));
  const found = async (...sought: string[]) => {
    const { rows } = await listDomains(zones.session(), { labels: sought }, { first: 10 }, domainsBy("ZONE"));
    return rows.map(({ zone }) => zone);
  };
  expect(await found("find")).toEqual([one, two, three]);
  expect(await found("find=x")).toEqual([one]);
  expect(await found("find=")).toEqual([three]);
  expect(await found("stage=prod", "find=y")).toEqual([two]);
  expect(await found("stage", "find=z")).toEqual([]);
  expect(await reasonsOf(found("stage", "a b"))).toEqual(["INVALID_VALUE labels.1"]);
  expect(await reasonsOf(found("stage=a", "stage=b"))).toEqual(["INVALID_VALUE labels"]);
  for (const order of ["NAME", "CREATED"] as const) {
    const filter = { labels: ["stage=prod"], types: ["CNAME"] };
    const { rows } = await listRecords(zones.session(), filter, { first: 10, order });
    expect(rows.map(({ zone }) => zone)).toEqual([one, two]);
  }
  const filter = { zone: two, labels: ["find=x"] };
  expect((await listRecords(zones.session(), filter, { first: 10, order: "NAME" })).rows).toEqual([]);
});

test("labels are given to a new domain, are restored with a deleted domain, and stay when it gets another user", async () => {
  const zone = "labelled.example.org";
  const { domain } = await zones.create(zone, { labels: { env: "prod" } });
  expect(await labels(zone)).toEqual(["env=prod"]);
  await zones.remove(zone);
  await zones.create(zone);
  expect(await labels(zone)).toEqual([]);
  await zones.remove(zone);
  await restoreDomain(zones.session(), { id: domain.id });
  expect(await labels(zone)).toEqual(["env=prod"]);
  await transferDomain(zones.session(), zone, zones.userId);
  expect(await labels(zone)).toEqual(["env=prod"]);
});

test("a key for other zones, and other users, neither see nor write the labels of a zone", async () => {
  const zone = await zones.zone();
  await setLabels(zones.session(), zone, labelsOf("secret=x"));
  const { id } = await zones.domain(zone);
  for (const actor of [actorOf(zones.userId + 16), { ...actorOf(zones.userId), zones: ["other.example"] }]) {
    expect((await labelsOfDomains(zones.session(actor), [id])).size).toBe(0);
    expect(await reasonsOf(setLabels(zones.session(actor), zone, []))).toEqual(["NOT_FOUND zone"]);
  }
  expect(await labels(zone)).toEqual(["secret=x"]);
});

const note = (zone: string, rrset: string, text: string) => {
  const [owner = "", type = ""] = rrset.split(" ");
  return setNote(zones.session(), zone, { owner, type, text });
};

/** The notes of a zone as `owner type: text`. */
async function notes(zone: string): Promise<string[]> {
  const { id } = await zones.domain(zone);
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
  const { serial } = await zones.domain(zone);
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
  expect((await zones.domain(zone)).serial).toBe(serial);
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

test("when one change moves several RRsets to one, the note of the first moves; two RRsets that exchange places keep their notes", async () => {
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

test("notes are restored with their domain, and a new domain of the name does not get them", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  await note(zone, "a A", "of a");
  const { domainId: id } = await zones.remove(zone);
  await zones.create(zone);
  expect(await notes(zone)).toEqual([]);
  await zones.remove(zone);
  await restoreDomain(zones.session(), { id });
  expect(await notes(zone)).toEqual(["a A: of a"]);
});

test("an export has each note before its RRset as a comment that the note cannot end, and an import reads no notes", async () => {
  const zone = await zones.zone("a TXT one", "a TXT two", "b TXT x");
  await note(zone, "a TXT", `evil\n\nb 300 IN A 192.0.2.9\n$INCLUDE /etc/passwd`);
  await note(zone, "@ NS", "ours");
  const text = await zones.exported(zone);
  expect(text).toContain(`; ours\n${zone}.\t3600\tIN\tNS\t`);
  expect(text.match(/^; ours$/gm)).toHaveLength(1);
  expect(text).toContain(
    `; evil\n;\n; b 300 IN A 192.0.2.9\n; $INCLUDE /etc/passwd\na.${zone}.\t3600\tIN\tTXT\t"one"\n`,
  );
  expect(await zoneFileText(zones.session(), await zones.domain(zone))).toBe(text);
  await zones.remove(zone);
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

test("a key for other zones, and other users, neither see nor write the notes of a zone", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  await note(zone, "a A", "secret");
  const { id } = await zones.domain(zone);
  const owner = actorOf(zones.userId);
  const fields = { owner: "a", type: "A", text: "x" };
  for (const actor of [actorOf(zones.userId + 16), { ...owner, zones: ["other.example"] }]) {
    expect((await notesOfDomains(zones.session(actor), [id], {}))[0]?.rows).toEqual([]);
    expect(await reasonsOf(setNote(zones.session(actor), zone, fields))).toEqual(["NOT_FOUND zone"]);
  }
  expect(await notes(zone)).toEqual(["a A: secret"]);
  expect((await setNote(zones.session(owner), zone, fields)).note?.actor).toBe(owner.name);
});
