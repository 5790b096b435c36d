/**
 * Many changes undone at once: their selection, their order, conflicts, that the result is an ordinary change set, and that one query reads
 * many zones.
 */
import { describe, expect, jest, test } from "@jest/globals";
import pg from "pg";
import {
  type ChangeSelection,
  type RevertedChanges,
  type RevertTerms,
  revertChanges,
} from "../../../src/changeset/bulk/revert-changes.ts";
import { listChangeSets } from "../../../src/changeset/change-set-list.ts";
import { type ChangeRow, changesByIds } from "../../../src/zone/change.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import type { ZoneEdits } from "../../../src/zone/edit/edit-plan.ts";
import { PastOfMany, type PastRecord, pastRecords } from "../../../src/zone/history/past-records.ts";
import { contentOf } from "../../../src/zone/history/return-plan.ts";
import { instantAfter, instantBefore } from "../../../src/zone/history/versions.ts";
import fc, { runs } from "../../setup/basics/property.ts";
import { testChangeSets } from "../../setup/zones/change-sets.ts";
import { actorOf, fieldsOf, reasonsOf, refusalOf } from "../../setup/zones/session.ts";

const zones = testChangeSets();
const session = () => zones.session();
const bot = () => ({ ...actorOf(zones.userId), name: "deploy-bot (0123abcd)" });

/** Undoes changes and applies the change set. */
async function undone(selection: ChangeSelection, terms: RevertTerms = {}): Promise<RevertedChanges> {
  const result = await revertChanges(session(), selection, terms);
  if (result.changeSet) await zones.apply(result.changeSet);
  return result;
}

const change = async (zone: string, edits: ZoneEdits, by = bot()) =>
  (await changeZone(zones.session(by), zone, edits)).change?.id as number;

