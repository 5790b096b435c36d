/**
 * A zone with more records than a sheet holds: the service searches for the filter's text, and the owners that a draft touches are read
 * whole, so that changes by others are seen there as in any zone.
 */
import type { Draft } from "../draft/draft.ts";
import type { DraftStore } from "../draft/draft-store.ts";
import { admitLoaded } from "../draft/rebase.ts";
import type { Reader } from "../records/reader.ts";
import type { Records } from "../records/records.ts";
import type { SheetService } from "../records/sheet-service.ts";
import { type Filter, mainWord } from "../view/filter.ts";

/** The search by the service: none, under way, done (`isCut` says that more records match), or failed. */
type Search = "none" | "asking" | { readonly isCut: boolean } | { readonly error: Error };

/** The owner of an RRset's name, as `rrsetOf` makes it. */
const ownerOf = (rrset: string) => rrset.slice(0, rrset.lastIndexOf(" "));

interface Parts {
  readonly service: SheetService;
  readonly records: Records;
  readonly drafts: DraftStore;
  readonly reader: Reader;
  readonly notify: () => void;
}

export class LargeZone {
  search: Search = "none";
  readonly #parts: Parts;
  /**
   * RRsets that the draft remembers with all records: those of an earlier page, and those that were read whole. A difference in one is
   * somebody else's change.
   */
  readonly #remembered: Set<string>;
  #request = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#remembered = new Set(parts.drafts.draft.seen.keys());
  }

  /** Whether all records of the RRsets that a draft touches are read, so that conflicts can be seen. */
  isKnown({ seen }: Draft): boolean {
    const { records } = this.#parts;
    return records.isComplete || [...seen.keys()].every((name) => records.hasWhole(ownerOf(name)));
  }

  /** Adds the records that the service finds; a newer search ends an older one. Throws nothing: `search` has the error. */
  async find({ text, type }: Filter): Promise<void> {
    this.stop();
    const { service, records } = this.#parts;
    const sought = mainWord(text, records.zone);
    if (sought === "" && type === "") return this.#set("none");
    const { signal } = this.#request;
    this.#set("asking");
    try {
      const { rows, isCut } = await service.search(records.zone, sought, type, signal);
      if (signal.aborted) return;
      records.put(rows);
      this.#set({ isCut });
    } catch (error) {
      if (!signal.aborted) this.#set({ error: error as Error });
    }
  }

  stop(): void {
    this.#request.abort();
    this.#request = new AbortController();
  }

  /** Has the draft remember the records that were read after an edit was staged. */
  admitLoaded(remembered: ReadonlySet<string> = this.#remembered): void {
    const { records, drafts } = this.#parts;
    drafts.mapAll((draft) => admitLoaded(draft, records, remembered));
  }

  /** Reads the records of those owners that are not read whole. Throws what the service throws. */
  async readOwners(owners: Iterable<string>): Promise<void> {
    const { records, reader } = this.#parts;
    const missing = new Set([...owners].filter((owner) => !records.hasWhole(owner)));
    if (missing.size > 0) await reader.readOwners(missing);
  }

  async readTouched(): Promise<void> {
    const { records, drafts } = this.#parts;
    if (records.isComplete) return;
    const names = [...drafts.draft.seen.keys()];
    await this.readOwners(names.map(ownerOf));
    const before = new Set(this.#remembered);
    for (const name of names) this.#remembered.add(name);
    if (this.#remembered.size > before.size) this.admitLoaded(before);
  }

  #set(search: Search): void {
    this.search = search;
    this.#parts.notify();
  }
}
