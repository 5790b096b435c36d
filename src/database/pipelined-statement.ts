/**
 * A prepared statement as it is sent on a pipelined connection: Bind, Execute and Sync as one buffer, without Describe, since whoever
 * wrote the statement knows its columns. Values and results are text. node-postgres calls the handlers as the answer arrives.
 *
 * node-postgres forgets its query at an ErrorResponse, so that `handleReadyForQuery` is not called on it any more: it settles there.
 */

/** The cells of a row, as PostgreSQL writes them. */
export type Cells = readonly (string | null)[];

/** What a statement needs of node-postgres's connection. */
export interface StatementConnection {
  readonly stream: NodeJS.WritableStream;
  parse(statement: { readonly name: string; readonly text: string; readonly types: string[] }, more: boolean): void;
  close(statement: { readonly type: string; readonly name: string }, more: boolean): void;
}

/** The prepared statements of one connection, by their texts; the one that was used longest ago is closed for a new one. */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #limit: number;
  #last = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The name of a text on this connection, which is parsed unless it is. */
  nameOf(text: string, connection: StatementConnection): string {
    const parsed = this.#names.get(text);
    if (parsed !== undefined) return parsed;
    const [oldest] = this.#names.size >= this.#limit ? this.#names.keys() : [];
    if (oldest !== undefined) this.forget(oldest, connection);
    this.#last += 1;
    const name = `p${this.#last}`;
    this.#names.set(text, name);
    connection.parse({ name, text, types: [] }, true);
    return name;
  }

  /** Closes a statement, which may not have been parsed at all. */
  forget(text: string, connection: StatementConnection): void {
    const name = this.#names.get(text);
    if (name === undefined) return;
    this.#names.delete(text);
    connection.close({ type: "S", name }, true);
  }
}

const bind = 0x42;
const execute = 0x45;
const sync = 0x53;

/** Bind of the unnamed portal, Execute of it without a limit of rows, and Sync (PostgreSQL, "Message Formats"). */
function messagesOf(name: string, values: Cells): Buffer {
  let size = 0;
  for (const value of values) size += 4 + (value === null ? 0 : Buffer.byteLength(value));
  const bindLength = 4 + 1 + name.length + 1 + 2 + 2 + size + 2;
  const buffer = Buffer.allocUnsafe(1 + bindLength + 10 + 5);
  let at = buffer.writeUInt8(bind, 0);
  at = buffer.writeInt32BE(bindLength, at);
  at = buffer.writeUInt8(0, at);
  at += buffer.write(name, at, "latin1");
  at = buffer.writeUInt8(0, at);
  at = buffer.writeInt16BE(0, at);
  at = buffer.writeInt16BE(values.length, at);
  for (const value of values) {
    if (value === null) {
      at = buffer.writeInt32BE(-1, at);
      continue;
    }
    const length = buffer.write(value, at + 4, "utf8");
    at = buffer.writeInt32BE(length, at) + length;
  }
  at = buffer.writeInt16BE(0, at);
  at = buffer.writeUInt8(execute, at);
  at = buffer.writeInt32BE(9, at);
  at = buffer.writeUInt8(0, at);
  at = buffer.writeInt32BE(0, at);
  at = buffer.writeUInt8(sync, at);
  buffer.writeInt32BE(4, at);
  return buffer;
}

/** One execution of a statement, in the form that node-postgres submits. */
export class PipelinedStatement {
  readonly #names: StatementNames;
  readonly #text: string;
  readonly #values: Cells;
  readonly #settle: (error: Error | undefined, rows: readonly Cells[]) => void;
  readonly #rows: Cells[] = [];

  /** `settle` is called once: with the rows, or with the error. */
  constructor(
    names: StatementNames,
    text: string,
    values: Cells,
    settle: (error: Error | undefined, rows: readonly Cells[]) => void,
  ) {
    this.#names = names;
    this.#text = text;
    this.#values = values;
    this.#settle = settle;
  }

  submit(connection: StatementConnection): null {
    const name = this.#names.nameOf(this.#text, connection);
    connection.stream.write(messagesOf(name, this.#values));
    return null;
  }

  handleDataRow({ fields }: { readonly fields: Cells }): void {
    this.#rows.push(fields);
  }

  handleReadyForQuery(): void {
    this.#settle(undefined, this.#rows);
  }

  handleError(error: Error): void {
    this.#settle(error, []);
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
