/**
 * The changes of all zones as they are committed, for those who watch them: one poller of the journal for each database, however many
 * watch, which runs while somebody does.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Session } from "../session/session.ts";
import { ChangePoller } from "../zone/change-poller.ts";
import { changesSince, latestChange } from "./sighting.ts";

/** Between two polls; after a failure of the database, which those who watch meet themselves. */
const pollMs = 200;
const pauseAfterFailureMs = 2000;

/** Takes the ids of the last changes of some zones, and the id up to which nothing is missing. */
export type Listener = (changeIds: readonly number[], settled: number) => void;

class ChangeFeed {
  readonly #listeners = new Set<Listener>();
  #isRunning = false;

  /** Adds a listener, with a session of the database; returns what removes it. */
  listen(session: Session, listener: Listener): () => void {
    this.#listeners.add(listener);
    if (!this.#isRunning) void this.#run(session);
    return () => void this.#listeners.delete(listener);
  }

  async #run(session: Session): Promise<void> {
    this.#isRunning = true;
    const read = (after: number, gaps: readonly number[], limit: number) => changesSince(session, after, gaps, limit);
    const poller = new ChangePoller(read);
    let isStarted = false;
    while (this.#listeners.size > 0) {
      try {
        if (!isStarted) {
          const { id, gaps } = await latestChange(session);
          poller.startAfter(id, gaps);
          isStarted = true;
        }
        const changes = await poller.poll();
        const ids = changes.map(({ changeId }) => changeId);
        for (const listener of this.#listeners) listener(ids, poller.settled);
        await pause(pollMs, undefined, { ref: false });
      } catch {
        await pause(pauseAfterFailureMs, undefined, { ref: false });
      }
    }
    this.#isRunning = false;
  }
}

const feeds = new WeakMap<object, ChangeFeed>();

/** The feed of a session's database. */
export function changeFeed({ em }: Session): ChangeFeed {
  const feed = feeds.get(em.getDriver()) ?? new ChangeFeed();
  feeds.set(em.getDriver(), feed);
  return feed;
}
