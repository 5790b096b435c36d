/** The rows of a table as files in PostgreSQL's binary COPY format, each of about a megabyte. A row is never split between two files. */
import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { copyOut } from "../database/copy-out.ts";
import type { TableSummary } from "./manifest.ts";
import { copyOutText, type Table } from "./tables.ts";

/** The least length of a file except the last, bytes. */
const fileLength = 2 ** 20;

/** The header before the first row, and the trailer after the last. */
const head = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const tail = Buffer.from([0xff, 0xff]);

/** Reads a table in the transaction's snapshot. Yields the contents of its files, and returns their summary. */
export async function* tableFiles(client: PoolClient, table: Table): AsyncGenerator<Buffer, TableSummary> {
  const hash = createHash("sha256");
  let [rows, bytes] = [0, 0];
  let parts: Buffer[] = [head];
  let length = head.length;
  const file = () => {
    const content = Buffer.concat(parts);
    hash.update(content);
    bytes += content.length;
    parts = [];
    length = 0;
    return content;
  };
  for await (const piece of copyOut(client, copyOutText(table))) {
    rows += piece.length;
    // The rows of a piece are valid only until the next piece is read.
    const content = Buffer.concat(piece);
    parts.push(content);
    length += content.length;
    if (length >= fileLength) yield file();
  }
  parts.push(tail);
  yield file();
  const { name, columns } = table;
  return { name, columns, rows, bytes, sha256: hash.digest("hex") };
}
