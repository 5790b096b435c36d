/**
 * Two services on one database, of which the leader is killed while it changes the zones of a set one after the other: the next one goes on,
 * and each zone is changed once. `KILLS=10 SET_ZONES=1000` makes it long.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pg from "pg";
import { eventually } from "../setup/basics/eventually.ts";
import { dropDatabase, freshDatabase, query } from "../setup/database/database.ts";
import { RunningService } from "../setup/process/service-process.ts";

const zoneCount = Number(process.env.SET_ZONES ?? 40);
const kills = Number(process.env.KILLS ?? 2);
const zones = Array.from({ length: zoneCount }, (_, at) => `z${String(at).padStart(4, "0")}.example.com`);

let url: string;
const services: RunningService[] = [];
async function start(): Promise<RunningService> {
  const service = await RunningService.start({ DATABASE_URL: url });
  services.push(service);
  return service;
}
beforeAll(async () => {
  url = await freshDatabase();
  const first = await start();
  // It leads before there is another.
  await eventually(async () =>
    expect(await query(url, "select from pg_locks where locktype = 'advisory' and granted")).not.toEqual([]),
  );
  const user = "mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }";
  const { id } = (await first.graphql(user, { email: "sets@example.com" })).data.createUser.user;
  for (const zone of zones) await first.rest("/domain/add", { zone, user_id: id });
});
afterAll(async () => {
  for (const { process } of services) {
    process.child.kill("SIGKILL");
    await process.ended();
  }
  await dropDatabase(url);
});

/** Begins to apply a set that adds a record to every zone, and does not wait; its id. */
async function begin(service: RunningService, owner: string): Promise<string> {
  const create = `mutation ($input: CreateChangeSetInput!) {
    createChangeSet(input: $input) { changeSet { id } preview { fingerprint } } }`;
  const parts = zones.map((zone) => ({ zone, add: [{ owner, type: "A", rdata: "192.0.2.1" }] }));
  const { data } = await service.graphql(create, { title: owner, mode: "EACH_ZONE", zones: parts });
  const { changeSet, preview } = data.createChangeSet;
  const apply = "mutation ($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { state } } }";
  const input = { id: changeSet.id, expectedFingerprint: preview.fingerprint, timeoutMs: 0 };
  expect((await service.graphql(apply, input)).data.applyChangeSet.changeSet.state).toBe("APPLYING");
  return changeSet.id;
}

async function look(id: string) {
  const [row] = await query<{ state: string; done: number; changes: number; zones: number }>(
    url,
    `select state, (select count(*)::int from change_set_zone where change_set_id = s.id and outcome = 'APPLIED') as done,
      (select count(*)::int from change where change_set_id = s.id) as changes,
      (select count(distinct domain_id)::int from change where change_set_id = s.id) as zones
    from change_set s where id = $1`,
    [id],
  );
  return row;
}

test("whenever the leader is killed the next one goes on, and each zone is changed once", async () => {
  for (let kill = 0; kill < kills; kill += 1) {
    const [leader, other] = [services.at(-1) as RunningService, await start()];
    // The leader stops at this zone, in the middle.
    const lock = new pg.Client({ connectionString: url });
    await lock.connect();
    await lock.query("begin");
    await lock.query("select from domain where zone = $1 for update", [zones[Math.floor(zoneCount / (2 + kill))]]);
    const id = await begin(other, `kill${kill}`);
    await eventually(async () => {
      const seen = await look(id);
      expect(seen?.done).toBeGreaterThan(0);
    });
    leader.process.child.kill("SIGKILL");
    await leader.process.ended();
    const half = await look(id);
    expect([half?.state, half?.changes]).toEqual(["APPLYING", half?.done]);
    await lock.query("rollback");
    await lock.end();
    await eventually(async () => expect((await look(id))?.state).toBe("APPLIED"));
    expect(await look(id)).toEqual({ state: "APPLIED", done: zoneCount, changes: zoneCount, zones: zoneCount });
  }
});
