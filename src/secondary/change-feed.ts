/**
 * The changes of all zones as they are committed, for those who watch them: the journal is read for all of them together, while there are
 * any.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Session } from "../session/session.ts";
import { type JournalFollower, journalTail } from "../zone/journal-tail.ts";

/** Between two reads; after a failure of the database, which those who watch meet themselves. */
const pollMs = 200;
const pauseAfterFailureMs = 2000;

/**
 * Takes the ids of the last changes of some zones, or undefined when those are not known one by one, and the id up to which nothing is
 * missing, 0 while that is not known.
 */
export type Listener = (changeIds: readonly number[] | undefined, settled: number) => void;

class ChangeFeed {
  readonly #listeners = new Set<Listener>();
  #begun: Promise<void> | undefined;

  /** Adds a listener, with a session of the database, to whom nothing is missing that is committed afterwards; returns what removes it. */
  async listen(session: Session, listener: Listener): Promise<() => void> {
    this.#listeners.add(listener);
    const ignore = () => void this.#listeners.delete(listener);
    this.#begun ??= this.#begin(session);
    await this.#begun.catch((error) => {
      ignore();
      throw error;
    });
    return ignore;
  }

  async #begin(session: Session): Promise<void> {
    try {
      const follower = await journalTail(session).follow();
      void this.#run(follower, session);
    } catch (error) {
      this.#begun = undefined;
      throw error;
    }
  }

  async #run(follower: JournalFollower, session: Session): Promise<void> {
    while (this.#listeners.size > 0) {
      try {
        const ids = (await follower.read())?.map(({ changeId }) => changeId);
        for (const listener of this.#listeners) listener(ids, journalTail(session).settled);
        await pause(pollMs, undefined, { ref: false });
      } catch {
        await pause(pauseAfterFailureMs, undefined, { ref: false });
      }
    }
    follower.close();
    this.#begun = undefined;
  }
}

const feeds = new WeakMap<object, ChangeFeed>();

/** The feed of a session's database. */
export function changeFeed({ em }: Session): ChangeFeed {
  const feed = feeds.get(em.getDriver()) ?? new ChangeFeed();
  feeds.set(em.getDriver(), feed);
  return feed;
}
