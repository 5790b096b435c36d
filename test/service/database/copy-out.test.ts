/**
 * Rows by COPY: whole however slowly they are taken, in a bounded amount of memory, and what happens to a connection whose rows
 * nobody takes any more.
 */
import { afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Pool, PoolClient } from "pg";
import { copyOut } from "../../../src/database/copy-out.ts";
import { openReaders } from "../../../src/service/database/open-database.ts";
import { freshDatabase } from "../../setup/database/database.ts";

let url = "";
let pool: Pool;
let client: PoolClient;
beforeAll(async () => {
  url = await freshDatabase();
});
beforeEach(async () => {
  pool = openReaders({ url, connections: 1 });
  client = await pool.connect();
  await client.query("begin");
});
afterEach(() => pool.end());

const copyOf = (select: string) => `copy (${select}) to stdout (format binary)`;
/** The only field of a row. */
const text = (row: Buffer) => row.toString("latin1", 6);

async function rowsOf(select: string): Promise<string[]> {
  const rows: string[] = [];
  for await (const piece of copyOut(client, copyOf(select))) {
    // More would arrive meanwhile, and be written over what is here.
    await new Promise((resolve) => setImmediate(resolve));
    for (const row of piece) rows.push(text(row));
  }
  return rows;
}

test("rows of any size are whole however slowly they are taken, and the connection is as before", async () => {
  const size = (n: number) => (n % 500 === 0 ? 100_000 : n % 60);
  const rows = await rowsOf(
    "select repeat(chr(65 + n % 26), case when n % 500 = 0 then 100000 else n % 60 end) from generate_series(0, 20000) n",
  );
  const expected = Array.from({ length: 20_001 }, (_, n) => String.fromCharCode(65 + (n % 26)).repeat(size(n)));
  expect(rows.length).toBe(expected.length);
  expect(rows.every((row, at) => row === expected[at])).toBe(true);
  expect(await rowsOf("select 'x' where false")).toEqual([]);
  expect(await rowsOf("select 'x'")).toEqual(["x"]);
  await client.query("rollback");
  client.release();
});

test("an error in the middle is thrown, and the connection can be used", async () => {
  await expect(rowsOf("select (1 / (5000 - n))::text from generate_series(1, 9999) n")).rejects.toThrow("by zero");
  await client.query("rollback");
  expect((await client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  client.release();
});

test("a connection whose rows are not all taken is ended, and its place is free", async () => {
  for await (const piece of copyOut(client, copyOf("select n::text from generate_series(1, 10000000) n"))) {
    expect(piece.length).toBeLessThan(20_000);
    break;
  }
  await client.query("rollback");
  client.release();
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

test("a connection that is lost meanwhile ends the rows with an error", async () => {
  const taken = rowsOf("select pg_terminate_backend(pg_backend_pid())::text from generate_series(1, 2)");
  await expect(taken).rejects.toThrow();
  await client.query("rollback");
  client.release();
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});
