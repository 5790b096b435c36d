/**
 * Change sets of the same zones, staged in any order, beside direct changes, imports, new zones and users who are deleted: no two wait for each
 * other, and each is done or refused with a reason.
 */
import { expect, jest, test } from "@jest/globals";
import { sql } from "kysely";
import pg from "pg";
import { createUser } from "../../../src/account/user.ts";
import { applyChangeSet } from "../../../src/changeset/apply.ts";
import { previewChangeSet } from "../../../src/changeset/preview.ts";
import { createChangeSet } from "../../../src/changeset/stage.ts";
import type { ZonePart } from "../../../src/changeset/zone-part.ts";
import { Refusal } from "../../../src/errors.ts";
import { connection } from "../../../src/session/session.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { createDomain, deleteUser } from "../../../src/zone/edit/lifecycle.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { Random } from "../../setup/basics/random.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const rounds = Number(process.env.ROUNDS ?? 6);
const random = new Random(1);

/** The codes by which PostgreSQL refused statements. */
const codes: unknown[] = [];
const query = pg.Client.prototype.query as (...sent: unknown[]) => unknown;
const noting = function (this: pg.Client, ...sent: unknown[]) {
  const result = query.apply(this, sent);
  const refused = (result as Promise<unknown> | undefined)?.then?.bind(result);
  refused?.(undefined, ({ code }: { code?: string }) => codes.push(code));
  return result;
};
jest.spyOn(pg.Client.prototype, "query").mockImplementation(noting as typeof pg.Client.prototype.query);

let made = 0;
const record = () => {
  made += 1;
  return { owner: `r${made}`, type: "A", rdata: "192.0.2.1" };
};

function shuffled<Item>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => [random.next(), item] as const);
  return keyed.toSorted(([a], [b]) => a - b).map(([, item]) => item);
}

/** Stages, looks at and applies a set. */
async function applySet(parts: readonly ZonePart[]): Promise<void> {
  const session = zones.session();
  const set = await createChangeSet(session, { title: "beside others", zones: parts });
  const { fingerprint } = await previewChangeSet(session, set);
  await applyChangeSet(session, set.id, fingerprint);
}

test("sets and other writers of the same zones are never in a deadlock", async () => {
  await expect(sql`select 1 / 0`.execute(connection(zones.session()))).rejects.toThrow();
  expect(codes).toEqual(["22012"]);
  const common = [await zones.zone(), await zones.zone(), await zones.zone(), await zones.zone()];
  const refused = new Map<string, number>();
  let done = 0;
  for (let round = 0; round < rounds; round += 1) {
    const { id: userId } = await createUser(zones.session(), `user${round}@example.com`);
    const own = ["a", "b", "c"].map((label) => `${label}${round}.example.net`);
    for (const zone of own) await createDomain(zones.session(), userId, zone);
    const all = [...common, ...own];
    const parts = () => shuffled(all).map((zone) => ({ zone, edits: { add: [record()] } }));
    const acts = [
      ...Array.from({ length: 4 }, () => () => applySet(parts())),
      () => applySet([...shuffled(common).map((zone) => ({ zone, edits: { add: [record()] } })), ...newZones(userId)]),
      () => applySet([...newZones(userId), { zone: own[0] as string, delete: true }]),
      () => deleteUser(zones.session(), userId, { fate: "DELETE" }),
      ...shuffled(all).map((zone) => () => changeZone(zones.session(), zone, { add: [record()] })),
      ...shuffled(common).map((zone) => () => {
        const text = [`i${record().owner} 300 IN A 192.0.2.1\n`];
        return importZone(zones.session(), { zone, text, mode: "MERGE" });
      }),
    ];
    const results = await Promise.allSettled(shuffled(acts).map((act) => act()));
    for (const result of results) {
      if (result.status === "fulfilled") done += 1;
      else if (!(result.reason instanceof Refusal)) throw result.reason;
      else refused.set(result.reason.code, (refused.get(result.reason.code) ?? 0) + 1);
    }
  }
  expect(done).toBeGreaterThan(rounds * common.length);
  expect(new Set([...refused.keys(), "CHANGE_CONFLICT", "NOT_FOUND"])).toEqual(
    new Set(["CHANGE_CONFLICT", "NOT_FOUND"]),
  );
  expect(codes).not.toContain("40P01");
});

test("the user of a set that is being applied is taken from it, as a deletion does, before the set is locked", async () => {
  const { id: userId } = await createUser(zones.session(), "leaves@example.com");
  const set = await createChangeSet(zones.session(), { title: "theirs", zones: newZones(userId) });
  expect(set.userId).toBe(userId);
  const { fingerprint } = await previewChangeSet(zones.session(), set);
  const deletion = new pg.Client({ connectionString: zones.url });
  await deletion.connect();
  await deletion.query("begin");
  await deletion.query('select from "user" where id = $1 for update', [userId]);
  const applying = applyChangeSet(zones.session(), set.id, fingerprint);
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await eventually(async () => expect((await zones.sql(waiting)).length).toBe(1));
  await deletion.query("update change_set set user_id = null where id = $1", [set.id]);
  await deletion.query("rollback");
  await applying;
  await deletion.end();
  expect(codes).not.toContain("40P01");
});

/** Parts of a set that create zones of a user. */
function newZones(userId: number): ZonePart[] {
  return [1, 2].map(() => {
    made += 1;
    return { zone: `n${made}.example.org`, create: { userId } };
  });
}
