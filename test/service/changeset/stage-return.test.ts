/**
 * Going back as a change set: a zone to a moment, and one change undone, staged and applied.
 */
import { expect, test } from "@jest/globals";
import { applyChangeSet } from "../../../src/changeset/apply.ts";
import { previewChangeSet } from "../../../src/changeset/preview.ts";
import { createChangeSet } from "../../../src/changeset/stage.ts";
import { type StagedReturn, stageReturn, stageUndoing } from "../../../src/changeset/stage-return.ts";
import type { ZonePart } from "../../../src/changeset/zone-part.ts";
import { domainByZone } from "../../../src/zone/domain.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { fieldsOf, reasonsOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const session = () => zones.session();

const change = async (zone: string, edits: Parameters<typeof changeZone>[2]) =>
  (await changeZone(session(), zone, edits)).change?.id as number;

const kept = async (zone: string) =>
  (await zones.lines(zone)).map((line) => line.replace(/ SOA (\S+ \S+) \d+/, " SOA $1"));

async function applied({ changeSet }: StagedReturn): Promise<void> {
  if (!changeSet) throw new Error("nothing was staged");
  await applyChangeSet(session(), changeSet.id, (await previewChangeSet(session(), changeSet)).fingerprint);
}

test("a zone is staged to be what it was, changes nothing until it is applied, and says what it returned to", async () => {
  const zone = await zones.zone("a A 192.0.2.1", "b TXT text");
  const before = await kept(zone);
  const id = await zones.idOf(zone, "a", "A");
  const [moment] = await zones.sql<{ id: string }>('select max(id) as id from "change" where zone = $1', [zone]);
  const changeId = Number(moment?.id);
  await change(zone, { remove: [id] });
  const soa = await zones.idOf(zone, "@", "SOA");
  const serial = (await domainByZone(session(), zone)).serial + 9;
  const rdata = `ns9.example.net. hostmaster.example.net. ${serial} 10800 3600 1209600 600`;
  await change(zone, { add: [fieldsOf("c A 192.0.2.3")], update: [{ id: soa, rdata }] });
  const after = await kept(zone);
  const staged = await stageReturn(session(), zone, { changeId }, { title: "back" });
  expect([staged.changeSet?.title, staged.changeSet?.state]).toEqual(["back", "DRAFT"]);
  expect(staged.rrsets.map(({ owner, type }) => `${owner} ${type}`)).toEqual(["@ SOA", "a A", "c A"]);
  expect(await kept(zone)).toEqual(after);
  await applied(staged);
  expect(await kept(zone)).toEqual(before);
  expect(await zones.idOf(zone, "a", "A")).toBe(id);
  const [last] = await zones.sql<{ to: string }>(
    'select returns_to as "to" from "change" where zone = $1 order by id desc limit 1',
    [zone],
  );
  expect(Number(last?.to)).toBe(changeId);
  expect((await stageReturn(session(), zone, { changeId })).changeSet).toBe(null);
  const stale = stageReturn(session(), zone, { changeId }, { expectedSerial: serial });
  expect(await reasonsOf(stale)).toEqual([["STALE_SERIAL", "expectedSerial"]]);
});

test("the undoing of one change is staged, and is refused where later changes are in its way", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  const id = await zones.idOf(zone, "a", "A");
  const edit = await change(zone, { update: [{ id, rdata: "192.0.2.2" }] });
  const before = await kept(zone);
  const staged = await stageUndoing(session(), edit);
  expect(await kept(zone)).toEqual(before);
  await applied(staged);
  expect(await kept(zone)).toContain("a 3600 A 192.0.2.1");
  expect(await stageUndoing(session(), edit)).toMatchObject({ changeSet: null, alreadyUndone: true });
  await change(zone, { update: [{ id, rdata: "192.0.2.9" }] });
  expect((await reasonsOf(stageUndoing(session(), edit)))[0]?.[0]).toBe("CHANGE_CONFLICT");
});

const stagedAs = async (...parts: ZonePart[]): Promise<StagedReturn> => ({
  changeSet: await createChangeSet(session(), { title: "t", zones: parts }),
  rrsets: [],
});