describe("changes that are undone together", () => {
  test("are those of an actor, by the name of its key, since a time, in matching zones, and records have their ids again", async () => {
    const mail = () => zones.zone("@ MX 10 mail");
    const [one, two, three] = [await mail(), await mail(), await mail()];
    const before = await Promise.all([one, two].map((zone) => zones.contents(zone)));
    const createdSince = zones.now;
    const id = await zones.idOf(one, "@", "MX");
    const ids = [];
    for (const zone of [one, two, three]) ids.push(await change(zone, { remove: [await zones.idOf(zone, "@", "MX")] }));
    await change(two, { add: [fieldsOf("new A 192.0.2.1")] });
    await change(one, { add: [fieldsOf("other A 192.0.2.1")] }, actorOf(zones.userId));
    const filter = { actor: "deploy-bot", createdSince };
    const result = await undone({ filter, zones: [one, two.toUpperCase()] });
    expect(result).toMatchObject({ selectedCount: 3, alreadyRevertedCount: 0, conflicts: [] });
    expect(result.changeSet?.title).toBe("Undo 3 changes by deploy-bot (0123abcd)");
    expect(await zones.contents(two)).toEqual(before[1]);
    expect((await zones.contents(one)).filter((line) => !line.startsWith("other"))).toEqual(before[0]);
    expect(await zones.idOf(one, "@", "MX")).toBe(id);
    expect(await zones.lines(three)).not.toContainEqual(expect.stringContaining(" MX "));
    expect((await zones.journal(one)).at(-1)?.undoes).toBe(ids[0]);
    const again = await undone({ changeIds: ids.slice(0, 2) });
    expect([again.changeSet, again.alreadyRevertedCount]).toEqual([null, 2]);
  });

  test("are those of a change set, including its edits of SOAs", async () => {
    const zone = await zones.zone();
    const before = await zones.contents(zone);
    const soa = await zones.idOf(zone, "@", "SOA");
    const rdata = "ns9.example.net. hostmaster.example.net. 1 10800 3600 1209600 600";
    const edits = { update: [{ id: soa, rdata }], add: [fieldsOf("x A 192.0.2.1")] };
    const set = await zones.stage([{ edit: { zone, ...edits } }]);
    await zones.apply(set);
    expect(await zones.contents(zone)).not.toEqual(before);
    await change(zone, { add: [fieldsOf("later A 192.0.2.1")] });
    await undone({ changeSetId: set.id });
    expect((await zones.contents(zone)).filter((line) => !line.startsWith("later"))).toEqual(before);
  });

  test("are refused as a whole when later changes conflict, which are named, or the conflicts are left out", async () => {
    const [one, two] = [await zones.zone("a A 192.0.2.1"), await zones.zone("a A 192.0.2.1")];
    const ids = [];
    for (const zone of [one, two]) {
      const id = await zones.idOf(zone, "a", "A");
      ids.push(await change(zone, { update: [{ id, rdata: "192.0.2.2" }], add: [fieldsOf("b A 192.0.2.3")] }));
    }
    const id = await zones.idOf(one, "a", "A");
    const later = await change(one, { update: [{ id, rdata: "192.0.2.9" }] }, actorOf(zones.userId));
    const refusal = await refusalOf(revertChanges(session(), { changeIds: ids }));
    expect(refusal.reasons).toEqual([
      expect.objectContaining({
        code: "CHANGE_CONFLICT",
        owner: "a",
        type: "A",
        message: expect.stringMatching(new RegExp(`^${one}: a A was changed again by user`)),
      }),
    ]);
    expect(refusal.details).toEqual({ changeIds: [String(later)] });
    const { conflicts } = await undone({ changeIds: ids }, { skipConflicts: true });
    expect(conflicts).toEqual([expect.objectContaining({ zone: one, owner: "a", type: "A", changeId: ids[0] })]);
    const addresses = (zone: string) => zones.lines(zone, / A /);
    expect(await addresses(one)).toEqual(["a 3600 A 192.0.2.9"]);
    expect(await addresses(two)).toEqual(["a 3600 A 192.0.2.1"]);
    // The later change is no longer in the way when it is undone too.
    await undone({ changeIds: [later, ids[0] as number] });
    expect(await addresses(one)).toEqual(["a 3600 A 192.0.2.1"]);
  });

  test("are left out with the reason when their zone is gone, and when they created or deleted a zone", async () => {
    const [zone, gone] = [await zones.zone("a A 192.0.2.1"), await zones.zone("a A 192.0.2.1")];
    const edit = await change(gone, { add: [fieldsOf("b A 192.0.2.1")] });
    const [creation] = await zones.journal(zone);
    await zones.remove(gone);
    const ids = [edit, creation?.id as number];
    const { conflicts, changeSet } = await revertChanges(session(), { changeIds: ids }, { skipConflicts: true });
    expect(changeSet).toBe(null);
    expect(conflicts.map(({ code, message }) => [code, message])).toEqual([
      ["INVALID_VALUE", expect.stringContaining("use deleteDomain")],
      ["CHANGE_CONFLICT", expect.stringContaining("restore it by restoreDomain")],
    ]);
  });

  test("are undone already when their RRsets are as before the first of them, however often they changed it", async () => {
    const zone = await zones.zone("a A 192.0.2.1");
    const id = await zones.idOf(zone, "a", "A");
    const ids = [];
    for (const last of [2, 3, 4]) ids.push(await change(zone, { update: [{ id, rdata: `192.0.2.${last}` }] }));
    await undone({ changeIds: ids });
    expect(await undone({ changeIds: ids })).toMatchObject({
      changeSet: null,
      conflicts: [],
      alreadyRevertedCount: 3,
    });
    await change(zone, { update: [{ id, rdata: "192.0.2.9" }] });
    expect((await undone({ changeIds: ids }, { skipConflicts: true })).conflicts).toHaveLength(3);
  });

  test("store nothing in a dry run", async () => {
    const zone = await zones.zone("a A 192.0.2.1");
    const id = await change(zone, { remove: [await zones.idOf(zone, "a", "A")] });
    const { changeSet, preview } = await revertChanges(session(), { changeIds: [id] }, { dryRun: true });
    expect([changeSet, preview?.applicable, preview?.zones[0]?.addedCount]).toEqual([null, true, 1]);
    expect((await listChangeSets(session(), { zone }, {})).rows).toEqual([]);
  });
});

test("a selection without bounds, of too many changes, or of changes that the key does not see is refused", async () => {
  const zone = await zones.zone();
  const id = await change(zone, { add: [fieldsOf("a A 192.0.2.1")] });
  const refused = (selection: ChangeSelection) => reasonsOf(revertChanges(session(), selection));
  expect(await refused({ filter: { actor: "deploy-bot" } })).toEqual(["MISSING_FIELD filter"]);
  expect(await refused({ filter: { createdSince: zones.now } })).toEqual(["MISSING_FIELD filter"]);
  expect(await refused({ changeIds: [id, 1] })).toEqual(["NOT_FOUND changeIds.1"]);
  const limited = { ...actorOf(zones.userId), zones: ["other.example.com"] };
  expect(await reasonsOf(revertChanges(zones.session(limited), { changeIds: [id] }))).toEqual([
    "NOT_FOUND changeIds.0",
  ]);
});

