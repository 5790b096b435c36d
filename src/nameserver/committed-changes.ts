/**
 * Which zones have changed in the database since they were read last, whoever committed that: for the cache of answers.
 */
import type { JournalChange, JournalFollower, JournalTail } from "../zone/journal-tail.ts";

/** A zone that was changed, created or deleted. */
export type CommittedZone = Pick<JournalChange, "changeId" | "domainId" | "zone" | "isMembership">;

/** Reads what was committed since the last call; undefined when that is not known one by one: anything may have changed. */
export interface Committed {
  read(): Promise<readonly CommittedZone[] | undefined>;
}

/** Reads them from the journal. */
export class CommittedChanges implements Committed {
  readonly #journal: JournalTail;
  #follower: JournalFollower | undefined;

  constructor(journal: JournalTail) {
    this.#journal = journal;
  }

  async read(): Promise<readonly CommittedZone[] | undefined> {
    this.#follower ??= await this.#journal.follow({ isStrict: true });
    return this.#follower.read();
  }
}
