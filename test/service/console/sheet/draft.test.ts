/**
 * Any edits, undone, done again and decided, while others change the zone: what is applied is what the sheet showed.
 */
import { expect, test } from "@jest/globals";
import { add, remove, write } from "../../../../console/sheet/draft/draft.ts";
import { conflicts } from "../../../../console/sheet/draft/rebase.ts";
import { redo, undo } from "../../../../console/sheet/draft/undo.ts";
import { Refusal } from "../../../../src/errors.ts";
import fc from "../../../setup/basics/property.ts";
import { contentOf } from "./model-zone.ts";
import { Scene, shownBy } from "./scene.ts";

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
      else scene.foreign({ update: [{ id: old.id, rdata, ttl: seconds }] }, [old.owner]);
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
