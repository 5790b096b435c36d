/** The PostgreSQL connections of the floor, and its prepared statements. */
import pg from "pg";

const connectionString = process.env.DATABASE_URL;
const pool = new pg.Pool({ connectionString, max: 10 });

/**
 * With the argument `pipelined` the floor sends statements without waiting for the answers of others: reads on one connection, writes on
 * four, because the commits of one connection follow each other.
 */
const isPipelined = process.argv[2] === "pipelined";
const pipelines = await Promise.all(
  Array.from({ length: isPipelined ? 5 : 0 }, async () => {
    const client = new pg.Client({ connectionString, pipeline: true });
    await client.connect();
    return client;
  }),
);
const [reader, ...writers] = pipelines;
let turn = 0;

export type Row = Record<string, string>;

/** A statement that is prepared once on each connection, under a unique name. */
export const statement =
  (name: string, text: string, writes = false) =>
  async (values: unknown[]): Promise<Row[]> => {
    const target = (writes ? writers[turn++ % writers.length] : reader) ?? pool;
    return (await target.query<Row>({ name, text, values })).rows;
  };
