/**
 * What waits to be sent to one secondary: NOTIFYs, probes and comparisons of content, each so many at a time, and those of zones in bulk
 * behind the urgent ones. To one that is silent, one packet at a time goes.
 */
import { type Task, TaskQueue } from "./task-queue.ts";
import { WaitingProbes } from "./waiting-probes.ts";

/** Packets in flight to one secondary, of each queue. */
const maxPacketsInFlight = 50;
/** Probes a second, of zones in bulk and those that are only verified, that no transfer led to. */
const probesPerSecond = 300;
/** Zones in bulk that the secondary was notified of and has not come for. */
const maxAwaited = 100;
/** The share of the time that comparisons of content take. */
const comparisonShare = 0.2;

export class PacketQueues {
  readonly #notifies: TaskQueue;
  readonly #bulkNotifies: TaskQueue;
  readonly #probes: TaskQueue;
  readonly #comparisons = new TaskQueue(() => 1, comparisonShare);
  readonly #urgentProbes = new WaitingProbes((task) => this.#probes.add(task, "high"));
  readonly #bulkProbes = new WaitingProbes(
    (task) => this.#probes.add(task, "low"),
    () => this.#probes.size < maxPacketsInFlight,
    probesPerSecond,
  );

  /** `isSilent` says whether the secondary leaves requests without a response. */
  constructor(isSilent: () => boolean) {
    const limit = () => (isSilent() ? 1 : maxPacketsInFlight);
    this.#notifies = new TaskQueue(limit);
    this.#probes = new TaskQueue(limit);
    this.#bulkNotifies = new TaskQueue(() => (isSilent() ? 1 : maxAwaited));
  }

  addNotify(task: Task, isUrgent: boolean): void {
    (isUrgent ? this.#notifies : this.#bulkNotifies).add(task, "high");
  }

  /** Adds a probe after the wait of this try; one that is due sooner stays so. */
  addProbe(task: Task, tries: number, isUrgent: boolean): void {
    if (isUrgent) this.#bulkProbes.remove(task);
    if (isUrgent) this.#urgentProbes.add(task, tries);
    else if (!this.#urgentProbes.has(task)) this.#bulkProbes.add(task, tries);
  }

  addComparison(task: Task): void {
    this.#comparisons.add(task, "high");
  }

  /** Removes a task from wherever it waits. */
  remove(task: Task): void {
    for (const waiting of [this.#urgentProbes, this.#bulkProbes]) waiting.remove(task);
    for (const queue of [this.#notifies, this.#bulkNotifies, this.#probes, this.#comparisons]) queue.remove(task);
  }

  close(): void {
    this.#urgentProbes.close();
    this.#bulkProbes.close();
  }
}