test("the return of a zone is a part of a set beside others", async () => {
  const [zone, other] = [await zones.zone("a A 192.0.2.1"), await zones.zone()];
  const [before, { serial }] = [await kept(zone), await domainByZone(session(), zone)];
  await change(zone, { remove: [await zones.idOf(zone, "a", "A")], add: [fieldsOf("b A 192.0.2.2")] });
  const edits = { add: [fieldsOf("x A 192.0.2.9")] };
  await applied(await stagedAs({ zone, revertTo: { serial } }, { zone: other, edits }));
  expect(await kept(zone)).toEqual(before);
  expect(await kept(other)).toContain("x 3600 A 192.0.2.9");
  const [last] = await zones.sql<{ to: string | null }>(
    'select returns_to as "to" from "change" where zone = $1 order by id desc limit 1',
    [zone],
  );
  expect(last?.to).not.toBeNull();
});

const file = (...lines: string[]) => ["$TTL 300", ...lines].join("\n");
const soa = "@ SOA ns1.example.net. other.example.net. 7 10800 3600 1209600 3600";
const ns = "@ 3600 NS ns1.example.net.";

test("a master file is staged as what it makes of the zone, and applied so, whatever others changed elsewhere", async () => {
  const zone = await zones.zone("a A 192.0.2.1", "b A 192.0.2.2");
  const id = await zones.idOf(zone, "a", "A");
  const text = file(soa, ns, "a A 192.0.2.1", "c A 192.0.2.3");
  const before = await kept(zone);
  const staged = await stagedAs({ zone, import: { text, mode: "REPLACE" } });
  expect(await kept(zone)).toEqual(before);
  await change(zone, { add: [fieldsOf("later A 192.0.2.4")] });
  await applied(staged);
  expect(await kept(zone)).toEqual([
    "@ 300 SOA ns1.example.net. other.example.net. 10800 3600 1209600 3600",
    ns.replace(" NS", " NS"),
    "a 300 A 192.0.2.1",
    "c 300 A 192.0.2.3",
    "later 3600 A 192.0.2.4",
  ]);
  expect(await zones.idOf(zone, "a", "A")).toBe(id);
  await applied(await stagedAs({ zone, import: { text: file("a A 192.0.2.9"), mode: "MERGE" } }));
  expect(await kept(zone)).toContain("a 300 A 192.0.2.9");
  expect(await kept(zone)).toContain("c 300 A 192.0.2.3");
  const odd = { text: file("d ALIAS a.example.net.", "d A 192.0.2.5"), mode: "MERGE" } as const;
  expect((await reasonsOf(stagedAs({ zone, import: odd })))[0]?.[0]).toBe("UNSUPPORTED_TYPE");
  await applied(await stagedAs({ zone, import: { ...odd, skipUnsupported: true } }));
  expect(await kept(zone)).toContain("d 300 A 192.0.2.5");
});

test("a return or a file goes with no other edit, and is refused at its field", async () => {
  const zone = await zones.zone();
  const both: ZonePart = { zone, revertTo: { serial: 1 }, edits: { add: [fieldsOf("x A 192.0.2.9")] } };
  expect(await reasonsOf(stagedAs(both))).toEqual([["INVALID_VALUE", "zones.0.revertTo"]]);
  const imported: ZonePart = { zone, import: { text: "", mode: "MERGE" }, delete: true };
  expect(await reasonsOf(stagedAs(imported))).toEqual([["INVALID_VALUE", "zones.0.import"]]);
  expect((await reasonsOf(stagedAs({ zone, revertTo: { serial: 1 } })))[0]?.[0]).toBe("NOT_FOUND");
  const broken = stagedAs({ zone, import: { text: file("x A nonsense"), mode: "MERGE" } });
  expect((await reasonsOf(broken))[0]?.[0]).toBe("INVALID_RDATA");
  const stale = stagedAs({ zone, import: { text: file("x A 192.0.2.1"), mode: "MERGE" }, expectedSerial: 1 });
  expect(await reasonsOf(stale)).toEqual([["STALE_SERIAL", "zones.0.expectedSerial"]]);
  const unknown = stagedAs({ zone: "unknown.example.com", import: { text: "", mode: "MERGE" } });
  expect((await reasonsOf(unknown))[0]?.[0]).toBe("NOT_FOUND");
});
