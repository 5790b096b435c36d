/**
 * Reads a zone into the records of a sheet: the first 200 rows alone, then pages of 1,000 in the background; later the owners that
 * others changed. Whatever was missed while reading is found in the journal afterwards.
 */
import type { Records } from "./records.ts";
import type { JournalChange, SheetService } from "./sheet-service.ts";

/** How many records a sheet holds. */
export const maxRows = 200_000;

const firstRows = 200;
const pageRows = 1000;
/** Above so many owners the zone is read again as a whole. */
const maxOwners = 30;

/** What was taken in: the changes since the sheet's serial, the newest first; undefined when they are more than the journal's page. */
export interface TakenIn {
  readonly changes: readonly JournalChange[] | undefined;
}

export class Reader {
  readonly #service: SheetService;
  readonly #records: Records;
  readonly #notify: () => void;
  #stop = new AbortController();
  #working: Promise<unknown> = Promise.resolve();

  constructor(service: SheetService, records: Records, notify: () => void) {
    this.#service = service;
    this.#records = records;
    this.#notify = notify;
  }

  /** Ends what is being read. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /** Reads the zone from its beginning. */
  load(): Promise<TakenIn> {
    return this.#inTurn(() => this.#load());
  }

  /** Takes in what was changed since the records were read; nothing when they are of this serial already. */
  takeIn(serial?: number): Promise<TakenIn> {
    return this.#inTurn(async () => {
      if (serial !== undefined && serial === this.#records.serial) return { changes: [] };
      return this.#takeIn(this.#stop.signal);
    });
  }

  /** One after another, also after one that failed. */
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
    let page = await this.#service.page(records.zone, firstRows, undefined, signal);
    const { serial, total } = page;
    const rows = [...page.rows];
    if (!isAgain) this.#show(serial, total, () => records.replaceAll(rows));
    while (page.next !== undefined && rows.length < maxRows) {
      page = await this.#service.page(records.zone, pageRows, page.next, signal);
      const { rows: more } = page;
      rows.push(...more);
      if (!isAgain) this.#show(serial, total, () => records.put(more));
    }
    this.#show(serial, total, () => {
      if (isAgain) records.replaceAll(rows);
      records.isComplete = page.next === undefined;
    });
    // Pages that were read after a change are of its serial, those before are not.
    return page.serial === serial ? { changes: [] } : this.#takeIn(signal);
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
    if (serial === records.serial) return { changes: [] };
    const end = changes.findIndex((change) => change.serial === records.serial);
    const next = changes.findIndex((change) => change.previousSerial === records.serial);
    const missed = end >= 0 ? changes.slice(0, end) : next >= 0 ? changes.slice(0, next + 1) : undefined;
    const owners = new Set([
      "@",
      ...(missed ?? []).flatMap(({ removed, added }) => [...removed, ...added].map(({ owner }) => owner)),
    ]);
    if (!missed?.every(({ isWhole }) => isWhole) || owners.size > maxOwners) {
      await this.#load();
      return { changes: missed };
    }
    const rows = await Promise.all([...owners].map((owner) => this.#service.ofOwner(records.zone, owner, signal)));
    const countBefore = records.size;
    records.replaceOwners(owners, rows.flat());
    if (records.total !== undefined) records.total += records.size - countBefore;
    records.serial = serial;
    this.#notify();
    return { changes: missed };
  }
}
