/**
 * The ledger: what was seen and said since the last write. One write is under way at a time, the next takes all that came meanwhile;
 * of several entries about the same thing the latest counts. When the database is away, they wait. When a newer term holds, the
 * ledger is closed: nothing of it may be written any more.
 */
import type { Contact, Seen } from "../secondary/sighting.ts";

/** Writes to the database; answers false when a newer term holds. */
export type Write = (seen: readonly Seen[], contacts: readonly Contact[]) => Promise<boolean>;

/** Rows of one write at most. */
const most = 2000;
const afterFailureMs = 1000;

export class Ledger {
  readonly #write: Write;
  readonly #onLost: () => void;
  readonly #onError: (error: unknown) => void;
  readonly #seen = new Map<string, Seen>();
  readonly #contacts = new Map<number, Contact>();
  #writing = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(write: Write, on: { readonly lost: () => void; readonly error: (error: unknown) => void }) {
    this.#write = write;
    this.#onLost = on.lost;
    this.#onError = on.error;
  }

  see(seen: Seen): void {
    this.#seen.set(`${seen.secondaryId} ${seen.domainId}`, seen);
    this.#flush();
  }

  contact(secondaryId: number, said: Partial<Omit<Contact, "secondaryId">>): void {
    const before = this.#contacts.get(secondaryId) ?? { ...nothing, secondaryId };
    this.#contacts.set(secondaryId, { ...before, ...said });
    this.#flush();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
  }

  #flush(): void {
    if (this.#writing || this.#closed || this.#retry) return;
    this.#writing = true;
    // What else this turn of the event loop has to tell goes along.
    setImmediate(() => void this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    while (!this.#closed && this.#seen.size + this.#contacts.size > 0) {
      const seen = new Map([...this.#seen].slice(0, most));
      const contacts = new Map(this.#contacts);
      for (const key of seen.keys()) this.#seen.delete(key);
      this.#contacts.clear();
      try {
        if (await this.#write([...seen.values()], [...contacts.values()])) continue;
        this.close();
        this.#onLost();
      } catch (error) {
        for (const [key, entry] of seen) if (!this.#seen.has(key)) this.#seen.set(key, entry);
        for (const [key, entry] of contacts) if (!this.#contacts.has(key)) this.#contacts.set(key, entry);
        if (!this.#closed) this.#tryLater(error);
        break;
      }
    }
    this.#writing = false;
  }

  #tryLater(error: unknown): void {
    this.#onError(error);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#flush();
    }, afterFailureMs);
  }
}

const nothing = {
  notifiedAt: null,
  notifyAnswer: null,
  queriedAt: null,
  queryAnswer: null,
  tsigErrorAt: null,
  tsigError: null,
};
