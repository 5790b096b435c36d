/**
 * Measures a service that has a very large number of zones, followed by two name servers: what clients ask of it, the transfer of the
 * catalog, the verification of all zones at both servers, and what it costs when nothing happens.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
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

/** Two name servers that answer each query for an SOA with the serial of all zones, in a process of their own. */
export async function standInSecondaries({ client, data, undo }: Standing): Promise<void> {
  const child = fork(join(import.meta.dirname, "soa-responders.js"));
  undo.push(() => end(child));
  const [ports] = (await once(child, "message")) as [number[]];
  for (const port of ports) {
    const input = { name: `stand-in ${port}`, address: "127.0.0.1", port, notify: false };
    await data("mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { id } } }", {
      input,
    });
  }
  // They have transferred all zones. Checking the foreign key of each row, while the service updates the two secondaries, would take minutes.
  await client.query("set session_replication_role = replica");
  await client.query(`insert into transferred_zone (domain_id, secondary_id, serial, transferred_at)
    select d.id, s.id, d.serial, now() - interval '1 hour' from domain d, secondary s where d.user_id is not null`);
  await client.query(`insert into sighting (secondary_id, domain_id, zone, serial, serial_at, proven_serial, seen_at, term)
    select s.id, d.id, d.zone, d.serial, now() - interval '1 hour', d.serial, now() - interval '1 hour', 0
    from domain d, secondary s where d.user_id is not null on conflict do nothing`);
  await client.query("vacuum analyze sighting");
}

/** Waits until every zone was verified at both name servers; then nothing happens for a while. */
export async function measurePeace({ client, service, postgres, tell }: Standing, seconds: number): Promise<void> {
  const unseen = async () => {
    const query = "select count(*)::int as n from sighting where seen_at < now() - interval '30 minutes' or term = 0";
    return (await client.query<{ n: number }>(query)).rows[0]?.n ?? 0;
  };
  const spent = () => [cpuOf(service.pid), cpuOfConnections(postgres)] as const;
  const costs = ([before, ofPostgres]: ReturnType<typeof spent>) => {
    const [after, now] = spent();
    return { service: after - before, postgres: cpuBetween(ofPostgres, now) };
  };
  const [all, begun, before] = [await unseen(), performance.now(), spent()];
  for (let left = all; left > 0; left = await unseen()) {
    console.error(`${((performance.now() - begun) / 1000).toFixed(0)} s: ${left} zones to verify`);
    await sleep(10_000);
  }
  const verified = costs(before);
  const verifySeconds = (performance.now() - begun) / 1000;
  const each = (verified.service + verified.postgres) / all;
  tell(
    "verification of all zones at both name servers",
    `${all} in ${verifySeconds.toFixed(0)} s, ${each.toFixed(3)} ms of processor time each`,
  );
  const from = spent();
  await sleep(seconds * 1000);
  const peace = costs(from);
  const share = (ms: number) => `${(ms / seconds / 10).toFixed(1)} %`;
  tell(
    `a core in ${seconds} s of peace, without verification`,
    `service ${share(peace.service)}, PostgreSQL ${share(peace.postgres)}`,
  );
  tell("a core for the verification of each zone in an hour", `${((all * each) / 36_000).toFixed(1)} %`);
  tell("memory of the service in peace", `${residentOf(service.pid).toFixed(0)} MB`);
}
