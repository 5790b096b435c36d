/** Polls the transfers to secondaries from all instances, each once: the best sign that a zone is served soon. */
import type { RecordedTransfer, TransfersUpTo } from "../secondary/transferred-zone.ts";

/** After a longer pause, in which no zone was behind, polling begins from the present, ms. */
const maxPauseMs = 60_000;
const maxRows = 5000;

export class TransferPoller {
  readonly #read: (since: string | undefined, limit: number) => Promise<TransfersUpTo>;
  readonly #now: () => number;
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

  async poll(): Promise<readonly RecordedTransfer[]> {
    const now = this.#now();
    const since = now - this.#polledAt > maxPauseMs ? undefined : this.#snapshot;
    const { snapshot, transfers } = await this.#read(since, maxRows);
    this.#snapshot = snapshot;
    this.#polledAt = now;
    return transfers;
  }
}
