/** The secondaries of a dump, and another publisher beside the service. Nothing of Jest is imported, so that make-dump.ts runs it too. */
import pg from "pg";
import { query } from "../../setup/database/database.ts";
import { Responder } from "../../setup/dns/responder.ts";
import type { Json } from "../../setup/service/client.ts";
import { type Setup, tsigKeyOf } from "./questions.ts";

/** Opens name servers at the places of the secondaries of a dump, which serve what its version saw there. */
export async function openSecondaries(databaseUrl: string, setup: Setup): Promise<Responder[]> {
  const rows = await query<{ address: string; port: number; key: string | null; served: Json }>(
    databaseUrl,
    `select s.address, s.port, (select k.name from tsig_key k where k.id = s.tsig_key_id) as key,
      (select jsonb_object_agg(g.zone, g.serial) from sighting g where g.secondary_id = s.id and g.serial is not null) as served
    from secondary s`,
  );
  return Promise.all(
    rows.map(({ address, port, key, served }) => {
      const secondary = Object.assign(new Responder(), { address, port });
      if (key !== null) secondary.key = { name: key, key: tsigKeyOf(setup, key) };
      for (const [zone, at] of Object.entries(served ?? {})) secondary.serials.set(zone, Number(at));
      return secondary.open();
    }),
  );
}

/** The advisory lock of the instance that publishes, "zonepubl" in ASCII. */
const publisherLock = "x'7a6f6e657075626c'::bigint";

/**
 * Takes the lock of the publisher before a service starts on a database, as another instance would that publishes already: what was seen of
 * secondaries then stays as it is. The promise's function gives it back.
 */
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
