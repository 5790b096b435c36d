/**
 * A large number of small zones, created by PostgreSQL. Each has four records (SOA, two NS, an address) with the same data, so that no data
 * has to be computed here.
 */
import type pg from "pg";
import { readConfig } from "../../src/config/config.ts";
import type { Policy } from "../../src/session/operator-policy.ts";
import { parseRecord } from "../../src/zone/edit/canonical-record.ts";

const { NAME_SERVERS: nameServers, HOSTMASTER: hostmaster } = readConfig({});
const policy = { ttlMin: 0, ttlMax: 2147483647 } as Policy;
const batch = 50_000;

/** The name of zone `n`. */
export const manyZoneName = (n: number) => `z${String(n).padStart(7, "0")}.example`;

const serial = 2026010101;

/** The records of each zone. */
function recordsOfEach() {
  const soa = `${nameServers[0]} ${hostmaster} ${serial} 10800 3600 1209600 3600`;
  const texts = [["SOA", soa], ...nameServers.map((name) => ["NS", name]), ["A", "192.0.2.1"]];
  return texts.map(([type, rdata]) =>
    parseRecord({ owner: "@", type: type as string, rdata: rdata as string, ttl: 3600 }, manyZoneName(0), policy),
  );
}

/** The data of the SOA of each zone, as on the wire. */
export const soaOfEach = (): Uint8Array => recordsOfEach()[0]?.wire as Uint8Array;

/** Creates the zones from `from` up to, but without, `to`, for the first user; the tables are migrated. */
export async function makeZones(db: pg.Client, from: number, to: number): Promise<void> {
  const records = recordsOfEach();
  await db.query(`insert into "user" (email) values ('many@example.com') on conflict do nothing`);
  for (let first = from; first < to; first += batch) {
    await db.query(
      `with made as (
        insert into domain (zone, user_id, serial)
        select 'z' || lpad(n::text, 7, '0') || '.example', (select min(id) from "user"), ${serial}
        from generate_series($1::int, $2::int - 1) n returning id
      )
      insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
      select made.id, '@', t, 3600, r, w, decode(h, 'hex')
      from made, unnest($3::text[], $4::text[], $5::bytea[], $6::text[]) as e(t, r, w, h)`,
      [
        first,
        Math.min(first + batch, to),
        records.map(({ type }) => type),
        records.map(({ rdata }) => rdata),
        records.map(({ wire }) => Buffer.from(wire)),
        records.map(({ digest }) => digest),
      ],
    );
  }
  await db.query("vacuum analyze");
}
