/**
 * SIGTERM ends the service, by itself and cleanly, whatever state its database is in, with requests that wait for it; and the service
 * outlives a network that breaks its connections.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { temporaryFolder } from "../setup/basics/temporary-folder.ts";
import { DatabaseProxy } from "../setup/database/database-proxy.ts";
import { postmasterOf, postmastersBelow } from "../setup/process/embedded-postgres.ts";
import { OwnPostgres } from "../setup/process/own-postgres.ts";
import { RunningService } from "../setup/process/running-service.ts";
import { Writers } from "../setup/process/service-process.ts";

let postgres: OwnPostgres;
const running: { service: RunningService; writers: Writers }[] = [];
beforeAll(async () => {
  postgres = await OwnPostgres.create();
});
afterEach(async () => {
  for (const { service, writers } of running.splice(0)) {
    await service.end("SIGKILL");
    await writers.stop();
  }
});
afterAll(() => postgres.stop());

/** A service under writers, each of which has written. */
async function serve(settings: Record<string, string>): Promise<RunningService> {
  const service = await RunningService.start(settings);
  const writers = await Writers.start(service);
  running.push({ service, writers });
  await eventually(() => writers.progress().every((count) => count > 0));
  return service;
}

/** Ends it by SIGTERM, and expects that it ended by itself with nothing to say. */
async function expectEnd(service: RunningService): Promise<void> {
  expect([await service.end(), service.process.output().stderr]).toEqual([0, ""]);
}

/** Leaves nothing behind of a service's writers, so that the next one can create the same. */
const clean = () =>
  postgres.sql(
    'delete from zone_record; delete from domain; delete from api_key; delete from tsig_key; delete from "user"',
  );

type State = [what: string, enter: (proxy: DatabaseProxy) => Promise<unknown>, leave?: () => Promise<unknown>];
const resume = async () => postgres.resume();
const states: State[] = [
  ["works", async () => {}],
  ["hangs", () => postgres.suspend(), resume],
  ["serves what is connected, but takes no connection", () => postgres.suspend("postmaster"), resume],
  ["has stopped", () => postgres.stop(), () => postgres.start()],
  ["was killed", () => postgres.kill(), () => postgres.start()],
  [
    "has closed every connection",
    () => postgres.sql("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"),
  ],
  ["is behind a network that broke every connection", async (proxy) => proxy.breakAll()],
  ["is behind a network that passes nothing on", async (proxy) => proxy.silence()],
];
test.each(states)("SIGTERM ends the service while PostgreSQL %s", async (_what, enter, leave = async () => {}) => {
  const proxy = new DatabaseProxy(postgres.url);
  const service = await serve({ DATABASE_URL: await proxy.open(), DATABASE_POOL: "4" });
  await enter(proxy);
  try {
    await expectEnd(service);
  } finally {
    await leave();
    await proxy.close();
    await clean();
  }
});

test("behind a network that breaks every connection again and again it is ready by itself, and all write", async () => {
  const proxy = new DatabaseProxy(postgres.url);
  const service = await serve({ DATABASE_URL: await proxy.open(), DATABASE_POOL: "4" });
  const { writers } = running.at(-1) as { writers: Writers };
  try {
    for (let time = 0; time < 3; time += 1) {
      proxy.breakAll();
      await eventually(async () => expect(await service.isReady()).toBe(true));
      const before = writers.progress();
      await eventually(() => writers.progress().every((count, at) => count > (before[at] as number)));
    }
    await expectEnd(service);
  } finally {
    await proxy.close();
    await clean();
  }
});

const embedded: [what: string, signals: NodeJS.Signals[]][] = [
  ["works", []],
  ["is suspended", ["SIGSTOP"]],
  ["was killed and is started again", ["SIGKILL"]],
];
test.each(embedded)("SIGTERM ends the service and its PostgreSQL, which %s", async (_what, signals) => {
  const dataDir = temporaryFolder();
  const service = await serve({ DATA_DIR: dataDir });
  for (const signal of signals) process.kill(await postmasterOf(dataDir), signal);
  await expectEnd(service);
  // A backend whose postmaster was killed is taken for one until it has noticed.
  await eventually(() => expect(postmastersBelow(dataDir)).toEqual([]));
});
