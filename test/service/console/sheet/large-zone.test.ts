/** A zone that has more records than a sheet holds: the others are found by the service, and edits and conflicts are as in any zone. */
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { pasteText } from "../../../../console/sheet/clipboard/paste-rows.ts";
import { add, remove, write } from "../../../../console/sheet/draft/draft.ts";
import { takeBack } from "../../../../console/sheet/model/sheet-actions.ts";
import { SheetModel } from "../../../../console/sheet/model/sheet-model.ts";
import { type StoredRow, valuesOf } from "../../../../console/sheet/records/row.ts";
import type {
  AddInput,
  JournalChange,
  RowCheck,
  SheetService,
} from "../../../../console/sheet/records/sheet-service.ts";
import { eventually } from "../../../setup/basics/eventually.ts";
import { ModelZone, noFilter, Storage, zone } from "./scene.ts";

/** The service of a zone in memory, which is read in the order of its records. */
class Service implements SheetService {
  readonly zone: ModelZone;
  readonly asked: string[] = [];
  readonly #changes: JournalChange[] = [];

  constructor(rows: readonly Omit<StoredRow, "id">[]) {
    this.zone = new ModelZone(rows);
  }

  /** Somebody changes the zone. */
  changeBySomebody(input: Partial<Parameters<ModelZone["apply"]>[0]>): void {
    const before = this.zone.rows;
    const { serial: expectedSerial } = this.zone;
    this.zone.apply({ zone, expectedSerial, remove: [], update: [], add: [], ...input });
    const known = (rows: readonly StoredRow[]) => new Set(rows.map((row) => JSON.stringify(row)));
    const without = (rows: readonly StoredRow[], others: ReadonlySet<string>) =>
      rows.filter((row) => !others.has(JSON.stringify(row)));
    const removed = without(before, known(this.zone.rows));
    const added = without(this.zone.rows, known(before));
    this.#changes.unshift({
      id: String(this.zone.serial),
      serial: this.zone.serial,
      previousSerial: expectedSerial,
      createdAt: "2026-11-22T10:00:00Z",
      author: "anna",
      removed,
      added,
      removedCount: removed.length,
      addedCount: added.length,
    });
  }

  async page(_zone: string, first: number, after: string | undefined) {
    const start = Number(after ?? 0);
    const rows = this.zone.rows.slice(start, start + Math.min(first, 4));
    const end = start + rows.length;
    const { serial } = this.zone;
    const total = this.zone.rows.length;
    return { serial, total, rows, next: end < total ? String(end) : undefined };
  }

  async ofOwner(_zone: string, owner: string) {
    this.asked.push(owner);
    return this.zone.rows.filter((row) => row.owner === owner);
  }

  async search(_zone: string, text: string, type: string) {
    this.asked.push(`${text} ${type}`);
    const rows = this.zone.rows.filter(
      (row) => `${row.owner} ${row.rdata}`.includes(text) && (type || row.type) === row.type,
    );
    return { rows: rows.slice(0, 3), isCut: rows.length > 3 };
  }

  async newestChanges() {
    return { serial: this.zone.serial, changes: this.#changes };
  }

  async check(_zone: string, records: readonly AddInput[]): Promise<RowCheck[]> {
    return records.map(() => ({ canonical: undefined, refusals: [] }));
  }

  readonly change = async () => {
    const loss = { zone, isDeletion: false, lostCount: 0, recordCount: this.zone.rows.length, isLarge: false };
    return { change: null, serial: 1, removed: [], added: [], loss, notices: [] };
  };
  readonly revert = async () => null;
  readonly readFile = () => Promise.reject(new Error("no file is read here"));
}

const a = (owner: string, last: number) => ({ owner, type: "A", ttl: 300, rdata: `192.0.2.${last}` });
// Of the last host, only one of two records is read at first.
const rows = [...Array.from({ length: 7 }, (_, at) => a(`host${at}`, at)), a("far", 1), a("far", 2), a("end", 3)];

let service: Service;
let storage: Storage;
let model: SheetModel;

function open(): SheetModel {
  return new SheetModel(service, { zone, fingerprint: "f", storage, defaultTtl: 3600, maxRows: 8 });
}

const idOf = (content: string) =>
  service.zone.rows.find(({ owner, rdata }) => `${owner} ${rdata}` === content)?.id ?? "";
const shown = (text: string) =>
  model.view({ ...noFilter, text }, undefined).rows.map(({ values: { owner, rdata } }) => `${owner} ${rdata}`);
