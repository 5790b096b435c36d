/**
 * Two services on one database and change sets that they apply, of which the leader is killed or suspended in the middle: a scheduled set is
 * applied at its time by the clock of the database, once, by whichever leads, also where the clock of one is a minute ahead; of a set that
 * changes its zones one after the other each is changed once. `KILLS=10 SET_ZONES=1000` makes it long.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import type { RunningService } from "../setup/process/running-service.ts";
import { servicesOfDatabase } from "../setup/process/service-process.ts";
import { RowLock } from "../setup/service/row-lock.ts";

const zoneCount = Number(process.env.SET_ZONES ?? 40);
const kills = Number(process.env.KILLS ?? 2);
const zones = Array.from({ length: zoneCount }, (_, at) => `z${String(at).padStart(4, "0")}.example.com`);
const [zone = ""] = zones;
/** Moves the clock of a process a minute ahead. */
const skew = `const Real = Date; globalThis.Date = class extends Real {
  constructor(...all) { if (all.length > 0) super(...all); else super(Real.now() + 60000); }
  static now() { return Real.now() + 60000; } };`;

const services = servicesOfDatabase();
let leader: RunningService;
let other: RunningService;

beforeAll(async () => {
  leader = await services.startLeader({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(skew)}` });
  other = await services.start();
  await leader.domains(...zones);
  // Otherwise there is nothing to be seen here.
  const ahead = `select created_at > clock_timestamp() + interval '30 seconds' as "isAhead" from "user"`;
  expect(await services.sql(ahead)).toEqual([{ isAhead: true }]);
});

/** Creates a set that adds a record to zones; its id, and what it would do. */
async function create(owner: string, ofZones: readonly string[], mode = "ALL") {
  const parts = ofZones.map((each) => ({ edit: { zone: each, add: [{ owner, type: "A", rdata: "192.0.2.1" }] } }));
  const selection = "changeSet { id } preview { fingerprint }";
  const { changeSet, preview } = await other.mutate("createChangeSet", { title: owner, mode, zones: parts }, selection);
  return { changeSetId: changeSet.id as string, expectedFingerprint: preview.fingerprint as string };
}

/** Schedules a set that adds a record, as soon as it may be by the clock of the database; its id. */
async function schedule(owner: string): Promise<string> {
  const set = await create(owner, [zone]);
  const [row] = await services.sql<{ at: Date }>("select clock_timestamp() + interval '15 seconds' as at");
  const input = { ...set, applyAt: row?.at.toISOString() };
  expect(await other.mutate("scheduleChangeSet", input, "changeSet { state }")).toMatchObject({
    changeSet: { state: "SCHEDULED" },
  });
  return input.changeSetId;
}

interface Seen extends Record<string, unknown> {
  readonly state: string;
  readonly isDue: boolean;
  /** How many of its zones are done. */
  readonly done: number;
  readonly changes: number;
  /** In how many zones these are. */
  readonly zones: number;
  readonly events: string[];
}

async function look(id: string): Promise<Seen> {
  const [row] = await services.sql<Seen>(
    `select state, clock_timestamp() >= apply_at as "isDue",
      (select count(*)::int from change_set_zone where change_set_id = s.id and outcome = 'APPLIED') as done,
      (select count(*)::int from change where change_set_id = s.id) as changes,
      (select count(distinct domain_id)::int from change where change_set_id = s.id) as zones,
      array(select kind from change_set_event where change_set_id = s.id order by ordinal) as events
    from change_set s where id = $1`,
    [id],
  );
  return row as Seen;
}

const isApplied = (id: string) => eventually(async () => expect((await look(id)).state).toBe("APPLIED"));
const applied = { isDue: true, changes: 1, events: ["CREATED", "SCHEDULED", "APPLIED"] };

test("a set is applied at its time, though the leader's clock is ahead, and once", async () => {
  const id = await schedule("ahead");
  const early: Seen[] = [];
  await eventually(async () => {
    const seen = await look(id);
    if (!seen.isDue && seen.state !== "SCHEDULED") early.push(seen);
    expect(seen.state).toBe("APPLIED");
  });
  expect(early).toEqual([]);
  await eventually(async () => expect((await look(id)).isDue).toBe(true));
  expect(await look(id)).toMatchObject(applied);
});

test("a set whose leader is killed while it applies it is applied by the next one, once", async () => {
  const id = await schedule("killed");
  const lock = await RowLock.take(services.url, zone);
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await eventually(async () => expect(await services.sql(waiting)).not.toEqual([]));
  await leader.end("SIGKILL");
  expect(await look(id)).toMatchObject({ state: "SCHEDULED", isDue: true, changes: 0 });
  await lock.release();
  await isApplied(id);
  expect(await look(id)).toMatchObject(applied);
});

test("whenever the leader is killed the next one goes on, and each zone is changed once", async () => {
  for (let kill = 0; kill < kills; kill += 1) {
    [leader, other] = [other, await services.start()];
    // The leader stops at this zone, in the middle.
    const lock = await RowLock.take(services.url, zones[Math.floor(zoneCount / (2 + kill))] as string);
    const { changeSetId: id, expectedFingerprint } = await create(`kill${kill}`, zones, "EACH_ZONE");
    const { changeSet } = await other.mutate(
      "applyChangeSet",
      { changeSetId: id, expectedFingerprint, waitMs: 0 },
      "changeSet { state }",
    );
    expect(changeSet.state).toBe("APPLYING");
    await eventually(async () => expect((await look(id)).done).toBeGreaterThan(0));
    await leader.end("SIGKILL");
    const half = await look(id);
    expect([half.state, half.changes]).toEqual(["APPLYING", half.done]);
    await lock.release();
    await isApplied(id);
    expect(await look(id)).toMatchObject({ done: zoneCount, changes: zoneCount, zones: zoneCount });
  }
});

test("a leader that is suspended is followed by another, and does not lead when it goes on", async () => {
  if (leader.process.child.killed) [leader, other] = [other, await services.start()];
  const termOf = async ({ process: { child } }: RunningService) =>
    (await services.sql<{ term: string | null }>("select term from instance where pid = $1", [child.pid]))[0]?.term;
  await eventually(async () => expect(await termOf(leader)).not.toBeNull());
  leader.process.child.kill("SIGSTOP");
  const { changeSetId: id, expectedFingerprint } = await create("suspended", zones, "EACH_ZONE");
  await other.mutate("applyChangeSet", { changeSetId: id, expectedFingerprint, waitMs: 0 }, "changeSet { state }");
  await isApplied(id);
  leader.process.child.kill("SIGCONT");
  await eventually(async () => expect(await termOf(leader)).toBeNull());
  expect(await termOf(other)).not.toBeNull();
  expect(await look(id)).toMatchObject({ done: zoneCount, changes: zoneCount, zones: zoneCount });
});
