/**
 * The queues of packets to one secondary: NOTIFYs, probes and comparisons of content. Each queue has a limit of concurrent packets, and
 * bulk zones wait behind urgent ones. A silent secondary gets one packet at a time.
 */
import { type Task, TaskQueue } from "./task-queue.ts";
import { WaitingProbes } from "./waiting-probes.ts";

/** The maximum number of packets in flight to one secondary, for each queue. */
const maxPacketsInFlight = 50;
/** The maximum number of probes a second of bulk zones and of verifications, without those that follow a transfer. */
const probesPerSecond = 300;
/** The maximum number of bulk zones that the secondary was notified of and has not transferred. */
const maxAwaited = 100;
/** The maximum share of the time for comparisons of content. */
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

  /** `isSilent` returns whether the secondary leaves requests without a response. */
  constructor(isSilent: () => boolean) {
    const limit = () => (isSilent() ? 1 : maxPacketsInFlight);
    this.#notifies = new TaskQueue(limit);
    this.#probes = new TaskQueue(limit);
    this.#bulkNotifies = new TaskQueue(() => (isSilent() ? 1 : maxAwaited));
  }

  addNotify(task: Task, isUrgent: boolean): void {
    (isUrgent ? this.#notifies : this.#bulkNotifies).add(task, "high");
  }

  /** Queues a probe after the wait of this try; a probe that is due sooner keeps its time. */
  addProbe(task: Task, tries: number, isUrgent: boolean): void {
    if (isUrgent) this.#bulkProbes.remove(task);
    if (isUrgent) this.#urgentProbes.add(task, tries);
    else if (!this.#urgentProbes.has(task)) this.#bulkProbes.add(task, tries);
  }

  addComparison(task: Task): void {
    this.#comparisons.add(task, "high");
  }

  /** Removes a task from all queues. */
  remove(task: Task): void {
    for (const waiting of [this.#urgentProbes, this.#bulkProbes]) waiting.remove(task);
    for (const queue of [this.#notifies, this.#bulkNotifies, this.#probes, this.#comparisons]) queue.remove(task);
  }

  close(): void {
    this.#urgentProbes.close();
    this.#bulkProbes.close();
  }
}
