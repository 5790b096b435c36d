/**
 * PostgreSQL fails in every way under eight writers, again and again: after each failure the service is ready by itself, all writers go
 * on, nothing of what was acknowledged is lost, and no place in the pool. `STORMS=7` makes it long.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { DatabaseProxy } from "../setup/database/database-proxy.ts";
import { OwnPostgres } from "../setup/process/own-postgres.ts";
import { RunningService, Writers, zones } from "../setup/process/service-process.ts";
import { RowLock } from "../setup/service/row-lock.ts";

const poolSize = zones.length;
const stormsOfAKind = Number(process.env.STORMS ?? 3);
let postgres: OwnPostgres;
let proxy: DatabaseProxy;
let service: RunningService;
let writers: Writers;

beforeAll(async () => {
  postgres = await OwnPostgres.create();
  proxy = new DatabaseProxy(postgres.url);
  service = await RunningService.start({ DATABASE_URL: await proxy.open(), DATABASE_POOL: String(poolSize) });
  writers = await Writers.start(service);
});
afterAll(async () => {
  service.process.child.kill("SIGKILL");
  await service.process.ended();
  await writers.stop();
  await proxy.close();
  await postgres.remove();
});

const ofService = "from pg_stat_activity where application_name like 'zonesmith%'";
const terminate = () => postgres.sql(`select pg_terminate_backend(pid) ${ofService}`);

const storms: Record<string, () => Promise<unknown>> = {
  "all connections are terminated": terminate,
  "all connections are terminated twice in a row": () => terminate().then(terminate),
  "all statements are cancelled": () => postgres.sql(`select pg_cancel_backend(pid) ${ofService}`),
  "all connections break on the network": async () => proxy.breakAll(),
  "a backend is killed, and PostgreSQL recovers": () => postgres.killBackend(),
  "PostgreSQL is restarted, fast": () => postgres.stop().then(() => postgres.start()),
  "the postmaster is killed, and started again": () => postgres.kill().then(() => postgres.start()),
  "PostgreSQL is suspended, and continued": async () => {
    await postgres.suspend();
    postgres.resume();
  },
};

/** Waits until each writer has had a write acknowledged after this moment. */
async function allWrite(): Promise<void> {
  const before = writers.progress();
  await eventually(() => writers.progress().every((count, at) => count > (before[at] as number)));
}

test.each(Object.entries(storms))("%s: the service is ready again, and all write", async (_what, storm) => {
  for (let time = 0; time < stormsOfAKind; time += 1) {
    await allWrite();
    await storm();
    const [now] = await eventually(() => postgres.sql<{ time: Date }>("select clock_timestamp() as time"));
    await eventually(() => service.isReady());
    await allWrite();
    const old = `select pid, query ${ofService} and xact_start < $1`;
    await eventually(async () => expect(await postgres.sql(old, [now?.time])).toEqual([]));
    expect(writers.wrong).toEqual([]);
  }
});

test("every acknowledged record is there, every place of the pool can be taken, and SIGTERM ends the service", async () => {
  await writers.stop();
  expect(writers.wrong).toEqual([]);
  expect(writers.unavailable).toBeGreaterThan(0);
  const rows = await postgres.sql<{ name: string }>(
    "select r.owner || '.' || d.zone as name from zone_record r join domain d on d.id = r.domain_id",
  );
  const names = new Set(rows.map(({ name }) => name));
  expect(writers.stored.flat().filter((name) => !names.has(name))).toEqual([]);
  const create = "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key } }";
  const another: string = (await service.graphql(create, { name: "another" })).data.createApiKey.key;
  const lock = await RowLock.take(postgres.url, ...zones);
  // No key has all places, and no zone more than one.
  const held = zones.map((zone, at) => {
    const form = { zone, owner: "held", rtype: "A", rdata: "192.0.2.1", ttl: "300" };
    const send = () => service.rest("/record/add", form, at === 0 ? another : undefined);
    // One that waited for three seconds before the others came is refused, and sent again.
    return eventually(async () => expect((await send()).status).toBe(201));
  });
  await lock.waiters(poolSize);
  await lock.release();
  await Promise.all(held);
  service.process.child.kill("SIGTERM");
  expect(await service.process.ended()).toBe(0);
});
