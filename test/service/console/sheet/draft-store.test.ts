/** Drafts in the browser's storage: they outlive the page, and tabs share them. */
import { expect, test } from "@jest/globals";
import { add, emptyDraft, remove } from "../../../../console/sheet/draft/draft.ts";
import { DraftStore, forgetDrafts, parseDraft, stagedCounts } from "../../../../console/sheet/draft/draft-store.ts";
import { Scene, Storage, zone } from "./scene.ts";

const { records } = new Scene();
const values = { owner: "new", type: "A", ttl: "", rdata: "192.0.2.1" };
const ids = records.rows.filter(({ type }) => type === "A").map(({ id }) => id);
const addOne = (store: DraftStore, key: string) =>
  store.change((draft) => add(draft, records, null, [{ key, values }]));

test("a draft is there again after a reload, and of another key or zone it is not", () => {
  const storage = new Storage();
  const store = new DraftStore(storage, "aaaa", zone);
  addOne(store, "n1");
  store.change((draft) => remove(draft, records, ids));
  const again = new DraftStore(storage, "aaaa", zone);
  expect(again.draft).toEqual(store.draft);
  expect(new DraftStore(storage, "bbbb", zone).draft.edits.size).toBe(0);
  expect(new DraftStore(storage, "aaaa", "example.net").draft.edits.size).toBe(0);
});

test("two tabs make one draft, in which each sees the other's edits and undoes its own", () => {
  const storage = new Storage();
  const [one, two] = [new DraftStore(storage, "aaaa", zone), new DraftStore(storage, "aaaa", zone)];
  let notified = 0;
  one.subscribe(() => notified++);
  addOne(one, "n1");
  addOne(two, "n2");
  addOne(one, "n3");
  expect([...one.draft.edits.keys()]).toEqual(["n1", "n2", "n3"]);
  two.readStorage();
  expect(two.draft).toEqual(one.draft);
  one.undo();
  two.readStorage();
  expect([...two.draft.edits.keys()]).toEqual(["n1", "n2"]);
  expect(notified).toBeGreaterThan(2);
});

test("a draft keeps its note and the change that it undoes, which the next edit makes another; a note of another tab is no step", () => {
  const storage = new Storage();
  const [one, two] = [new DraftStore(storage, "aaaa", zone), new DraftStore(storage, "aaaa", zone)];
  one.change((draft) => ({ ...add(draft, records, null, [{ key: "n1", values }]), note: "undo of 7", undoes: "c7" }));
  expect(new DraftStore(storage, "aaaa", zone).draft).toMatchObject({ note: "undo of 7", undoes: "c7" });
  two.readStorage();
  one.mapAll((draft) => ({ ...draft, note: "why" }));
  two.readStorage();
  expect(two.draft).toMatchObject({ note: "why", undoes: "c7" });
  addOne(one, "n2");
  expect(one.draft).toMatchObject({ note: "why" });
  expect(one.draft.undoes).toBeUndefined();
  two.undo();
  two.undo();
  expect(two.draft.edits.size).toBe(0);
});

test("counts staged edits by zone, for the header, and forgets those of a key", () => {
  const storage = new Storage();
  addOne(new DraftStore(storage, "aaaa", zone), "n1");
  addOne(new DraftStore(storage, "aaaa", "a.example"), "n1");
  addOne(new DraftStore(storage, "bbbb", zone), "n1");
  expect([...stagedCounts(storage, "aaaa")]).toEqual([
    ["a.example", 1],
    [zone, 1],
  ]);
  forgetDrafts(storage, "aaaa");
  expect(stagedCounts(storage, "aaaa").size).toBe(0);
  expect(stagedCounts(storage, "bbbb").size).toBe(1);
});

test("an empty draft leaves nothing in the storage", () => {
  const storage = new Storage();
  const store = new DraftStore(storage, "aaaa", zone);
  addOne(store, "n1");
  store.undo();
  expect(storage.length).toBe(0);
  store.redo();
  expect(storage.length).toBe(1);
});

test("a full storage is said, and the draft stays in the page", () => {
  const storage = new Storage();
  const store = new DraftStore(storage, "aaaa", zone);
  storage.isFull = true;
  addOne(store, "n1");
  expect([store.isKept, store.draft.edits.size]).toEqual([false, 1]);
  storage.isFull = false;
  addOne(store, "n2");
  expect([store.isKept, store.draft.edits.size, storage.length]).toEqual([true, 2, 1]);
});

test.each([
  ...["", "null", "[]", "{}", "{"],
  ...['{"form":1,"edits":[{}],"seen":[]}', '{"form":1,"edits":[],"seen":[["a",[1]]]}'],
])("what is in the storage and is not a draft is an empty one: %s", (text) =>
  expect(parseDraft(text, zone)).toEqual(emptyDraft(zone)),
);
