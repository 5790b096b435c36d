/**
 * Two services on one database, one of them with a clock that is a minute ahead: a scheduled set is applied at its time by the clock of the
 * database, once, by whichever leads, and also when the leader is killed in the middle.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pg from "pg";
import { eventually } from "../setup/basics/eventually.ts";
import { dropDatabase, freshDatabase, query } from "../setup/database/database.ts";
import { RunningService } from "../setup/process/service-process.ts";

const zone = "scheduled.example.com";
/** Moves the clock of a process a minute ahead. */
const skew = `const Real = Date; globalThis.Date = class extends Real {
  constructor(...all) { if (all.length > 0) super(...all); else super(Real.now() + 60000); }
  static now() { return Real.now() + 60000; } };`;

let url: string;
const services: RunningService[] = [];
async function start(settings: Record<string, string> = {}): Promise<RunningService> {
  const service = await RunningService.start({ DATABASE_URL: url, ...settings });
  services.push(service);
  return service;
}

beforeAll(async () => {
  url = await freshDatabase();
  const ahead = await start({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(skew)}` });
  // It leads before there is another.
  await eventually(async () =>
    expect(await query(url, "select from pg_locks where locktype = 'advisory' and granted")).not.toEqual([]),
  );
  await start();
  const user = "mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id createdAt } } }";
  const { id, createdAt } = (await ahead.graphql(user, { email: "sets@example.com" })).data.createUser.user;
  // Otherwise there is nothing to be seen here.
  const [clock] = await query<{ now: Date }>(url, "select clock_timestamp() as now");
  expect(Date.parse(createdAt)).toBeGreaterThan((clock?.now.getTime() ?? Number.POSITIVE_INFINITY) + 30_000);
  await ahead.rest("/domain/add", { zone, user_id: id });
});
afterAll(async () => {
  for (const { process } of services) {
    process.child.kill("SIGKILL");
    await process.ended();
  }
  await dropDatabase(url);
});

/** Schedules a set that adds a record, as soon as it may be by the clock of the database; its id. */
async function schedule(service: RunningService, owner: string): Promise<string> {
  const create = `mutation ($input: CreateChangeSetInput!) {
    createChangeSet(input: $input) { changeSet { id } preview { fingerprint } } }`;
  const add = [{ owner, type: "A", rdata: "192.0.2.1" }];
  const { changeSet, preview } = (await service.graphql(create, { title: owner, zones: [{ zone, add }] })).data
    .createChangeSet;
  const [row] = await query<{ at: Date }>(url, "select clock_timestamp() + interval '15 seconds' as at");
  const input = { id: changeSet.id, applyAt: row?.at.toISOString(), expectedFingerprint: preview.fingerprint };
  const answer = await service.graphql(
    "mutation ($input: ScheduleChangeSetInput!) { scheduleChangeSet(input: $input) { changeSet { state } } }",
    input,
  );
  expect(answer).toEqual({ data: { scheduleChangeSet: { changeSet: { state: "SCHEDULED" } } } });
  return changeSet.id;
}

interface Seen {
  readonly state: string;
  readonly isDue: boolean;
  readonly changes: string;
  readonly events: string[];
}

async function look(id: string): Promise<Seen> {
  const [row] = await query<Seen & pg.QueryResultRow>(
    url,
    `select state, clock_timestamp() >= apply_at as "isDue", (select count(*) from change where change_set_id = s.id) as changes,
      array(select kind from change_set_event where change_set_id = s.id order by ordinal) as events
    from change_set s where id = $1`,
    [id],
  );
  return row as Seen;
}

const applied = { state: "APPLIED", isDue: true, changes: "1", events: ["CREATED", "SCHEDULED", "APPLIED"] };

test("a set is applied at its time, though the leader's clock is ahead, and once", async () => {
  const id = await schedule(services[0] as RunningService, "ahead");
  const early: Seen[] = [];
  await eventually(async () => {
    const seen = await look(id);
    if (!seen.isDue && seen.state !== "SCHEDULED") early.push(seen);
    expect(seen.state).toBe("APPLIED");
  });
  expect(early).toEqual([]);
  await eventually(async () => expect((await look(id)).isDue).toBe(true));
  expect(await look(id)).toEqual(applied);
});

test("a set whose leader is killed while it applies it is applied by the next one, once", async () => {
  const [first, second] = services as [RunningService, RunningService];
  const id = await schedule(second, "killed");
  const lock = new pg.Client({ connectionString: url });
  await lock.connect();
  await lock.query("begin");
  await lock.query("select from domain where zone = $1 for update", [zone]);
  await eventually(async () => {
    const waiting = await query(
      url,
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(waiting).not.toEqual([]);
  });
  first.process.child.kill("SIGKILL");
  await first.process.ended();
  expect(await look(id)).toMatchObject({ state: "SCHEDULED", isDue: true, changes: "0" });
  await lock.query("rollback");
  await lock.end();
  await eventually(async () => expect((await look(id)).state).toBe("APPLIED"));
  expect(await look(id)).toEqual(applied);
});
