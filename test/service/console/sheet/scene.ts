/**
 * A zone in memory that takes the input of `changeRecords` by the service's own code, and a sheet over it: the draft with its steps, and what
 * it shows.
 */

import { expect } from "@jest/globals";
import { plainOwner } from "../../../../console/parts/text/names.ts";
import { inputOf } from "../../../../console/sheet/apply/input.ts";
import { type Draft, emptyDraft } from "../../../../console/sheet/draft/draft.ts";
import type { TextStorage } from "../../../../console/sheet/draft/draft-store.ts";
import { outcomeOf } from "../../../../console/sheet/draft/outcome.ts";
import { conflicts, keepMine, takeTheirs } from "../../../../console/sheet/draft/rebase.ts";
import { type History, historyOf, step } from "../../../../console/sheet/draft/undo.ts";
import { Records } from "../../../../console/sheet/records/records.ts";
import { type RowValues, type StoredRow, valuesOf } from "../../../../console/sheet/records/row.ts";
import type { ChangeInput } from "../../../../console/sheet/records/sheet-service.ts";
import type { Filter } from "../../../../console/sheet/view/filter.ts";
import { viewOf } from "../../../../console/sheet/view/view.ts";
import { Refusal } from "../../../../src/errors.ts";
import { defaultTtl } from "../../../../src/session/operator-policy.ts";
import { parseRecord } from "../../../../src/zone/edit/canonical-record.ts";
import { WorkingCopy, type WorkingRecord } from "../../../../src/zone/edit/working-copy.ts";
import { policy } from "../../../setup/zones/session.ts";

export const zone = "example.com";

export const noFilter: Filter = { text: "", type: "", show: "all" };

/** The TTL of a record that is added without one. */
export const modelTtl = defaultTtl(policy);

type Fields = Omit<StoredRow, "id" | "ttl"> & { readonly ttl?: number | undefined };

export class ModelZone {
  serial = 0;
  #records: readonly WorkingRecord[] = [];
  #nextId = 100;

  constructor(rows: readonly Omit<StoredRow, "id">[]) {
    this.apply({ zone, expectedSerial: 0, remove: [], update: [], add: [...rows] });
  }

  get rows(): StoredRow[] {
    return this.#records.map(({ id, owner, type, ttl, rdata }) => ({ id: String(id), owner, type, ttl, rdata }));
  }

