/** Writes notes for the operator, the latest of each name, with a pause after each batch. */
import { setTimeout as sleep } from "node:timers/promises";

export class LatestNotes<Note> {
  readonly #write: (note: Note) => Promise<void>;
  readonly #pauseMs: number;
  readonly #notes = new Map<string, Note>();
  readonly #stopped = new AbortController();
  #writing: Promise<void> | undefined;

  /** `write` must not reject; `pauseMs` is the pause after a batch, milliseconds. */
  constructor(write: (note: Note) => Promise<void>, pauseMs: number) {
    this.#write = write;
    this.#pauseMs = pauseMs;
  }

  add(name: string, note: Note): void {
    if (this.#stopped.signal.aborted) return;
    this.#notes.set(name, note);
    this.#writing ??= this.#writeAll();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#notes.size > 0) {
      const notes = [...this.#notes.values()];
      this.#notes.clear();
      for (const note of notes) await this.#write(note);
      await sleep(this.#pauseMs, undefined, { ref: false, signal: this.#stopped.signal }).catch(() => {});
    }
    this.#writing = undefined;
  }
}
