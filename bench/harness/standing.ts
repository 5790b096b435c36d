/**
 * Measures a service that has a very large number of zones, followed by two name servers: what clients ask of it, and what the
 * verification of the copies costs when nothing happens.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { transferZone } from "../../src/publisher/packets/zone-transfer.ts";
import { cpuBetween, cpuOf, cpuOfConnections, end, residentOf, type Side } from "./processes.ts";
import { median } from "./rounds.ts";

export interface Standing {
  readonly service: Side;
  /** The process id of PostgreSQL. */
  readonly postgres: number;
  readonly client: pg.Client;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any form
  readonly data: (query: string, variables?: Record<string, unknown>) => Promise<any>;
  readonly tell: (what: string, figure: string) => void;
  readonly undo: (() => unknown)[];
}

const rounds = 7;

/** The median time of a request, ms, after one that is not counted. */
async function timeOf(ask: (round: number) => Promise<unknown>): Promise<string> {
  await ask(0);
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const begun = performance.now();
    await ask(round);
    times.push(performance.now() - begun);
  }
  return `${median(times).toFixed(1)} ms`;
}

/** The requests of clients, while no name server follows. */
export async function measureRequests({ client, data, tell, service }: Standing, zones: number): Promise<void> {
  const middle = `z${String(Math.floor(zones / 2)).padStart(7, "0")}.example`;
  const list = "nodes { id zone serial publication { state } } pageInfo { endCursor }";
  const { domains } = await data(`{ domains(first: 1, filter: { zone: "${middle}" }) { ${list} } }`);
  const page = `query ($after: String) { domains(first: 100, after: $after) { ${list} } }`;
  tell(
    "one zone with its records",
    await timeOf(() =>
      data(`{ domain(by: { zone: "${middle}" }) { zone records(first: 10) { nodes { owner type rdata } } } }`),
    ),
  );
  tell("a page of 100 zones in the middle", await timeOf(() => data(page, { after: domains.pageInfo.endCursor })));
  tell(
    "100 zones that are LATE",
    await timeOf(() => data(`{ domains(first: 100, filter: { state: LATE }) { ${list} } }`)),
  );
  tell(
    "zones whose name contains a text",
    await timeOf((n) =>
      data(`{ domains(first: 100, filter: { zoneContains: "${middle.slice(1, 6)}${n}" }) { ${list} } }`),
    ),
  );
  tell(
    "records of all zones whose data contains a text",
    await timeOf((n) =>
      data(`{ records(first: 100, filter: { rdataContains: "192.0.2.${n + 100}" }) { nodes { zone owner } } }`),
    ),
  );
  const user = (await client.query<{ id: string }>('select min(id)::text as id from "user"')).rows[0]?.id;
  const create = "mutation ($input: CreateDomainInput!) { createDomain(input: $input) { domain { serial } } }";
  tell("create a zone", await timeOf((n) => data(create, { input: { userId: user, zone: `new-${n}.example` } })));
  const add = "mutation ($input: CreateRecordInput!) { createRecord(input: $input) { record { id } } }";
  tell(
    "add a record",
    await timeOf((n) => data(add, { input: { zone: middle, owner: `w${n}`, type: "A", rdata: "192.0.2.1" } })),
  );
  tell("memory of the service after these", `${residentOf(service.pid).toFixed(0)} MB`);
}

export async function measureCatalog({ data, service, tell }: Standing, port: number): Promise<void> {
  const key = await data(`mutation { createTsigKey(input: { name: "catalog.bench" }) { tsigKey { id } secret } }`);
  const { tsigKey, secret } = key.createTsigKey;
  const input = { name: "catalog", address: "127.0.0.1", port: 9, notify: false, tsigKeyId: tsigKey.id };
  await data("mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { id } } }", {
    input,
  });
  const source = {
    ...{ address: "127.0.0.1", port, keyError: undefined },
    key: { name: "catalog.bench", algorithm: "hmac-sha256" as const, secret: Buffer.from(secret, "base64") },
  };
  const { catalogs } = await data("{ catalogs { zone } }");
  const begun = performance.now();
  let [records, firstAt] = [0, 0];
  const onRecord = () => {
    firstAt ||= performance.now();
    records += 1;
    return true;
  };
  const taker = { octets: 2 ** 31, ms: 600_000, onRecord };
  await transferZone(source, catalogs[0].zone, async () => taker, new AbortController().signal);
  const ms = (at: number) => `${(at - begun).toFixed(0)} ms`;
  tell(
    "AXFR of the catalog",
    `${records} records, the first after ${ms(firstAt)}, the last after ${ms(performance.now())}`,
  );
  tell("memory of the service after it", `${residentOf(service.pid).toFixed(0)} MB`);
}

