/** Divides long work into pieces with pauses, so that no request waits for the whole. */
import { pause } from "./queues.ts";

const pieceMs = 10;

export class Pieces {
  #since = performance.now();

  async next(): Promise<void> {
    if (performance.now() - this.#since < pieceMs) return;
    await pause();
    this.#since = performance.now();
  }
}

/** Divides a list into pieces of at most `most.items` items and `most.size` in size; one item may be larger. */
export function piecesOf<Item>(
  list: readonly Item[],
  most: { readonly items: number; readonly size: number },
  sizeOf: (item: Item) => number,
): Item[][] {
  const pieces: Item[][] = [];
  let size = 0;
  for (const item of list) {
    const last = pieces.at(-1);
    const isFull = !last || last.length === most.items || size + sizeOf(item) > most.size;
    if (isFull) pieces.push([item]);
    else last.push(item);
    size = isFull ? sizeOf(item) : size + sizeOf(item);
  }
  return pieces;
}
