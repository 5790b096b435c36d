/**
 * A lane: as many tasks at once as its limit says, the urgent ones before the calm ones, each in the order of arrival. A task that
 * already waits does not wait twice.
 */
export type Task = () => Promise<void>;

export class Lane {
  readonly #limit: () => number;
  readonly #urgent = new Set<Task>();
  readonly #calm = new Set<Task>();
  #running = 0;

  constructor(limit: () => number) {
    this.#limit = limit;
  }

  enter(task: Task, calm = false): void {
    if (this.#urgent.has(task)) return;
    if (calm) this.#calm.add(task);
    else {
      this.#calm.delete(task);
      this.#urgent.add(task);
    }
    this.#advance();
  }

  /** Takes a waiting task out. */
  leave(task: Task): void {
    this.#urgent.delete(task);
    this.#calm.delete(task);
  }

  #advance(): void {
    while (this.#running < this.#limit()) {
      const queue = this.#urgent.size > 0 ? this.#urgent : this.#calm;
      const [task] = queue;
      if (!task) return;
      queue.delete(task);
      this.#running += 1;
      void task().finally(() => {
        this.#running -= 1;
        this.#advance();
      });
    }
  }
}
