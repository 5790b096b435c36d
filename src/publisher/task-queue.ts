/**
 * Runs at most `limit()` tasks at a time, high priority first, each queued once. With a share below 1, a pause follows each task, so that
 * tasks run for no more than that share of the time.
 */
export type Task = () => Promise<void>;
type Priority = "high" | "low";

export class TaskQueue {
  readonly #limit: () => number;
  readonly #share: number;
  readonly #high = new Set<Task>();
  readonly #low = new Set<Task>();
  #running = 0;

  constructor(limit: () => number, share = 1) {
    this.#limit = limit;
    this.#share = share;
  }

  get size(): number {
    return this.#high.size + this.#low.size;
  }

  /** Adds a task. `high` moves a task that already waits with low priority to high priority. */
  add(task: Task, priority: Priority): void {
    if (this.#high.has(task)) return;
    if (priority === "low") this.#low.add(task);
    else {
      this.#low.delete(task);
      this.#high.add(task);
    }
    this.#startNext();
  }

  remove(task: Task): void {
    this.#high.delete(task);
    this.#low.delete(task);
  }

  #startNext(): void {
    while (this.#running < this.#limit()) {
      const queue = this.#high.size > 0 ? this.#high : this.#low;
      const [task] = queue;
      if (!task) return;
      queue.delete(task);
      this.#running += 1;
      const begun = performance.now();
      void task().finally(() => this.#pause(performance.now() - begun));
    }
  }

  #pause(ranMs: number): void {
    const next = () => {
      this.#running -= 1;
      this.#startNext();
    };
    if (this.#share === 1) next();
    else setTimeout(next, ranMs / this.#share - ranMs).unref();
  }
}
