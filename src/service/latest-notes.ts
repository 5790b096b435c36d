/**
 * Notes for the operator. Each has a name, and the last one of a name counts: they are written one after the other, and then
 * only after a pause, so that what happens often is not written each time.
 */
import { setTimeout as sleep } from "node:timers/promises";

export class LatestNotes<Note> {
  readonly #write: (note: Note) => Promise<void>;
  readonly #pauseMs: number;
  readonly #notes = new Map<string, Note>();
  readonly #stopped = new AbortController();
  #writing: Promise<void> | undefined;

  /** `write` does not reject; `pauseMs` is the pause between what is written, milliseconds. */
  constructor(write: (note: Note) => Promise<void>, pauseMs: number) {
    this.#write = write;
    this.#pauseMs = pauseMs;
  }

  /** Writes a note now, or once the pause after the last ones is over. */
  add(name: string, note: Note): void {
    if (this.#stopped.signal.aborted) return;
    this.#notes.set(name, note);
    this.#writing ??= this.#writeAll();
  }

  /** Writes what is there without a pause, and nothing that comes later. */
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
