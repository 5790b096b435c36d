/**
 * The publications of changes that have not ended, for those who watch many: each is read once for all of them, after pauses that grow
 * while it stays the same, and no more than some thousand a second together.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Session } from "../session/session.ts";
import { isOver, type PublicationRow, PublicationState, publications } from "./publication.ts";
import { batchWindowMs, differs, maxBatchIds, pauses } from "./publication-wait.ts";

/** The maximum pause between two reads of a publication, ms. It is longer while many are watched: so much for each of them. */
const maxPauseMs = pauses.maxMs.watching;
const msPerPublication = 1;

const pauseAfterFailureMs = 2000;

/** Takes a publication once it differs; undefined when there is no such change any more. */
type Listener = (publication: PublicationRow | undefined) => void;

interface Watched {
  readonly listeners: Set<Listener>;
  publication?: PublicationRow | undefined;
  pauseMs: number;
  /** When it was read last, and when it is read next, on the clock. */
  readAt: number;
  dueAt: number;
}

/** How time goes by, in ms. A pause takes as many, unless it is ended before. */
export interface Clock {
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
  /** By change. */
  readonly #watched = new Map<number, Watched>();
  #isRunning = false;
  /** Ends the pause before the next read. */
  #wake: () => void = () => {};

  constructor(read: (changeIds: readonly number[]) => Promise<readonly PublicationRow[]>, clock = realClock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** Adds a listener, which takes the publication as it is first; returns what removes it. */
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

  /** Reads it no more, unless it is watched again. */
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

  /** Reads those that are due, the one that is due for longest first. What is over is not watched any more. */
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
      // Those that wait equally long are due together.
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

  /** One that was not LIVE for long is: a secondary may be back, and serve the others soon. They are read up to four times as often. */
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

/** The watch of a session's database. */
export function publicationWatch({ em, policy, now }: Session): PublicationWatch {
  const driver = em.getDriver();
  const own = { em: em.fork(), policy, now };
  const watch = watches.get(driver) ?? new PublicationWatch((ids) => publications(own, "change", ids));
  watches.set(driver, watch);
  return watch;
}
