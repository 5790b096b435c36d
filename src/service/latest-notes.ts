/**
 * Notes for the operator. Each has a name, and the last one of a name counts: they are written one after the other, and then
 * only after a pause, so that what happens often is not written each time.
 */
import { setTimeout as sleep } from "node:timers/promises";

export class LatestNotes<Note> {
  readonly #write: (note: Note) => Promise<void>;
  readonly #pauseMs: number;
  readonly #notes = new Map<string, Note>();
  #isWriting = false;

  /** `write` does not reject. */
  constructor(write: (note: Note) => Promise<void>, pauseMs: number) {
    this.#write = write;
    this.#pauseMs = pauseMs;
  }

  /** Writes a note now, or once the pause after the last ones is over. */
  add(name: string, note: Note): void {
    this.#notes.set(name, note);
    if (!this.#isWriting) void this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#notes.size > 0) {
      const notes = [...this.#notes.values()];
      this.#notes.clear();
      for (const note of notes) await this.#write(note);
      await sleep(this.#pauseMs, undefined, { ref: false });
    }
    this.#isWriting = false;
  }
}
