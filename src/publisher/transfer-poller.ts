/**
 * Polls the transfers to secondaries, by whichever instance they were: the best sign that a zone is there soon. Each is returned once.
 */
import type { RecordedTransfer, TransfersUpTo } from "../secondary/transferred-zone.ts";

/** After a pause this long it begins again, ms: what was transferred meanwhile is left to the comparison of all zones. */
const maxPauseMs = 60_000;
const maxRows = 5000;

export class TransferPoller {
  readonly #read: (since: string | undefined, limit: number) => Promise<TransfersUpTo>;
  readonly #now: () => number;
  /** The state of the database that the last poll saw, and when that was. */
  #snapshot: string | undefined;
  #polledAt = Number.NEGATIVE_INFINITY;

  /** `now` is a clock in milliseconds that never goes back. */
  constructor(
    read: (since: string | undefined, limit: number) => Promise<TransfersUpTo>,
    now: () => number = () => performance.now(),
  ) {
    this.#read = read;
    this.#now = now;
  }

  /** Returns the transfers that were recorded since the last call. */
  async poll(): Promise<readonly RecordedTransfer[]> {
    const now = this.#now();
    const since = now - this.#polledAt > maxPauseMs ? undefined : this.#snapshot;
    const { snapshot, transfers } = await this.#read(since, maxRows);
    this.#snapshot = snapshot;
    this.#polledAt = now;
    return transfers;
  }
}
