/**
 * What somebody else's change means for staged edits: nothing, or a decision about an RRset.
 */
import { expect, test } from "@jest/globals";
import { inputOf } from "../../../../console/sheet/apply/input.ts";
import { remove, write } from "../../../../console/sheet/draft/draft.ts";
import { conflicts, isGone, keepMine, takeTheirs, withoutSent } from "../../../../console/sheet/draft/rebase.ts";
import { valuesOf } from "../../../../console/sheet/records/row.ts";
import { contentOf } from "./model-zone.ts";
import { Scene, shownBy } from "./scene.ts";

const first = "www 3600 A 192.0.2.1";

/** A sheet in which the first address of www is edited. */
function editedScene(): { scene: Scene; key: string } {
  const scene = new Scene();
  const row = scene.row(first);
  scene.change((draft, records) => write(draft, records, row.id, { ...valuesOf(row), rdata: "192.0.2.10" }));
  return { scene, key: row.id };
}

test("a change of other names is no conflict, and the edits are sent as they were", () => {
  const { scene, key } = editedScene();
  scene.foreign({ add: [{ owner: "other", type: "A", rdata: "192.0.2.9" }] }, ["other"]);
  expect(conflicts(scene.draft, scene.records)).toEqual([]);
  expect(inputOf(scene.draft, scene.records.serial).input.update).toEqual([{ id: key, rdata: "192.0.2.10" }]);
  expect(scene.apply()).toBe(true);
});

test("a change of the same RRset is a conflict with mine, theirs and the old records, which either side decides", () => {
  const { scene, key } = editedScene();
  scene.foreign({ update: [{ id: key, rdata: "192.0.2.20", ttl: 300 }] }, ["www"]);
  const [conflict] = conflicts(scene.draft, scene.records);
  expect(conflict?.rrset).toBe("www A");
  expect(conflict?.old.map(contentOf)).toContain(first);
  expect(conflict?.theirs.map(contentOf)).toContain("www 300 A 192.0.2.20");
  expect(conflict?.mine.map((edit) => edit.key)).toEqual([key]);
  // The TTL, which was not edited, is theirs.
  expect(shownBy(keepMine(scene.draft, scene.records, "www A"), scene.records)).toContain("www 300 A 192.0.2.10");
  expect(takeTheirs(scene.draft, scene.records, "www A").edits.size).toBe(0);
});

test("an edited record that was removed is added again, or the edit is dropped", () => {
  const { scene, key } = editedScene();
  scene.foreign({ remove: [key] }, ["www"]);
  const edit = scene.draft.edits.get(key);
  expect(edit && isGone(edit, scene.records)).toBe(true);
  expect(conflicts(scene.draft, scene.records)).toHaveLength(1);
  expect(takeTheirs(scene.draft, scene.records, "www A").edits.size).toBe(0);
  scene.decide(true);
  expect([...scene.draft.edits.values()].map(({ kind }) => kind)).toEqual(["add"]);
  expect(scene.apply()).toBe(true);
  expect(scene.model.rows.map(contentOf)).toContain("www 3600 A 192.0.2.10");
});

test("a raised serial alone is no conflict of an edited SOA, which is sent with the next serial", () => {
  const scene = new Scene();
  const row = scene.records.rows.find(({ type }) => type === "SOA") ?? scene.row("SOA");
  const rdata = row.rdata.replace("hostmaster", "dns");
  scene.change((draft, records) => write(draft, records, row.id, { ...valuesOf(row), rdata }));
  scene.records.put([{ ...row, rdata: row.rdata.replace(" 1 ", " 7 ") }]);
  expect(conflicts(scene.draft, scene.records)).toEqual([]);
  expect(inputOf(scene.draft, 7).input.update).toEqual([{ id: row.id, rdata: rdata.replace(" 1 ", " 8 ") }]);
});

test("my own change is no conflict, and leaves what was staged meanwhile", () => {
  const { scene } = editedScene();
  const sent = scene.draft;
  const other = scene.row("mail 300 A 192.0.2.3").id;
  scene.change((draft, records) => remove(draft, records, [other]));
  scene.model.apply(inputOf(sent, scene.records.serial).input);
  scene.model.readOwners(scene.records, new Set(["@", "www"]));
  scene.change((draft, records) => withoutSent(draft, records, sent));
  expect([...scene.draft.edits.keys()]).toEqual([other]);
  expect(conflicts(scene.draft, scene.records)).toEqual([]);
});

test("undoing a decision brings the conflict back", () => {
  const { scene, key } = editedScene();
  scene.foreign({ update: [{ id: key, rdata: "192.0.2.20" }] }, ["www"]);
  scene.decide(true);
  expect(conflicts(scene.draft, scene.records)).toEqual([]);
  expect(conflicts(scene.history.past.at(-1) ?? scene.draft, scene.records)).toHaveLength(1);
});