const stage = (content: string, rdata: string) => {
  const id = idOf(content);
  const before = model.records.get(id) as StoredRow;
  model.change((draft, records) => write(draft, records, id, { ...valuesOf(before), rdata }));
};
const known = () => eventually(() => model.large.isKnown(model.draft));

beforeEach(async () => {
  service = new Service(rows);
  storage = new Storage();
  model = open();
  await model.load();
});
afterEach(() => model.stop());

test("holds as many as it may, and finds the others by the service, words and type together", async () => {
  expect(model.loading).toBe("done");
  expect(model.records).toMatchObject({ size: 8, isComplete: false, total: 10 });
  expect(shown("far")).toEqual(["far 192.0.2.1"]);
  const found = model.large.find({ ...noFilter, text: "x far", type: "A" });
  expect(model.large.search).toBe("asking");
  await found;
  expect(service.asked).toEqual(["far A"]);
  expect([model.large.search, shown("far")]).toEqual([{ isCut: false }, ["far 192.0.2.1", "far 192.0.2.2"]]);
  await model.large.find({ ...noFilter, text: "192.0.2" });
  expect(model.large.search).toEqual({ isCut: true });
  await model.large.find(noFilter);
  expect(model.large.search).toBe("none");
});

test("a search that is not answered says so, and one that is replaced says nothing", async () => {
  service.search = async () => {
    throw new Error("no answer");
  };
  await Promise.all([model.large.find({ ...noFilter, text: "first" }), model.large.find({ ...noFilter, text: "far" })]);
  expect(model.large.search).toMatchObject({ error: { message: "no answer" } });
});

test("an RRset that is edited is read whole, which is no conflict", async () => {
  stage("far 192.0.2.1", "192.0.2.77");
  expect(model.conflicts).toEqual([]);
  await known();
  expect(service.asked).toEqual(["far"]);
  expect([shown("far"), model.conflicts]).toEqual([["far 192.0.2.77", "far 192.0.2.2"], []]);
  expect(model.draft.seen.get("far A")).toHaveLength(2);
});

test("what somebody else changes in it afterwards is a conflict", async () => {
  stage("far 192.0.2.1", "192.0.2.77");
  await known();
  service.changeBySomebody({ add: [a("far", 9)] });
  await model.follow(service.zone.serial);
  expect(model.conflicts.map(({ rrset }) => rrset)).toEqual(["far A"]);
  expect(model.records.total).toBe(11);
  model.change((draft) => ({ ...draft, edits: new Map(), seen: new Map() }));
  expect(model.conflicts).toEqual([]);
});

test("so is what was changed while no page was open, and what follows a reading of the whole zone", async () => {
  stage("far 192.0.2.1", "192.0.2.77");
  model.change((draft, records) => add(draft, records, null, [{ key: "n", values: { ...a("end", 8), ttl: "" } }]));
  await known();
  model.stop();
  service.changeBySomebody({ remove: [idOf("far 192.0.2.2")] });
  model = open();
  await model.load();
  expect(model.conflicts.map(({ rrset }) => rrset)).toEqual(["far A"]);
  model.change((draft, records) => remove(draft, records, ["n"]));
  for (let at = 0; at < 40; at++) service.changeBySomebody({ add: [a(`new${at}`, at)] });
  await model.follow(service.zone.serial);
  expect(model.conflicts.map(({ rrset }) => rrset)).toEqual(["far A"]);
});

test("the review waits for the RRsets of the draft", async () => {
  stage("far 192.0.2.1", "192.0.2.77");
  await model.openReview();
  expect(model.review?.phase).toBe("ready");
  expect(model.draft.seen.get("far A")).toHaveLength(2);
});

test("a change of records that are not here is taken back, and what is pasted is known to be there already", async () => {
  const ofEnd = (recordId: string) => ({ ...a("end", 3), recordId });
  const lines = [{ kind: "add" as const, row: ofEnd(idOf("end 192.0.2.3")) }];
  expect(await takeBack(model, { serial: 7, note: "Undo: the move", lines })).toBe(true);
  expect([...model.draft.edits.values()]).toMatchObject([{ kind: "remove", before: { owner: "end" } }]);
  expect(model.note).toBe("Undo: the move");
  service.check = async (_zone, records) =>
    records.map(({ owner, type, rdata }) => ({ canonical: { owner, type, rdata, ttl: 300 }, refusals: [] }));
  const text = "far 300 A 192.0.2.2\nfar 300 A 192.0.2.4\n";
  const cells = { rows: [], column: "rdata" } as const;
  const pasted = await pasteText({ model, service, fieldsOf: () => [] }, text, cells);
  expect(pasted).toMatchObject({ kind: "staged", keys: [expect.any(String)], present: 1 });
});
