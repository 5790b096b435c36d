/** Changes that one statement stores together: each has the same result as on its own, and a change that fails or waits delays no other. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createUser } from "../../../../src/account/user.ts";
import { ConnectionSupervisor } from "../../../../src/database/connection-supervisor.ts";
import { Pipeline } from "../../../../src/database/pipeline.ts";
import { byIndexSettings } from "../../../../src/database/point-reads.ts";
import type { Session } from "../../../../src/session/session.ts";
import type { SingleStatements } from "../../../../src/sql/single-statement.ts";
import { changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { createDomain } from "../../../../src/zone/lifecycle/domain-lifecycle.ts";
import { RowLock } from "../../../setup/service/row-lock.ts";
import { fieldsOf, refusalOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const supervisor = new ConnectionSupervisor();
let pipeline: Pipeline;
let singles: SingleStatements;
/** The statements that wrote, each with the number of its changes; `store` may be told to fail or to wait. */
let written: number[] = [];
let beforeWriting: (changes: number) => Promise<void> = async () => {};
beforeAll(async () => {
  const options = { url: zones.url, supervisor, writes: true, settings: byIndexSettings };
  pipeline = new Pipeline({ ...options, connections: 2, statementTimeoutMs: 60_000, lockTimeoutMs: 100 });
  await pipeline.open();
  singles = {
    read: (text, values) => pipeline.query(text, values),
    write: async (text, values) => {
      const changes = JSON.parse(values[0] as string).length;
      written.push(changes);
      await beforeWriting(changes);
      return (await pipeline.query(text, values)) ?? [];
    },
  };
});
afterAll(async () => {
  await pipeline.close();
  supervisor.close();
});

/** The sessions of changes, and those of them whose change was checked, which is when it is given its serial and time; it is then stored. */
let [opened, checked] = [0, new Set<Session>()];
function session(): Session {
  opened += 1;
  const plain = zones.session();
  const own: Session = { ...plain, singles, now };
  function now(): Date {
    checked.add(own);
    return plain.now();
  }
  return own;
}
const add = (zone: string, ...lines: string[]) => changeZone(session(), zone, { add: lines.map(fieldsOf) });