  /** Applies an input as the service does, all or nothing; throws a Refusal. */
  apply({ expectedSerial, remove, update, add }: ChangeInput): void {
    if (expectedSerial !== this.serial) throw new Error("STALE_SERIAL");
    const copy = new WorkingCopy(this.#records);
    const parse = (fields: Fields, path: string) => parseRecord(fields, zone, policy, path);
    for (const [at, id] of remove.entries()) copy.remove(Number(id), `remove.${at}`);
    copy.expectUpdates(update.map(({ recordId }) => Number(recordId)));
    for (const [at, { recordId: id, ...edit }] of update.entries()) {
      const old = this.#records.find((record) => record.id === Number(id));
      if (!old) throw new Error(`update.${at}.recordId: no record ${id}`);
      const owner = old.owner === "@" ? "@" : `${old.owner}.${zone}.`;
      const fields = { owner, type: old.type, rdata: old.rdata, ...edit, ttl: edit.ttl };
      const demand = edit.rdata === undefined ? "present" : "near";
      copy.update(Number(id), parse(fields, `update.${at}.`), `update.${at}.`, demand);
    }
    for (const [at, fields] of add.entries()) copy.add(parse(fields, `add.${at}.`), modelTtl, `add.${at}.`);
    copy.settleTtls();
    const { added, removed } = copy.difference();
    const gone = new Set(removed);
    const numbered = added.map((record) => ({ ...record, id: record.id ?? this.#nextId++ }));
    this.#records = [...this.#records.filter((record) => !gone.has(record)), ...numbered];
    this.serial++;
  }

  /** The records as a page knows them after it read the zone. */
  read(): Records {
    const records = new Records(zone);
    records.replaceAll(this.rows);
    records.serial = this.serial;
    records.isComplete = true;
    return records;
  }

  /** Reads owners again, as a page does when somebody else changed the zone. */
  readOwners(records: Records, owners: ReadonlySet<string>): void {
    records.replaceOwners(
      owners,
      this.rows.filter(({ owner }) => owners.has(owner)),
    );
    records.serial = this.serial;
  }
}

/** What a row is, without its id. */
export const contentOf = (row: { owner: string; type: string; ttl: number; rdata: string }): string =>
  `${row.owner} ${row.ttl} ${row.type} ${row.rdata}`;

const soaData = "ns1.example.net. hostmaster.example.com. 1 10800 3600 604800 3600";
const start = [
  { owner: "@", type: "SOA", ttl: 3600, rdata: soaData },
  { owner: "@", type: "NS", ttl: 3600, rdata: "ns1.example.net." },
  { owner: "www", type: "A", ttl: 3600, rdata: "192.0.2.1" },
  { owner: "www", type: "A", ttl: 3600, rdata: "192.0.2.2" },
  { owner: "mail", type: "A", ttl: 300, rdata: "192.0.2.3" },
  { owner: "@", type: "MX", ttl: 900, rdata: "10 mail.example.com." },
];

/** The rows that a sheet shows, without those that are removed. */
export function shownBy(draft: Draft, records: Records): string[] {
  const outcome = outcomeOf(draft, records, modelTtl);
  const options = { filter: noFilter, sort: undefined, outcome, wrong: new Set<string>(), defaultTtl: modelTtl };
  const { rows } = viewOf(records, draft, options);
  const kept = rows.filter(({ state }) => state !== "removed");
  return kept.map(({ values, ttl }) => contentOf({ ...values, owner: plainOwner(values.owner, zone), ttl })).sort();
}

export class Scene {
  readonly model = new ModelZone(start);
  readonly records = this.model.read();
  history: History<Draft> = historyOf(emptyDraft(zone));
  #keys = 0;

  get draft(): Draft {
    return this.history.present;
  }

  change(edit: (draft: Draft, records: Records) => Draft): void {
    this.history = step(this.history, edit(this.draft, this.records));
  }

  newKey(): string {
    return `new-${this.#keys++}`;
  }

  /** Every key of the sheet that is not the SOA's. */
  get keys(): string[] {
    const stored = this.records.rows.filter(({ type }) => type !== "SOA").map(({ id }) => id);
    return [...stored, ...[...this.draft.edits.values()].filter(({ kind }) => kind === "add").map(({ key }) => key)];
  }

  /** The stored record of this content. */
  row(content: string): StoredRow {
    const row = this.records.rows.find((each) => contentOf(each) === content);
    if (!row) throw new Error(`there is no record ${content}`);
    return row;
  }

  valuesAt(key: string): RowValues | undefined {
    const edit = this.draft.edits.get(key);
    const stored = this.records.get(key);
    return edit && edit.kind !== "remove" ? edit.values : stored && valuesOf(stored);
  }

  /** Decides the first conflict. */
  decide(isMine: boolean): void {
    const [first] = conflicts(this.draft, this.records);
    if (!first) return;
    const decide = isMine ? keepMine : takeTheirs;
    this.change((draft, records) => decide(draft, records, first.rrset));
    expect(conflicts(this.draft, this.records).map(({ rrset }) => rrset)).not.toContain(first.rrset);
  }

  /** Somebody else changes the zone, and the page reads the owners. */
  foreign(input: Partial<Parameters<ModelZone["apply"]>[0]>, owners: readonly string[]): void {
    const { serial } = this.model;
    this.model.apply({ zone, expectedSerial: serial, remove: [], update: [], add: [], ...input });
    this.model.readOwners(this.records, new Set(["@", ...owners]));
  }

  /** Applies the draft, unless the zone's rules refuse it; returns whether it was applied, which is then what was shown. */
  apply(): boolean {
    const shown = shownBy(this.draft, this.records);
    try {
      this.model.apply(inputOf(this.draft, this.records.serial).input);
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
    expect(this.model.rows.map(contentOf).sort()).toEqual(shown);
    return true;
  }
}

/** Storage in memory, which may be full. */
export class Storage implements TextStorage {
  readonly #texts = new Map<string, string>();
  isFull = false;
  get length(): number {
    return this.#texts.size;
  }
  readonly key = (at: number) => [...this.#texts.keys()][at] ?? null;
  readonly getItem = (key: string) => this.#texts.get(key) ?? null;
  readonly removeItem = (key: string) => void this.#texts.delete(key);
  setItem(key: string, value: string): void {
    if (this.isFull) throw new Error("QuotaExceededError");
    this.#texts.set(key, value);
  }
}
