/**
 * A prepared statement on a pipelined connection: Bind, Execute and Sync in one buffer. Describe is not needed, since the columns are
 * known from the preparation. Values and results are text. node-postgres calls the handlers as the answer arrives.
 *
 * At an ErrorResponse node-postgres forgets its query and does not call `handleReadyForQuery` on it, so the statement settles in
 * `handleError`.
 */

export type Cells = readonly (string | null)[];

export interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

export interface Answer {
  readonly rows: readonly Cells[];
  readonly columns: readonly Column[];
}

/** A prepared statement; its columns are known once PostgreSQL has described it. */
interface Prepared {
  readonly name: string;
  columns: readonly Column[];
}

interface StatementConnection {
  readonly stream: NodeJS.WritableStream;
  parse(statement: { readonly name: string; readonly text: string; readonly types: string[] }, more: boolean): void;
  describe(statement: { readonly type: string; readonly name: string }, more: boolean): void;
  close(statement: { readonly type: string; readonly name: string }, more: boolean): void;
}

/** The prepared statements of one connection by text; the least recently used one is closed for a new one. */
export class PreparedStatements {
  readonly #statements = new Map<string, Prepared>();
  readonly #limit: number;
  #last = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  of(text: string, connection: StatementConnection): Prepared {
    const earlier = this.#statements.get(text);
    if (earlier) {
      this.#statements.delete(text);
      this.#statements.set(text, earlier);
      return earlier;
    }
    const [oldest] = this.#statements.size >= this.#limit ? this.#statements.keys() : [];
    if (oldest !== undefined) this.forget(oldest, connection);
    this.#last += 1;
    const name = `p${this.#last}`;
    const prepared: Prepared = { name, columns: [] };
    this.#statements.set(text, prepared);
    connection.parse({ name, text, types: [] }, true);
    connection.describe({ type: "S", name }, true);
    return prepared;
  }

  forget(text: string, connection: StatementConnection): void {
    const prepared = this.#statements.get(text);
    if (!prepared) return;
    this.#statements.delete(text);
    connection.close({ type: "S", name: prepared.name }, true);
  }
}

const bind = 0x42;
const execute = 0x45;
const sync = 0x53;

/** The messages Bind of the unnamed portal, Execute without a row limit, and Sync (PostgreSQL, "Message Formats"). */
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

export class PipelinedStatement {
  readonly #statements: PreparedStatements;
  readonly #text: string;
  readonly #values: Cells;
  readonly #settle: (result: Error | Answer) => void;
  readonly #rows: Cells[] = [];
  #prepared: Prepared | undefined;

  constructor(statements: PreparedStatements, text: string, values: Cells, settle: (result: Error | Answer) => void) {
    this.#statements = statements;
    this.#text = text;
    this.#values = values;
    this.#settle = settle;
  }

  submit(connection: StatementConnection): null {
    this.#prepared = this.#statements.of(this.#text, connection);
    connection.stream.write(messagesOf(this.#prepared.name, this.#values));
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    if (this.#prepared) this.#prepared.columns = fields;
  }

  handleDataRow({ fields }: { readonly fields: Cells }): void {
    this.#rows.push(fields);
  }

  handleReadyForQuery(): void {
    this.#settle({ rows: this.#rows, columns: this.#prepared?.columns ?? [] });
  }

  handleError(error: Error): void {
    this.#settle(error);
  }

  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
