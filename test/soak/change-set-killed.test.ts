/**
 * Two services on one database: one is killed in the middle of an application, at any point of one, and both apply one set at once. All
 * zones are changed, or none. `KILLS=20 SET_ZONES=1000` makes it long.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { openPool } from "../setup/database/database.ts";
import type { RunningService } from "../setup/process/running-service.ts";
import { servicesOfDatabase } from "../setup/process/service-process.ts";
import { mutation } from "../setup/service/client.ts";
import { RowLock } from "../setup/service/row-lock.ts";

const zoneCount = Number(process.env.SET_ZONES ?? 60);
const kills = Number(process.env.KILLS ?? 3);
const zones = Array.from({ length: zoneCount }, (_, at) => `z${String(at).padStart(4, "0")}.example.com`);

const services = servicesOfDatabase();
let first: RunningService;
let other: RunningService;
beforeAll(async () => {
  first = await services.start();
  other = await services.start();
  await first.domains(...zones);
});

/** The id of the alias that every zone has. */
async function aliasOf(zone: string): Promise<string> {
  const [alias] = await services.sql<{ id: string }>(
    "select r.id from zone_record r join domain d on d.id = r.domain_id where d.zone = $1 and r.type = 'CNAME'",
    [zone],
  );
  return (alias as { id: string }).id;
}

/** Creates a set that adds a record to every zone, and edits records of these ids; its id with what it would do. */
async function prepare(service: RunningService, owner: string, edited: ReadonlyMap<string, string> = new Map()) {
  const parts = zones.map((zone) => ({
    edit: {
      zone,
      add: [{ owner, type: "A", rdata: "192.0.2.1" }],
      update: [edited.get(zone) ?? []].flat().map((id) => ({ recordId: id, ttl: 60 })),
    },
  }));
  const selection = "changeSet { id } preview { fingerprint applicable }";
  const { changeSet, preview } = await service.mutate("createChangeSet", { title: owner, zones: parts }, selection);
  expect(preview.applicable).toBe(true);
  return { changeSetId: changeSet.id, expectedFingerprint: preview.fingerprint };
}

const apply = mutation("applyChangeSet", "changeSet { state }");
const none = ["0", "0", "DRAFT"];
const all = [String(zoneCount), String(zoneCount), "APPLIED"];

/** How many zones have a record of this owner, and in which state the set is. */
async function resultOf(owner: string, id: string): Promise<(string | undefined)[]> {
  const [row] = await services.sql<{ zones: string; changes: string; state: string }>(
    `select (select count(*) from zone_record where owner = $1) as zones,
      (select count(*) from "change" where change_set_id = $2) as changes, (select state from change_set where id = $2) as state`,
    [owner, id],
  );
  return [row?.zones, row?.changes, row?.state];
}

test("a service that is killed while it stores the zones of a set leaves none of them changed, and another applies it", async () => {
  const zone = zones[zoneCount / 2] as string;
  const alias = await aliasOf(zone);
  const input = await prepare(first, "killed", new Map([[zone, alias]]));
  const lock = await RowLock.take(services.url);
  await lock.run("select id from zone_record where id = $1 for update", [alias]);
  const answer = first.graphql(apply, { input }).catch(() => "killed");
  await lock.waiters(1);
  await first.end("SIGKILL");
  expect(await answer).toBe("killed");
  await lock.release();
  expect(await resultOf("killed", input.changeSetId)).toEqual(none);
  await eventually(async () =>
    expect(await other.data(apply, { input })).toEqual({ applyChangeSet: { changeSet: { state: "APPLIED" } } }),
  );
  expect(await resultOf("killed", input.changeSetId)).toEqual(all);
});

/** Asks the database again and again until an answer is there, or so often; returns how often. */
async function askUntil(answer: Promise<unknown>, atMost = Number.POSITIVE_INFINITY): Promise<number> {
  let isAnswered = false;
  void answer.finally(() => {
    isAnswered = true;
  });
  const pool = openPool(services.url);
  let count = 0;
  for (; !isAnswered && count < atMost; count += 1) await pool.query("select 1");
  await pool.end();
  return count;
}

test("a service that is killed at any point of an application leaves all zones changed or none, and another finishes it", async () => {
  const whole = await prepare(other, "whole");
  const length = await askUntil(other.graphql(apply, { input: whole }));
  for (let kill = 0; kill < kills; kill += 1) {
    const killed = await services.start();
    const owner = `kill${kill}`;
    const input = await prepare(killed, owner);
    const answer = killed.graphql(apply, { input }).catch(() => "killed");
    await askUntil(answer, Math.round((length * (kill + 1)) / kills));
    await killed.end("SIGKILL");
    await answer;
    expect([none, all]).toContainEqual(await resultOf(owner, input.changeSetId));
    await eventually(async () => {
      const { data, errors } = (await other.graphql(apply, { input })).body;
      expect([data?.applyChangeSet?.changeSet.state, errors?.[0]?.extensions?.code]).toEqual(
        errors ? [undefined, "WRONG_STATE"] : ["APPLIED", undefined],
      );
    });
    expect(await resultOf(owner, input.changeSetId)).toEqual(all);
  }
}, 600_000);

test("of many who apply a set at once one does", async () => {
  const appliers = [other, await services.start()];
  const input = await prepare(other, "once");
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, at) => (appliers[at % 2] as RunningService).graphql(apply, { input })),
  );
  const codes = answers.map(({ body }) => body.errors?.[0]?.extensions?.code);
  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  expect(new Set(codes.filter((code) => code !== undefined))).toEqual(new Set(["WRONG_STATE"]));
  expect(await resultOf("once", input.changeSetId)).toEqual(all);
});
