/** A change that is taken back in the sheet: the zone is as before it, but for what somebody changed since. */
import { expect, test } from "@jest/globals";
import { changeLines, type DifferenceLine } from "../../../../console/difference/difference.ts";
import { add, remove, write } from "../../../../console/sheet/draft/draft.ts";
import { inverse } from "../../../../console/sheet/draft/inverse.ts";
import { rrsetOf, type StoredRow, valuesOf } from "../../../../console/sheet/records/row.ts";
import fc from "../../../setup/basics/property.ts";
import { contentOf, Scene, zone } from "./scene.ts";

/** What led from some rows to others, as the journal has it. */
function differenceBetween(before: readonly StoredRow[], after: readonly StoredRow[]): DifferenceLine[] {
  const without = (rows: readonly StoredRow[], others: readonly StoredRow[]) => {
    const known = new Set(others.map((row) => `${row.id} ${contentOf(row)}`));
    const left = rows.filter((row) => !known.has(`${row.id} ${contentOf(row)}`));
    return left.map(({ id, ...row }) => ({ ...row, recordId: id }));
  };
  return changeLines({ removed: without(before, after), added: without(after, before) });
}

/** Applies what is staged, and reads the zone as a page does. */
function applied(scene: Scene): Scene {
  expect(scene.apply()).toBe(true);
  const owners = new Set([...scene.model.rows, ...scene.records.rows].map(({ owner }) => owner));
  scene.model.readOwners(scene.records, owners);
  scene.change((draft, records) => remove({ ...draft, edits: new Map(), seen: new Map() }, records, []));
  return scene;
}

function takeBack(scene: Scene, lines: readonly DifferenceLine[]): number {
  let skipped = 0;
  scene.change((draft, records) => {
    const result = inverse(draft, records, lines);
    skipped = result.skipped;
    return result.draft;
  });
  return skipped;
}

const contents = (scene: Scene) => scene.model.rows.map(contentOf).sort();

/** A zone after www's .1 became .9 with another TTL, mail went, and new came; and that change. */
function changed() {
  const scene = new Scene();
  const before = scene.model.rows;
  const www = scene.row("www 3600 A 192.0.2.1");
  const values = { owner: "new", type: "A", ttl: "", rdata: "192.0.2.7" };
  scene.change((draft, records) => write(draft, records, www.id, { ...valuesOf(www), ttl: "60", rdata: "192.0.2.9" }));
  scene.change((draft, records) => remove(draft, records, [scene.row("mail 300 A 192.0.2.3").id]));
  scene.change((draft, records) => add(draft, records, null, [{ key: "n1", values }]));
  applied(scene);
  return { scene, before, www: www.id, lines: differenceBetween(before, scene.model.rows) };
}

test("what somebody changed since stays as it is, and is counted", () => {
  const { scene, lines, www } = changed();
  scene.foreign({ update: [{ recordId: www, rdata: "192.0.2.44" }] }, ["www"]);
  scene.foreign({ remove: [scene.row("new 3600 A 192.0.2.7").id] }, ["new"]);
  expect(takeBack(scene, lines)).toBe(1);
  applied(scene);
  const records = contents(scene).filter((text) => / A (?!192.0.2.2$)/.test(text));
  expect(records).toEqual(["mail 300 A 192.0.2.3", expect.stringMatching(/^www \d+ A 192.0.2.44$/)]);
});

test("what an import did has no ids and is found by its content", () => {
  const { scene, before, lines } = changed();
  const anonymous = lines.map((line) => ({ ...line, row: { ...line.row, recordId: null } }));
  const edited = anonymous.filter(({ kind }) => kind !== "change");
  expect(takeBack(scene, edited)).toBe(0);
  applied(scene);
  expect(contents(scene).filter((text) => /^(mail|new)/.test(text))).toEqual(
    before.map(contentOf).filter((text) => /^(mail|new)/.test(text)),
  );
});

test("any change, taken back at once, leaves the zone as it was", () => {
  const owner = fc.constantFrom("@", "www", "new", "a.b");
  const ttl = fc.constantFrom("", "300", "900");
  const rdata = fc.integer({ min: 1, max: 9 }).map((last) => `192.0.2.${last}`);
  const edit = fc.record({ at: fc.nat(9), kind: fc.constantFrom("add", "write", "remove"), owner, ttl, rdata });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
      const scene = new Scene();
      const before = scene.model.rows;
      for (const { kind, at, ...cells } of edits) {
        const addresses = scene.records.rows.filter(({ type }) => type === "A");
        const key = addresses[at % addresses.length]?.id ?? "";
        const values = { ...cells, type: "A" };
        if (kind === "write") scene.change((draft, records) => write(draft, records, key, values));
        else if (kind === "remove") scene.change((draft, records) => remove(draft, records, [key]));
        else scene.change((draft, records) => add(draft, records, null, [{ key: scene.newKey(), values }]));
      }
      // Two rows of the same content are refused by the service, and nothing is to be taken back.
      const names = [...scene.draft.edits.values()].map((each) =>
        each.kind === "remove" ? "" : rrsetOf(each.values, zone),
      );
      if (names.length > 0 && !scene.apply()) return;
      const owners = new Set([...scene.model.rows, ...before].map((row) => row.owner));
      scene.model.readOwners(scene.records, owners);
      const lines = differenceBetween(before, scene.model.rows);
      scene.history = new Scene().history;
      expect(takeBack(scene, lines)).toBe(0);
      applied(scene);
      expect(contents(scene)).toEqual(before.map(contentOf).sort());
      expect(takeBack(scene, lines)).toBe(0);
      expect(scene.draft.edits.size).toBe(0);
    }),
  );
});