test("any last changes of a zone, undone together, return it to the moment before them", async () => {
  const owner = fc.constantFrom("@", "a", "b");
  const edit = fc.record({
    kind: fc.constantFrom("add", "remove", "update", "ttl"),
    owner,
    last: fc.integer({ min: 1, max: 4 }),
    pick: fc.nat({ max: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 8 }), fc.nat({ max: 3 }), async (edits, skipped) => {
      const zone = await zones.zone("a A 192.0.2.1", "b TXT text");
      const states = [await zones.contents(zone)];
      const ids: number[] = [];
      for (const { kind, owner: name, last, pick } of edits) {
        const mine = (await zones.records(zone)).filter(({ type }) => type === "A" || type === "TXT");
        const id = mine[pick % Math.max(1, mine.length)]?.id;
        const rdata = `192.0.2.${last}`;
        const made = await changeZone(
          session(),
          zone,
          kind === "add" || id === undefined
            ? { add: [{ owner: name, type: "A", rdata }] }
            : kind === "remove"
              ? { remove: [id] }
              : { update: [kind === "ttl" ? { id, ttl: last } : { id, type: "A", owner: name, rdata }] },
        ).catch(() => undefined);
        if (!made?.change) continue;
        ids.push(made.change.id);
        states.push(await zones.contents(zone));
      }
      const keep = Math.min(skipped, ids.length);
      if (ids.length > keep) await undone({ changeIds: ids.slice(keep) });
      expect(await zones.contents(zone)).toEqual(states[keep]);
    }),
    { numRuns: runs(40) },
  );
});

const query = jest.spyOn(pg.Client.prototype, "query");

test.each([
  ["what changes did is", false],
  ["what later changes are in the way of is", true],
])("%s not read by a statement for each zone", async (_what, isInTheWay) => {
  const statementsOf = async (count: number) => {
    const ids: number[] = [];
    for (let made = 0; made < count; made += 1) {
      const zone = await zones.zone("web A 192.0.2.1");
      ids.push(await change(zone, { add: [fieldsOf("new A 192.0.2.2")] }));
      if (isInTheWay) await zones.add(zone, "new A 192.0.2.3");
    }
    query.mockClear();
    const { changeSet, conflicts } = await revertChanges(session(), { changeIds: ids }, { skipConflicts: true });
    expect(changeSet === null).toBe(isInTheWay);
    expect(conflicts.map(({ message }) => message)).toEqual(
      isInTheWay
        ? ids.map(() => expect.stringMatching(/^new A was changed again by .* \(change \d+\); revert that first/))
        : [],
    );
    return query.mock.calls.length;
  };
  // What else the service does meanwhile is less than a statement for each zone.
  expect((await statementsOf(12)) - (await statementsOf(2))).toBeLessThan(10);
});

const lineOf = ({ id, ...record }: PastRecord) => `${id} ${record.owner} ${record.type} ${contentOf(record)}`;

test("the records before and after changes are the same when they are read together and one by one", async () => {
  const ids: number[] = [];
  for (const zone of [await zones.zone("web A 192.0.2.1"), await zones.zone("web A 192.0.2.1", "mail TXT text")]) {
    const [web, soa] = [await zones.idOf(zone, "web", "A"), await zones.idOf(zone, "@", "SOA")];
    ids.push(
      await change(zone, { add: [fieldsOf("web A 192.0.2.2"), fieldsOf("a.b TXT text")] }),
      await change(zone, { update: [{ id: web, owner: "moved", type: "A", rdata: "192.0.2.1" }] }),
      await change(zone, { update: [{ id: soa, ttl: 60 }] }),
      await change(zone, { update: [{ id: web, ttl: 60 }] }),
      await change(zone, { remove: [web] }),
    );
  }
  const changes = await changesByIds(session(), ids);
  for (const selected of [changes, changes.slice(2, 7)]) {
    const [many, single] = [(await PastOfMany.read(session(), selected)) as PastOfMany, pastRecords(session())];
    for (const each of selected) {
      const owners = (await single.touched(each, 100)).toSorted();
      expect((await many.touched(each)).toSorted()).toEqual(owners);
      expect(owners.length).toBeGreaterThan(0);
      const linesAt = async (
        past: PastOfMany | typeof single,
        instantOf: (of: ChangeRow) => Parameters<typeof past.at>[0],
      ) => (await past.at(instantOf(each), owners)).map(lineOf).toSorted();
      for (const instantOf of [instantBefore, instantAfter])
        expect(await linesAt(many, instantOf)).toEqual(await linesAt(single, instantOf));
    }
  }
});
