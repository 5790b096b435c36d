/**
 * The queues of packets to one secondary, each with a limit of concurrent packets. Bulk zones wait behind urgent ones; a silent secondary
 * gets one packet at a time.
 */
import { type Task, TaskQueue } from "./task-queue.ts";
import { WaitingProbes } from "./waiting-probes.ts";

/** The maximum of each queue. */
const maxPacketsInFlight = 50;
/** For bulk zones and verifications, without probes that follow a transfer. */
const probesPerSecond = 500;
/** The maximum number of bulk zones that are notified and not transferred. */
const maxAwaited = 100;
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

  constructor(isSilent: () => boolean) {
    const limit = () => (isSilent() ? 1 : maxPacketsInFlight);
    this.#notifies = new TaskQueue(limit);
    this.#probes = new TaskQueue(limit);
    this.#bulkNotifies = new TaskQueue(() => (isSilent() ? 1 : maxAwaited));
  }

  addNotify(task: Task, isUrgent: boolean): void {
    (isUrgent ? this.#notifies : this.#bulkNotifies).add(task, "high");
  }

  /** Queues a probe after the wait of this try; one that is due sooner keeps its time. */
  addProbe(task: Task, tries: number, isUrgent: boolean): void {
    if (isUrgent) this.#bulkProbes.remove(task);
    if (isUrgent) this.#urgentProbes.add(task, tries);
    else if (!this.#urgentProbes.has(task)) this.#bulkProbes.add(task, tries);
  }

  addComparison(task: Task): void {
    this.#comparisons.add(task, "high");
  }

  remove(task: Task): void {
    for (const waiting of [this.#urgentProbes, this.#bulkProbes]) waiting.remove(task);
    for (const queue of [this.#notifies, this.#bulkNotifies, this.#probes, this.#comparisons]) queue.remove(task);
  }

  close(): void {
    this.#urgentProbes.close();
    this.#bulkProbes.close();
  }
}
