/**
 * Rows that PostgreSQL sends by `COPY … TO STDOUT` in binary form, in which it costs least to send many: read only as fast
 * as they are taken, so that a list of any length holds a piece of it in memory. node-postgres calls the handlers as
 * messages arrive; of COPY each is one row (PostgreSQL, "COPY Operations").
 */
import type { PoolClient } from "pg";

/** What it needs of node-postgres's connection. */
interface CopyingConnection {
  readonly stream: { pause(): void; resume(): void; destroy(): void };
  query(text: string): void;
}

/** The form begins with a signature, flags, and the length of what else is in its header; a row of no columns ends it. */
const signature = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");
const headerLength = signature.length + 8;
const endOfRows = -1;

/** After how long without a row, while one is awaited, the server counts as hung, ms. */
const answerTimeoutMs = 65_000;

/** The longest time limit of node-postgres, which must not end rows that are sent or taken slowly. */
export const noTimeoutMs = 2 ** 31 - 1;

/**
 * Sends a `COPY (…) TO STDOUT (FORMAT binary)` in a transaction, and yields its rows in pieces as they arrive. The rows of
 * a piece hold only until the next one is asked for. A connection whose rows are not all taken is ended.
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

/** One COPY, in the form that node-postgres submits. */
class CopyOut {
  readonly query_timeout = noTimeoutMs;
  /** node-postgres puts the end of its own time limit here. */
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

  /** The rows that have arrived, when there are any; undefined at the end. Throws the error of the statement or the connection. */
  async next(): Promise<readonly Buffer[] | undefined> {
    if (this.#rows.length === 0 && !this.#isOver) await this.#arrival();
    if (this.#error) throw this.#error;
    const rows = this.#rows;
    this.#rows = [];
    return rows.length > 0 || !this.#isOver ? rows : undefined;
  }

  /** Ends the connection, unless all was sent. */
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
    // What is in the buffers of the stream arrives before it pauses; node-postgres writes over it when more does.
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
