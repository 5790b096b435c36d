/**
 * Polls the transfers to secondaries, by whichever instance they were: the best sign that a zone is there soon. A transfer is visible a
 * little after the time that it has, and clocks differ a little: each poll reads those of the last second again, and returns what is new.
 */
import type { RecordedTransfer } from "../secondary/transferred-zone.ts";

/** How far back a poll reads: before the last transfer that it knows, and at most before now, ms. */
const overlapMs = 1000;
const maxAgeMs = 3000;
const maxRows = 5000;

export class TransferPoller {
  readonly #read: (since: Date, limit: number) => Promise<RecordedTransfer[]>;
  readonly #now: () => Date;
  /** Those of the last poll, by secondary, domain and time. */
  #known: ReadonlySet<string> = new Set();
  #lastAt = 0;

  /** `now` is the clock by which transfers are recorded. */
  constructor(read: (since: Date, limit: number) => Promise<RecordedTransfer[]>, now: () => Date) {
    this.#read = read;
    this.#now = now;
  }

  /** Returns the transfers that were recorded since the last call. */
  async poll(): Promise<RecordedTransfer[]> {
    const since = Math.max(this.#lastAt - overlapMs, this.#now().getTime() - maxAgeMs);
    const transfers = await this.#read(new Date(since), maxRows);
    const isKnown = this.#known;
    this.#known = new Set(transfers.map(keyOf));
    this.#lastAt = transfers.at(-1)?.at ?? this.#lastAt;
    return transfers.filter((transfer) => !isKnown.has(keyOf(transfer)));
  }
}

const keyOf = ({ secondaryId, domainId, at }: RecordedTransfer) => `${secondaryId} ${domainId} ${at}`;
