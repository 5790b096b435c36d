/**
 * What a sheet does in a zone that has more records than it holds: the service searches for those that the filter seeks, and the owners
 * that a draft touches are read whole, so that a change by somebody else is seen there as in any zone.
 */
import type { Draft } from "../draft/draft.ts";
import type { DraftStore } from "../draft/draft-store.ts";
import { admitLoaded } from "../draft/rebase.ts";
import type { Reader } from "../records/reader.ts";
import type { Records } from "../records/records.ts";
import type { SheetService } from "../records/sheet-service.ts";
import { type Filter, mainWord } from "../view/filter.ts";

/** The search for what the filter seeks: whether more match than were found, or why there is no answer. */
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
   * RRsets that the draft remembers with all of their records, as they were: those of an earlier page, where a difference is somebody
   * else's change, and those that were read whole.
   */
  readonly #remembered: Set<string>;
  #request = new AbortController();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#remembered = new Set(parts.drafts.draft.seen.keys());
  }

  /** Whether all records of the RRsets that a draft touches are here, so that they can be compared with those it remembers. */
  isKnown({ seen }: Draft): boolean {
    const { records } = this.#parts;
    return records.isComplete || [...seen.keys()].every((name) => records.hasWhole(ownerOf(name)));
  }

  /** Takes in the records that the service finds; a newer search ends an older one. Throws nothing: `search` says what is wrong. */
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

  /** Has the draft remember what was staged before all of it was read with the records that came later. */
  admitLoaded(remembered: ReadonlySet<string> = this.#remembered): void {
    const { records, drafts } = this.#parts;
    drafts.mapAll((draft) => admitLoaded(draft, records, remembered));
  }

  /** Reads the records of these owners, as far as they are not all here. Throws what the service throws. */
  async readOwners(owners: Iterable<string>): Promise<void> {
    const { records, reader } = this.#parts;
    const missing = new Set([...owners].filter((owner) => !records.hasWhole(owner)));
    if (missing.size > 0) await reader.readOwners(missing);
  }

  /** Reads the owners that the draft touches. Throws what the service throws. */
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
