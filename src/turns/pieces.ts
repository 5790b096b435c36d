/**
 * Long work in pieces: between two of them others go first, so that no request waits for the whole.
 */
import { pause } from "./work.ts";

/** How long a piece takes the event loop, ms. */
const pieceMs = 10;

export class Pieces {
  #since = performance.now();

  /** Lets others go first when the piece has taken long enough. */
  async next(): Promise<void> {
    if (performance.now() - this.#since < pieceMs) return;
    await pause();
    this.#since = performance.now();
  }
}
