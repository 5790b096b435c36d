/**
 * Keeps a service's publisher from looking at secondaries, as another instance of the service would that publishes already: what was seen
 * of them then stays as it is.
 */
import pg from "pg";

/** The advisory lock of the instance that publishes, "zonepubl" in ASCII. */
const publisherLock = "x'7a6f6e657075626c'::bigint";

/** Takes the lock on a database before a service starts on it; the promise's function gives it back. */
export async function holdPublisher(databaseUrl: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`select pg_advisory_lock(${publisherLock})`);
  return async () => {
    const { rows } = await client.query<{ holders: number }>(
      `select count(*)::int as holders from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`,
    );
    await client.end();
    if (rows[0]?.holders !== 1) throw new Error("a publisher ran under another lock than the one that is held here");
  };
}
