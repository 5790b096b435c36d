/**
 * Which zones have changed in the database since they were read last, whoever committed that: for the cache of answers.
 */
import type { JournalChange, JournalFollower, JournalTail } from "../zone/journal-tail.ts";

/** A zone that was changed, created or deleted. */
export type CommittedZone = Pick<JournalChange, "changeId" | "domainId" | "zone" | "isMembership">;

/** Reads what was committed since the last call. Throws when that is not known, and then has to be started again. */
export interface Committed {
  start(): Promise<void>;
  read(): Promise<readonly CommittedZone[]>;
}

/** Reads them from the journal. */
export class CommittedChanges implements Committed {
  readonly #journal: JournalTail;
  #follower: JournalFollower | undefined;

  constructor(journal: JournalTail) {
    this.#journal = journal;
  }

  async start(): Promise<void> {
    this.#follower ??= await this.#journal.follow({ isStrict: true });
    await this.#follower.read();
  }

  async read(): Promise<readonly CommittedZone[]> {
    const changes = await this.#follower?.read();
    if (!changes) throw new Error("anything may have changed");
    return changes;
  }
}
