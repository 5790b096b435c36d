/**
 * Reads a zone into the records of a sheet: the first 200 rows, then pages of 1,000, later the owners that others changed. Changes during
 * the reading are found in the journal afterwards. Of a zone that is too large, the first records are read, and others by owner or by a
 * search (large-zone.ts).
 */
import type { Records } from "./records.ts";
import type { StoredRow } from "./row.ts";
import { isWhole, type JournalChange, type SheetService } from "./sheet-service.ts";

const firstRows = 200;
const pageRows = 1000;
/** The most owners that are read one by one; for more, the whole zone is read again. */
const maxOwners = 30;
const concurrentOwners = 10;

/** The changes since the sheet's serial, the newest first; undefined when there are more than a page of the journal. */
export type TakenIn = readonly JournalChange[] | undefined;

export class Reader {
  readonly #service: SheetService;
  readonly #records: Records;
  readonly #maxRows: number;
  readonly #notify: () => void;
  #stop = new AbortController();
  #working: Promise<unknown> = Promise.resolve();

  /** `maxRows` is how many records are held at most. */
  constructor(service: SheetService, records: Records, maxRows: number, notify: () => void) {
    this.#service = service;
    this.#maxRows = maxRows;
    this.#records = records;
    this.#notify = notify;
  }

  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  load(): Promise<TakenIn> {
    return this.#inTurn(() => this.#load());
  }

  /** Reads the changes since the records were read; none when the records are of this serial. */
  takeIn(serial?: number): Promise<TakenIn> {
    return this.#inTurn(async () => {
      if (serial !== undefined && serial === this.#records.serial) return [];
      return this.#takeIn(this.#stop.signal);
    });
  }

  readOwners(owners: ReadonlySet<string>): Promise<void> {
    return this.#inTurn(async () => {
      const rows = await this.#ofOwners([...owners], this.#stop.signal);
      this.#records.replaceOwners(owners, rows);
      this.#notify();
    });
  }

  async #ofOwners(owners: readonly string[], signal: AbortSignal): Promise<StoredRow[]> {
    const rows: StoredRow[] = [];
    for (let at = 0; at < owners.length; at += concurrentOwners) {
      const part = owners.slice(at, at + concurrentOwners);
      const read = await Promise.all(part.map((owner) => this.#service.ofOwner(this.#records.zone, owner, signal)));
      rows.push(...read.flat());
    }
    return rows;
  }

  /** Runs one reading after the other, also after a failure. */
  #inTurn<Result>(read: () => Promise<Result>): Promise<Result> {
    const result = this.#working.then(read, read);
    this.#working = result.catch(() => {});
    return result;
  }

  /** Rows are shown as they arrive; those that are shown already stay until all are read again. */
  async #load(): Promise<TakenIn> {
    const { signal } = this.#stop;
    const records = this.#records;
    const isAgain = records.isComplete;
    let page = await this.#service.page(records.zone, firstRows, undefined, true, signal);
    const { serial, total } = page;
    const rows = [...page.rows];
    if (!isAgain) this.#show(serial, total, () => records.replaceAll(rows));
    while (page.next !== undefined && rows.length < this.#maxRows) {
      page = await this.#service.page(records.zone, pageRows, page.next, records.hasChanges, signal);
      const { rows: more } = page;
      rows.push(...more);
      if (!isAgain) this.#show(serial, total, () => records.put(more));
    }
    this.#show(serial, total, () => {
      if (isAgain) records.replaceAll(rows);
      records.isComplete = page.next === undefined;
    });
    // A change came between two pages.
    return page.serial === serial ? [] : this.#takeIn(signal);
  }

  #show(serial: number, total: number | undefined, put: () => void): void {
    this.#records.serial = serial;
    this.#records.total = total;
    put();
    this.#notify();
  }

  async #takeIn(signal: AbortSignal): Promise<TakenIn> {
    const records = this.#records;
    const { serial, changes } = await this.#service.newestChanges(records.zone, signal);
    if (serial === records.serial) return [];
    const end = changes.findIndex((change) => change.serial === records.serial);
    const next = changes.findIndex((change) => change.previousSerial === records.serial);
    const missed = end >= 0 ? changes.slice(0, end) : next >= 0 ? changes.slice(0, next + 1) : undefined;
    const owners = new Set([
      "@",
      ...(missed ?? []).flatMap(({ removed, added }) => [...removed, ...added].map(({ owner }) => owner)),
    ]);
    if (!missed?.every(isWhole) || owners.size > maxOwners) {
      await this.#load();
      return missed;
    }
    records.replaceOwners(owners, await this.#ofOwners([...owners], signal));
    if (records.total !== undefined)
      records.total += missed.reduce((sum, { added, removed }) => sum + added.length - removed.length, 0);
    records.serial = serial;
    this.#notify();
    return missed;
  }
}