/** Makes the changes while a first statement is held back, so that they meet; returns the sizes of the groups after it. */
async function together<Result>(
  changes: () => Promise<Result>[],
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<{ results: Result[]; groups: number[] }> {
  const [first, second] = [await zones.zone(), await zones.zone()];
  [opened, checked] = [0, new Set()];
  written = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  let count = 0;
  beforeWriting = () => (++count <= 2 ? held : Promise.resolve());
  const before = [add(first, "held A 192.0.2.1")];
  while (written.length < 1) await new Promise(setImmediate);
  before.push(add(second, "held A 192.0.2.1"));
  while (written.length < 2) await new Promise(setImmediate);
  const running = changes();
  const settled = Promise.all(running);
  while (checked.size < opened) await new Promise(setImmediate);
  // What is checked waits for its group in the same turn of the event loop.
  await new Promise(setImmediate);
  await meanwhile();
  release();
  await Promise.all(before);
  const results = await settled;
  beforeWriting = async () => {};
  return { results, groups: written.slice(2) };
}

test("changes of many zones that add, edit, remove and move are one statement, and each has its own change and ids", async () => {
  const records = ["a A 192.0.2.1", "b MX 10 mail", "c A 192.0.2.9"];
  const names = await Promise.all(Array.from({ length: 6 }, () => zones.zone(...records)));
  const [adds, edits, removes, moves, mixes, empty] = names as [string, string, string, string, string, string];
  await zones.sql(
    `insert into rrset_note (domain_id, owner, type, text, actor, updated_at)
     select id, 'a', 'A', 'why', 'test', now() from domain where zone = $1`,
    [moves],
  );
  const id = (zone: string, owner: string, type: string) => zones.idOf(zone, owner, type);
  const [edited, removed, moved] = [await id(edits, "a", "A"), await id(removes, "b", "MX"), await id(moves, "a", "A")];
  const [mixedA, mixedC] = [await id(mixes, "a", "A"), await id(mixes, "c", "A")];
  const { results, groups } = await together(() => [
    add(adds, "n1 A 192.0.2.1", "n2 A 192.0.2.2"),
    changeZone(session(), edits, { update: [{ id: edited, rdata: "192.0.2.77" }] }),
    changeZone(session(), removes, { remove: [removed] }),
    changeZone(session(), moves, { update: [{ id: moved, owner: "z" }] }),
    changeZone(session(), mixes, {
      update: [{ id: mixedA, ttl: 300 }],
      remove: [mixedC],
      add: [fieldsOf("n3 A 192.0.2.3")],
    }),
    add(empty, "n4 A 192.0.2.4"),
  ]);
  expect(groups).toEqual([6]);
  expect(results.map(({ change }) => change?.zone)).toEqual(names);
  expect(new Set(results.map(({ change }) => change?.id)).size).toBe(6);
  expect(results[0]?.records.map(({ id: recordId, owner }) => [recordId, owner])).toEqual([
    [await id(adds, "n1", "A"), "n1"],
    [await id(adds, "n2", "A"), "n2"],
  ]);
  expect(results[4]?.added).toContainEqual(expect.objectContaining({ id: await id(mixes, "n3", "A"), owner: "n3" }));
  const last = async (zone: string) => {
    const change = (await zones.journal(zone)).at(-1);
    const plain = (lines: readonly string[] = []) => lines.filter((line) => !line.includes(" SOA ")).toSorted();
    return [plain(change?.removed), plain(change?.added)];
  };
  expect(await last(adds)).toEqual([[], ["n1 3600 A 192.0.2.1", "n2 3600 A 192.0.2.2"]]);
  expect(await last(edits)).toEqual([["a 3600 A 192.0.2.1"], ["a 3600 A 192.0.2.77"]]);
  expect(await last(removes)).toEqual([[`b 3600 MX 10 mail.${removes}.`], []]);
  expect(await last(moves)).toEqual([["a 3600 A 192.0.2.1"], ["z 3600 A 192.0.2.1"]]);
  expect(await last(mixes)).toEqual([
    ["a 3600 A 192.0.2.1", "c 3600 A 192.0.2.9"],
    ["a 300 A 192.0.2.1", "n3 3600 A 192.0.2.3"],
  ]);
  const notes = "select n.owner from rrset_note n join domain d on d.id = n.domain_id where d.zone = any($1)";
  expect(await zones.sql(notes, [names])).toEqual([{ owner: "z" }]);
});

test("a zone that was changed after it was read is checked again, and the others of its group are stored", async () => {
  const [fresh, stale] = [await zones.zone(), await zones.zone()];
  const other = await createUser(zones.session(), "group@example.com");
  const { results, groups } = await together(
    () => [add(fresh, "a A 192.0.2.1"), add(stale, "a A 192.0.2.1")],
    () => zones.sql("update domain set user_id = $1 where zone = $2", [other.id, stale]),
  );
  expect(groups).toEqual([2, 1]);
  expect(results.map(({ change }) => change?.zone)).toEqual([fresh, stale]);
  expect(await zones.lines(stale)).toContain("a 3600 A 192.0.2.1");
});

test("a zone that another transaction holds keeps only its own change waiting", async () => {
  const [held, free] = [await zones.zone(), await zones.zone()];
  const lock = await RowLock.take(zones.url, held);
  const { results, groups } = await together(() => {
    const waits = add(held, "a A 192.0.2.1");
    const stored = add(free, "a A 192.0.2.1");
    // The lock ends when the free one is there, so that one that waits for the other would never be.
    return [stored.then(() => lock.release()).then(() => waits)];
  });
  expect(results[0]?.change?.zone).toBe(held);
  expect(groups.slice(0, 3).toSorted()).toEqual([1, 1, 2]);
});

test("two creations of one zone are two statements: the first succeeds, the second is refused; creations of other zones join them", async () => {
  const names = ["twice.example", "twice.example", "once.example"];
  const { results, groups } = await together(() =>
    names.map((zone) =>
      createDomain(session(), zones.userId, zone).then(
        ({ change }) => change.zone,
        (error) => refusalOf(Promise.reject(error)).then(({ code }) => code as string),
      ),
    ),
  );
  expect(results.toSorted()).toEqual(["DUPLICATE_ZONE", "once.example", "twice.example"]);
  expect(groups.every((size) => size <= 2)).toBe(true);
});
