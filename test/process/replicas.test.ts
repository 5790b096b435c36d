/**
 * Two instances with a standby of PostgreSQL at DATABASE_READ_URL, which is late, gone, back and promoted: nothing is answered that is
 * older than what was acknowledged.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { freePort } from "../setup/basics/free-port.ts";
import { transfer } from "../setup/dns/transfer.ts";
import { OwnPostgres } from "../setup/process/own-postgres.ts";
import { RunningService } from "../setup/process/running-service.ts";
import type { Json } from "../setup/service/client.ts";

const zone = "example.com";
const rounds = 30;
let primary: OwnPostgres;
let standby: OwnPostgres;
let first: RunningService;
let second: RunningService;
let owners = 0;

beforeAll(async () => {
  primary = await OwnPostgres.create();
  standby = await primary.standby();
  const settings = { DATABASE_URL: primary.url, DATABASE_READ_URL: standby.url, LOG_LEVEL: "info" };
  first = await RunningService.start(settings);
  second = await RunningService.start(settings, first.apiKey);
  await first.domains(zone);
  const place = { name: "copies", address: "127.0.0.1", port: await freePort(), allowUnsignedTransfer: true };
  await first.mutate("createSecondary", place, "secondary { id }");
});
afterAll(async () => {
  await Promise.all([first, second].map((each) => each.end("SIGKILL")));
  await Promise.all([primary, standby].map((each) => each.stop()));
});

/** Creates a record by the first instance; returns its owner. */
async function write(): Promise<string> {
  owners += 1;
  const owner = `owner${owners}`;
  await first.record(zone, owner, "A", "192.0.2.1");
  return owner;
}

async function listed(service: RunningService): Promise<string[]> {
  const { body } = await service.graphql(
    "query ($zone: String!) { records(filter: { zone: $zone }, first: 200) { nodes { owner } } }",
    { zone },
  );
  return body.data.records.nodes.map(({ owner }: Json) => owner);
}

async function found(service: RunningService, owner: string): Promise<string[]> {
  const { body } = await service.graphql(
    "query ($text: String!) { records(filter: { ownerPrefix: $text }, first: 10) { nodes { owner } } }",
    { text: owner },
  );
  return body.data.records.nodes.map(({ owner }: Json) => owner);
}

const findFirst = (service: RunningService) => found(service, "owner1");

async function listedByRest(service: RunningService): Promise<string> {
  return (await service.rest("GET", "/record/list")).text;
}

const transferred = async (service: RunningService) => (await transfer(service.dnsPort, zone)).join("\n");

/** Expects everything that may come from the standby, of both instances, to have a record that was just written. */
async function expectFresh(): Promise<void> {
  const owner = await write();
  for (const service of [first, second]) {
    expect(await listed(service)).toContain(owner);
    expect(await found(service, owner)).toEqual([owner]);
    expect(await listedByRest(service)).toContain(`"${owner}"`);
    expect(await transferred(service)).toContain(`${owner}.${zone}.`);
  }
}

/** When a server last ran a statement of an instance, besides those that ask how far it is. */
async function lastRead(server: OwnPostgres): Promise<number> {
  const [row] = await server.sql<{ at: number }>(
    `select coalesce(max(extract(epoch from query_start)), 0)::float8 as at from pg_stat_activity
    where application_name in ('zonesmith-reads', 'zonesmith-dns') and query !~ 'pg_control_system'`,
  );
  return row?.at ?? 0;
}

/** Waits until every kind of read of both instances is answered by the standby. */
async function expectUsed(): Promise<void> {
  for (const service of [first, second])
    for (const read of [listed, listedByRest, transferred, findFirst]) {
      const before = await lastRead(standby);
      await eventually(async () => {
        await read(service);
        expect(await lastRead(standby)).toBeGreaterThan(before);
      });
    }
}

/** Waits until both instances have said last that they left the standby out for this reason. */
async function expectLeftOut(reason: RegExp): Promise<void> {
  for (const service of [first, second])
    await eventually(async () => {
      await listed(service);
      const lines = service.process.output().stdout.split("\n");
      const last = lines.findLast((line) => line.includes('"replica":'));
      expect(JSON.parse(last ?? "{}").reason).toMatch(reason);
    });
}

test("lists, searches and transfers come from the standby, and have what was just written", async () => {
  await write();
  await expectUsed();
  for (let round = 0; round < rounds; round += 1) await expectFresh();
  await expectUsed();
});

test("while the standby is late, the primary answers", async () => {
  await standby.sql("select pg_wal_replay_pause()");
  for (let round = 0; round < 3; round += 1) await expectFresh();
  await expectLeftOut(/^it is behind$/);
  await standby.sql("select pg_wal_replay_resume()");
  await expectUsed();
});

test("a standby that stops or hangs is left out, and is used again when it is back", async () => {
  await standby.stop();
  await expectFresh();
  await expectLeftOut(/./);
  await standby.start();
  await expectUsed();
  await standby.suspend();
  await expectFresh();
  await expectLeftOut(/./);
  standby.resume();
  await expectUsed();
});

test("a standby that is promoted is left out", async () => {
  await standby.sql("select pg_promote()");
  await expectFresh();
  await expectLeftOut(/^it is no standby$/);
});