const ofLastZone = "domain_id = (select max(id) from domain where user_id is not null)";

/**
 * Two name servers in a process of their own, which answer each query for an SOA with the serial of all zones, as if they had transferred
 * all of them and each copy had just been verified.
 */
export async function standInSecondaries({ client, undo }: Standing): Promise<void> {
  const child = fork(join(import.meta.dirname, "soa-responders.js"));
  undo.push(() => end(child));
  const [ports] = (await once(child, "message")) as [number[]];
  // Checking the foreign key of each row would take minutes.
  await client.query("begin; set local session_replication_role = replica");
  await client.query(
    `insert into secondary (name, address, port, notify, allow_unsigned_transfer, joined_at)
    select 'stand-in ' || port, '127.0.0.1', port, false, true, now() from unnest($1::int[]) port`,
    [ports],
  );
  await client.query(`insert into transferred_zone (domain_id, secondary_id, serial, transferred_at)
    select d.id, s.id, d.serial, now() - interval '1 hour' from domain d, secondary s where d.user_id is not null`);
  await client.query(`insert into sighting (secondary_id, domain_id, zone, serial, serial_at, proven_serial, seen_at, term)
    select s.id, d.id, d.zone, d.serial, now() - interval '1 hour', d.serial, now(), t.term
    from domain d, secondary s, publisher_term t where d.user_id is not null`);
  await client.query(`update sighting set seen_at = 'epoch' where ${ofLastZone}; commit`);
  await client.query("vacuum analyze sighting, transferred_zone");
  // The first round of all zones is the fast one. It ends with the last zone, the only one that is due.
  const waiting = `select from sighting where ${ofLastZone} and seen_at = 'epoch'`;
  while ((await client.query(waiting)).rowCount) await sleep(1000);
}

/** Waits until all zones are members of the catalog. */
export async function untilInCatalog({ data, tell }: Standing, zones: number): Promise<void> {
  const begun = performance.now();
  const members = async () => (await data("{ catalogs { memberCount } }")).catalogs?.[0]?.memberCount ?? 0;
  while ((await members()) < zones) await sleep(1000);
  tell("all zones are in the catalog after", `${((performance.now() - begun) / 1000).toFixed(0)} s more`);
}

/** Peace: nothing changes, while the service verifies the copies of all zones, one after the other. */
export async function measurePeace({ client, service, postgres, tell }: Standing, seconds: number): Promise<void> {
  // The lock, so that it does not meet the service's own writes row by row.
  await client.query("begin; lock table sighting in exclusive mode");
  await client.query("update sighting set seen_at = now() - interval '1 hour'; commit");
  await client.query("vacuum analyze sighting");
  await client.query("checkpoint");
  const [cpu, ofPostgres, begun] = [cpuOf(service.pid), cpuOfConnections(postgres), new Date()];
  await sleep(seconds * 1000);
  const [after, ofPostgresAfter] = [cpuOf(service.pid), cpuOfConnections(postgres)];
  const { rows } = await client.query<{ n: number }>("select count(*)::int as n from sighting where seen_at >= $1", [
    begun,
  ]);
  const verified = rows[0]?.n ?? 0;
  const share = (ms: number) => `${(ms / seconds / 10).toFixed(1)} %`;
  const costs = [after - cpu, cpuBetween(ofPostgres, ofPostgresAfter)] as const;
  tell(`a core in ${seconds} s of peace`, `service ${share(costs[0])}, PostgreSQL ${share(costs[1])}`);
  tell("copies that were verified meanwhile", `${verified}, ${(verified / seconds).toFixed(0)} a second`);
  tell("memory of the service in peace", `${residentOf(service.pid).toFixed(0)} MB`);
}
