/**
 * Reads rows by `COPY … TO STDOUT` in binary form, the cheapest way to send many rows. They are read only as fast as the reader takes
 * them, so memory holds a piece of any list. node-postgres calls the handlers as messages arrive; each COPY message is one row
 * (PostgreSQL, "COPY Operations").
 */
import type { PoolClient } from "pg";

interface CopyingConnection {
  readonly stream: { pause(): void; resume(): void; destroy(): void };
  query(text: string): void;
}

/** The data begins with a signature, flags and the length of a header extension; a row with -1 columns ends it. */
const signature = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
const headerLength = signature.length + 8;
const endOfRows = -1;

/** How long the reader waits for a row before the server counts as hung, ms. */
const answerTimeoutMs = 65_000;

/** The greatest time limit of node-postgres, which must not end a slow COPY. */
export const noTimeoutMs = 2 ** 31 - 1;

/**
 * Runs a `COPY (…) TO STDOUT (FORMAT binary)` in a transaction and yields its rows in pieces. A piece is valid only until the next one is
 * requested. If not all rows are taken, the connection is ended.
 */
export async function* copyOut(client: PoolClient, copy: string): AsyncGenerator<readonly Buffer[]> {
  await client.query("set local statement_timeout = 0");
  const rows = new CopyOut(copy);
  client.query(rows);
  try {
    for (;;) {
      const piece = await rows.next();
      if (!piece) return;
      yield piece;
    }
  } finally {
    rows.end();
  }
}

class CopyOut {
  readonly query_timeout = noTimeoutMs;
  /** node-postgres sets this for its own time limit. */
  callback: (error?: Error) => void = () => {};
  readonly #text: string;
  #connection: CopyingConnection | undefined;
  #rows: Buffer[] = [];
  #hasHeader = false;
  #isOver = false;
  #error: Error | undefined;
  #wake: () => void = () => {};

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the rows that have arrived, at least one; undefined at the end. Throws the error of the statement or the connection. */
  async next(): Promise<readonly Buffer[] | undefined> {
    if (this.#rows.length === 0 && !this.#isOver) await this.#arrival();
    if (this.#error) throw this.#error;
    const rows = this.#rows;
    this.#rows = [];
    return rows.length > 0 || !this.#isOver ? rows : undefined;
  }

  end(): void {
    if (!this.#isOver) this.#connection?.stream.destroy();
  }

  async #arrival(): Promise<void> {
    const timer = setTimeout(() => this.end(), answerTimeoutMs);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#connection?.stream.resume();
    await promise;
    clearTimeout(timer);
  }

  submit(connection: CopyingConnection): null {
    this.#connection = connection;
    connection.query(this.#text);
    return null;
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    // The stream is paused, but rows that are already in its buffers still arrive. node-postgres overwrites these buffers when more data
    // arrives.
    if (this.#rows.length === 0) this.#connection?.stream.pause();
    const row = this.#hasHeader ? chunk : chunk.subarray(headerLength + chunk.readUInt32BE(signature.length + 4));
    this.#hasHeader = true;
    if (row.length > 2 || row.readInt16BE(0) !== endOfRows) this.#rows.push(row);
    this.#wake();
  }

  handleReadyForQuery(): void {
    this.#settle(undefined);
  }

  handleError(error: Error): void {
    this.#settle(error);
  }

  #settle(error: Error | undefined): void {
    this.#isOver = true;
    this.#error ??= error;
    this.#connection?.stream.resume();
    this.callback(error);
    this.#wake();
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
