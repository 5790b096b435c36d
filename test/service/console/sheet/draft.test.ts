/**
 * Any edits, undone, done again and decided, while others change the zone: what is applied is what the sheet showed. And what somebody else's
 * change means for staged edits: nothing, or a decision about an RRset.
 */
import { expect, test } from "@jest/globals";
import { inputOf } from "../../../../console/sheet/apply/input.ts";
import { add, remove, write } from "../../../../console/sheet/draft/draft.ts";
import { conflicts, keepMine, takeTheirs, withoutSent } from "../../../../console/sheet/draft/rebase.ts";
import { redo, undo } from "../../../../console/sheet/draft/undo.ts";
import { valuesOf } from "../../../../console/sheet/records/row.ts";
import { Refusal } from "../../../../src/errors.ts";
import fc from "../../../setup/basics/property.ts";
import { contentOf, Scene, shownBy } from "./scene.ts";

/** What a person, or somebody else, does. */
type Action = (scene: Scene) => void;

const at = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % Math.max(1, items.length)];
const owner = fc.constantFrom("@", "www", "mail", "new", "a.b", "WWW", "www.example.com.");
const ttl = fc.constantFrom("", "300", "900", "3600", "1h");
const address = fc.integer({ min: 1, max: 6 }).map((last) => `192.0.2.${last}`);
const index = fc.nat(20);

const writeCell: fc.Arbitrary<Action> = fc
  .record({ index, ttl, address, owner, column: fc.constantFrom("ttl", "rdata", "owner") })
  .map((chosen) => (scene) => {
    const key = at(scene.keys, chosen.index);
    const values = key === undefined ? undefined : scene.valuesAt(key);
    if (key === undefined || !values) return;
    const rdata = values.type === "A" ? chosen.address : values.rdata;
    const text = { ttl: chosen.ttl, owner: chosen.owner, rdata }[chosen.column] ?? "";
    scene.change((draft, records) => write(draft, records, key, { ...values, [chosen.column]: text }));
  });

const addRow: fc.Arbitrary<Action> = fc
  .record({ index, owner, ttl, rdata: address })
  .map(({ index: below, ...values }) => (scene) => {
    const rows = [{ key: scene.newKey(), values: { ...values, type: "A" } }];
    scene.change((draft, records) => add(draft, records, at(scene.keys, below) ?? null, rows));
  });

const removeRow: fc.Arbitrary<Action> = index.map((chosen) => (scene) => {
  const key = at(scene.keys, chosen);
  if (key !== undefined) scene.change((draft, records) => remove(draft, records, [key]));
});

const goBack: fc.Arbitrary<Action> = fc.constantFrom(undo, redo).map((go) => (scene) => {
  scene.history = go(scene.history);
});

const foreign: fc.Arbitrary<Action> = fc
  .record({
    index,
    rdata: address,
    ttl: fc.constantFrom(300, 900),
    name: fc.constantFrom("www", "new"),
    kind: fc.nat(2),
  })
  .map(({ name, index: chosen, rdata, ttl: seconds, kind }) => (scene) => {
    const old = at(
      scene.model.rows.filter(({ type }) => type === "A"),
      chosen,
    );
    try {
      if (kind === 0 || !old) scene.foreign({ add: [{ owner: name, type: "A", rdata, ttl: seconds }] }, [name]);
      else if (kind === 1) scene.foreign({ remove: [old.id] }, [old.owner]);
      else scene.foreign({ update: [{ recordId: old.id, rdata, ttl: seconds }] }, [old.owner]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  });

const decision: fc.Arbitrary<Action> = fc.boolean().map((isMine) => (scene) => scene.decide(isMine));

const actions = fc.array(fc.oneof(writeCell, writeCell, addRow, removeRow, goBack, foreign, decision), {
  maxLength: 30,
});

test("what is applied is what was shown", () => {
  let applied = 0;
  fc.assert(
    fc.property(actions, fc.boolean(), (list, isMine) => {
      const scene = new Scene();
      for (const act of list) act(scene);
      while (conflicts(scene.draft, scene.records).length > 0) scene.decide(isMine);
      if (scene.apply()) applied++;
    }),
    { numRuns: 2000 },
  );
  expect(applied).toBeGreaterThan(500);
});

test("undoing every step leaves nothing staged, and doing it all again what was shown", () => {
  fc.assert(
    fc.property(actions, (list) => {
      const scene = new Scene();
      for (const act of list) act(scene);
      const shown = shownBy(scene.draft, scene.records);
      const { past, future } = scene.history;
      for (const _ of past) scene.history = undo(scene.history);
      expect(scene.draft.edits.size).toBe(0);
      expect(shownBy(scene.draft, scene.records)).toEqual(scene.model.rows.map(contentOf).sort());
      for (const _ of past) scene.history = redo(scene.history);
      expect(scene.history.future).toEqual(future);
      expect(shownBy(scene.draft, scene.records)).toEqual(shown);
    }),
    { numRuns: 500 },
  );
});

const first = "www 3600 A 192.0.2.1";

/** A sheet in which the first address of www is edited. */
function editedScene(): { scene: Scene; key: string } {
  const scene = new Scene();
  const row = scene.row(first);
  scene.change((draft, records) => write(draft, records, row.id, { ...valuesOf(row), rdata: "192.0.2.10" }));
  return { scene, key: row.id };
}

test("a change of other names is none, and one of the same RRset a conflict with mine, theirs and the old records, which either side decides", () => {
  const { scene, key } = editedScene();
  scene.foreign({ add: [{ owner: "other", type: "A", rdata: "192.0.2.9" }] }, ["other"]);
  expect(conflicts(scene.draft, scene.records)).toEqual([]);
  // Only what was edited is sent.
  expect(inputOf(scene.draft, scene.records.serial).input.update).toEqual([{ recordId: key, rdata: "192.0.2.10" }]);
  scene.foreign({ update: [{ recordId: key, rdata: "192.0.2.20", ttl: 300 }] }, ["www"]);
  const [conflict] = conflicts(scene.draft, scene.records);
  expect(conflict?.rrset).toBe("www A");
  expect(conflict?.old.map(contentOf)).toContain(first);
  expect(conflict?.theirs.map(contentOf)).toContain("www 300 A 192.0.2.20");
  expect(conflict?.mine.map((edit) => edit.key)).toEqual([key]);
  // The TTL, which was not edited, is theirs.
  expect(shownBy(keepMine(scene.draft, scene.records, "www A"), scene.records)).toContain("www 300 A 192.0.2.10");
  expect(takeTheirs(scene.draft, scene.records, "www A").edits.size).toBe(0);
});

test("an edited record that was removed is added again, or the edit is dropped, and a decision is a step to undo", () => {
  const { scene, key } = editedScene();
  scene.foreign({ remove: [key] }, ["www"]);
  expect(scene.draft.edits.has(key)).toBe(true);
  expect(scene.records.get(key)).toBeUndefined();
  expect(conflicts(scene.draft, scene.records)).toHaveLength(1);
  expect(takeTheirs(scene.draft, scene.records, "www A").edits.size).toBe(0);
  scene.decide(true);
  expect(conflicts(scene.history.past.at(-1) ?? scene.draft, scene.records)).toHaveLength(1);
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
  expect(inputOf(scene.draft, 7).input.update).toEqual([{ recordId: row.id, rdata: rdata.replace(" 1 ", " 8 ") }]);
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
