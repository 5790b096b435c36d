/**
 * Watches the publications of many changes until they end, each read once for all listeners. The pause between two reads grows while a
 * publication stays the same; a few thousand at most are read in a second.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Session } from "../session/session.ts";
import { isOver, type PublicationRow, PublicationState, publications } from "./publication.ts";
import { batchWindowMs, differs, maxBatchIds, pauses } from "./publication-wait.ts";

/** The maximum pause between two reads of a publication, ms; with many watched publications it is `msPerPublication` for each. */
const maxPauseMs = pauses.maxMs.watching;
const msPerPublication = 1;

const pauseAfterFailureMs = 2000;

/** Undefined when the change does not exist any more. */
type Listener = (publication: PublicationRow | undefined) => void;

interface Watched {
  readonly listeners: Set<Listener>;
  publication?: PublicationRow | undefined;
  pauseMs: number;
  /** The times of the last read and of the next one, ms. */
  readAt: number;
  dueAt: number;
}

/** In ms. A pause ends early when `ended` is aborted. */
interface Clock {
  now(): number;
  pause(ms: number, ended?: AbortSignal): Promise<void>;
}

const realClock: Clock = {
  now: () => performance.now(),
  pause: (ms, signal) => pause(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => {}),
};

export class PublicationWatch {
  readonly #read: (changeIds: readonly number[]) => Promise<readonly PublicationRow[]>;
  readonly #clock: Clock;
  readonly #watched = new Map<number, Watched>();
  #isRunning = false;
  #wake: () => void = () => {};

  constructor(read: (changeIds: readonly number[]) => Promise<readonly PublicationRow[]>, clock = realClock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** Calls the listener at once with a publication that was read before. Returns a function that removes the listener. */
  watch(changeId: number, listener: Listener): () => void {
    const now = this.#clock.now();
    const fresh: Watched = { listeners: new Set(), pauseMs: pauses.firstMs, readAt: now, dueAt: now };
    const watched = this.#watched.get(changeId) ?? fresh;
    this.#watched.set(changeId, watched);
    watched.listeners.add(listener);
    if (watched.publication) listener(watched.publication);
    if (watched === fresh) this.#wake();
    if (!this.#isRunning) void this.#run();
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size === 0) this.#end(changeId, watched);
    };
  }

  #end(changeId: number, watched: Watched): void {
    if (this.#watched.get(changeId) === watched) this.#watched.delete(changeId);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#watched.size > 0) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      let dueAt = Number.POSITIVE_INFINITY;
      for (const watched of this.#watched.values()) dueAt = Math.min(dueAt, watched.dueAt);
      await this.#clock.pause(Math.max(dueAt - this.#clock.now(), 0), woken.signal);
      await this.#clock.pause(batchWindowMs);
      await this.#readDue().catch(() => this.#clock.pause(pauseAfterFailureMs));
    }
    this.#isRunning = false;
  }

  /** Reads the publications that are due, the longest overdue first; those that have ended are not watched any more. */
  async #readDue(): Promise<void> {
    const now = this.#clock.now();
    const due = [...this.#watched].filter(([, { dueAt }]) => dueAt <= now);
    const batch = due.sort(([, a], [, b]) => a.dueAt - b.dueAt).slice(0, maxBatchIds);
    if (batch.length === 0) return;
    const rows = await this.#read(batch.map(([id]) => id));
    const byId = new Map(rows.map((row) => [row.id, row]));
    let isReached = false;
    for (const [id, watched] of batch) {
      const publication = byId.get(id);
      const hasMoved = !publication || differs(publication, watched.publication, "sightings");
      isReached ||= publication?.state === PublicationState.LIVE && watched.pauseMs >= maxPauseMs;
      watched.pauseMs = hasMoved ? pauses.firstMs : Math.min(watched.pauseMs * pauses.growth, this.#maxPauseMs);
      // Publications with the same pause are due together, so that they share a query.
      const stepMs = Math.min(watched.pauseMs, maxPauseMs) / 4;
      watched.readAt = now;
      watched.dueAt = Math.ceil((now + watched.pauseMs) / stepMs) * stepMs;
      watched.publication = publication;
      if (isOver(publication)) this.#end(id, watched);
      if (hasMoved) for (const listener of watched.listeners) listener(publication);
    }
    if (isReached) this.#hasten();
  }

  get #maxPauseMs(): number {
    return Math.max(maxPauseMs, this.#watched.size * msPerPublication);
  }

  /** Reads the others up to four times as often, after a publication became LIVE late: its secondary may be back. */
  #hasten(): void {
    const pauseMs = Math.max(maxPauseMs, this.#maxPauseMs / 4);
    let dueAt = this.#clock.now() + maxPauseMs;
    for (const watched of this.#watched.values()) {
      watched.dueAt = Math.min(watched.dueAt, Math.max(dueAt, watched.readAt + pauseMs));
      dueAt += msPerPublication / 4;
    }
  }
}

const watches = new WeakMap<object, PublicationWatch>();

export function publicationWatch({ em, policy, now }: Session): PublicationWatch {
  const driver = em.getDriver();
  const own = { em: em.fork(), policy, now };
  const watch = watches.get(driver) ?? new PublicationWatch((ids) => publications(own, "change", ids));
  watches.set(driver, watch);
  return watch;
}
