/**
 * Going back as a change set: a zone to a moment, and one change undone, staged and applied.
 */
import { expect, test } from "@jest/globals";
import { applyChangeSet } from "../../src/changeset/apply.ts";
import { previewChangeSet } from "../../src/changeset/preview.ts";
import { type StagedReturn, stageReturn, stageUndoing } from "../../src/changeset/stage-return.ts";
import { domainByZone } from "../../src/zone/domain.ts";
import { changeZone } from "../../src/zone/edit/change-zone.ts";
import { fieldsOf, reasonsOf, testZones } from "../setup/session.ts";

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
