/** Sends rows by `COPY … FROM STDIN`, as fast as PostgreSQL accepts them ("COPY Operations"). */
import { once } from "node:events";
import type { Writable } from "node:stream";
import type { PoolClient } from "pg";
import { noTimeoutMs } from "./copy-out.ts";

interface CopyingConnection {
  readonly stream: Writable;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Runs a `COPY … FROM STDIN` in a transaction; returns the number of stored rows, and throws the error of the statement or of `data`. */
export async function copyIn(client: PoolClient, copy: string, data: AsyncIterable<Buffer>): Promise<number> {
  await client.query("set local statement_timeout = 0");
  const rows = new CopyIn(copy);
  client.query(rows);
  try {
    for await (const chunk of data) await rows.write(chunk);
  } catch (error) {
    await rows.fail();
    throw error;
  }
  return rows.end();
}

class CopyIn {
  readonly query_timeout = noTimeoutMs;
  /** node-postgres sets this for its own time limit. */
  callback: (error?: Error) => void = () => {};
  readonly #text: string;
  readonly #ready = Promise.withResolvers<CopyingConnection>();
  readonly #settled = Promise.withResolvers<void>();
  #error: Error | undefined;
  #rowCount = 0;

  constructor(text: string) {
    this.#text = text;
    this.#ready.promise.catch(() => {});
  }

  /** Sends a chunk, and waits while the connection is full; throws the error of the statement or the connection. */
  async write(chunk: Buffer): Promise<void> {
    const connection = await this.#ready.promise;
    if (this.#error) throw this.#error;
    connection.sendCopyFromChunk(chunk);
    if (connection.stream.writableNeedDrain)
      await Promise.race([once(connection.stream, "drain"), this.#settled.promise]);
  }

  async end(): Promise<number> {
    (await this.#ready.promise).endCopyFrom();
    await this.#settled.promise;
    if (this.#error) throw this.#error;
    return this.#rowCount;
  }

  async fail(): Promise<void> {
    const connection = await this.#ready.promise.catch(() => undefined);
    if (!this.#error) connection?.sendCopyFail("the data ended with an error");
    await this.#settled.promise;
  }

  submit(connection: Pick<CopyingConnection, "query">): null {
    connection.query(this.#text);
    return null;
  }

  handleCopyInResponse(connection: CopyingConnection): void {
    this.#ready.resolve(connection);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#rowCount = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0);
  }

  handleReadyForQuery(): void {
    this.#settled.resolve();
    this.callback(this.#error);
  }

  /** After an error of the statement the connection is ready again; after an error of the connection it is not. */
  handleError(error: Error): void {
    this.#error ??= error;
    this.#ready.reject(error);
    this.#settled.resolve();
    this.callback(error);
  }

  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
