/**
 * Buffers observations and writes the latest of each zone and secondary in batches, one at a time. An urgent observation is written at
 * once; bulk ones, and the last exchange with a secondary, wait for it, for a thousand of them, or a second. While the database cannot be
 * reached, entries stay. Once a newer term has begun, the buffer is closed.
 */
import type { Contact, Observation } from "../secondary/record-sightings.ts";

/** Returns false when a newer term has begun. */
type WriteBatch = (observations: readonly Observation[], contacts: readonly Contact[]) => Promise<boolean>;

interface BufferEvents {
  onSuperseded(): void;
  onError(error: unknown): void;
}

const maxBatchRows = 2000;
const retryDelayMs = 1000;
/** This many bulk observations do not wait. */
const maxWaiting = 1000;
const waitMs = 1000;

export class SightingBuffer {
  readonly #write: WriteBatch;
  readonly #events: BufferEvents;
  /** By secondary and domain. */
  readonly #observations = new Map<string, Observation>();
  #inFlight: ReadonlyMap<string, Observation> = new Map();
  readonly #contacts = new Map<number, Contact>();
  #waitTimer: NodeJS.Timeout | undefined;
  /** Whether observations are due that no batch has taken. */
  #isDue = false;
  #writing = false;
  #retryTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(write: WriteBatch, events: BufferEvents) {
    this.#write = write;
    this.#events = events;
  }

  add(observation: Observation, isUrgent: boolean): void {
    this.#observations.set(keyOf(observation.secondaryId, observation.domainId), observation);
    if (isUrgent || this.#observations.size >= maxWaiting) this.#scheduleWrite();
    else this.#writeSoon();
  }

  /** The last observation that may not be in the database yet. */
  unwritten(secondaryId: number, domainId: number): Observation | undefined {
    const key = keyOf(secondaryId, domainId);
    return this.#observations.get(key) ?? this.#inFlight.get(key);
  }

  /** Fields that are left out keep their values. */
  addContact(secondaryId: number, contact: Omit<Contact, "secondaryId">): void {
    this.#contacts.set(secondaryId, { ...this.#contacts.get(secondaryId), ...contact, secondaryId });
    this.#writeSoon();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#waitTimer);
  }

  get #isEmpty(): boolean {
    return this.#observations.size === 0 && this.#contacts.size === 0;
  }

  #writeSoon(): void {
    if (this.#closed || this.#isEmpty) return;
    this.#waitTimer ??= setTimeout(() => {
      this.#waitTimer = undefined;
      if (!this.#isEmpty) this.#scheduleWrite();
    }, waitMs);
  }

  #scheduleWrite(): void {
    this.#isDue = true;
    if (this.#writing || this.#closed || this.#retryTimer) return;
    this.#writing = true;
    // Entries that are added in this turn of the event loop belong to the same batch.
    setImmediate(() => void this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    if (this.#closed) return;
    do {
      const observations = new Map([...this.#observations].slice(0, maxBatchRows));
      const contacts = new Map(this.#contacts);
      for (const key of observations.keys()) this.#observations.delete(key);
      this.#contacts.clear();
      this.#isDue = this.#observations.size > 0;
      this.#inFlight = observations;
      try {
        if (!(await this.#write([...observations.values()], [...contacts.values()]))) {
          this.close();
          this.#events.onSuperseded();
        }
      } catch (error) {
        putBack(observations, this.#observations);
        putBack(contacts, this.#contacts);
        if (!this.#closed) this.#retryLater(error);
        break;
      }
    } while (!this.#closed && this.#isDue);
    this.#inFlight = new Map();
    this.#writing = false;
    this.#writeSoon();
  }

  #retryLater(error: unknown): void {
    this.#events.onError(error);
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined;
      this.#scheduleWrite();
    }, retryDelayMs);
  }
}

/** Puts unwritten entries back, except where a newer one was added. */
function putBack<K, V>(unwritten: ReadonlyMap<K, V>, buffer: Map<K, V>): void {
  for (const [key, entry] of unwritten) if (!buffer.has(key)) buffer.set(key, entry);
}

const keyOf = (secondaryId: number, domainId: number) => `${secondaryId} ${domainId}`;
