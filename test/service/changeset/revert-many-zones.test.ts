/**
 * What undoing reads of many zones: it is read together, and is the same as what is read of each change by itself.
 */
import { expect, jest, test } from "@jest/globals";
import pg from "pg";
import { revertChanges } from "../../../src/changeset/revert-changes.ts";
import { type ChangeRow, changesByIds } from "../../../src/zone/change.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { PastOfMany, type PastRecord, pastRecords } from "../../../src/zone/history/past-records.ts";
import { instantAfter, instantBefore } from "../../../src/zone/history/versions.ts";
import { fieldsOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const session = () => zones.session();
const query = jest.spyOn(pg.Client.prototype, "query");

const change = async (zone: string, edits: Parameters<typeof changeZone>[2]) =>
  (await changeZone(session(), zone, edits)).change?.id as number;

test("the changes of many zones are not undone by a statement for each", async () => {
  const statementsOf = async (count: number) => {
    const ids: number[] = [];
    for (let made = 0; made < count; made += 1)
      ids.push(await change(await zones.zone("web A 192.0.2.1"), { add: [fieldsOf("new A 192.0.2.2")] }));
    query.mockClear();
    const { changeSet } = await revertChanges(session(), { ids });
    expect(changeSet).not.toBeNull();
    return query.mock.calls.length;
  };
  // What else the service does meanwhile is less than a statement for each zone.
  expect((await statementsOf(12)) - (await statementsOf(2))).toBeLessThan(10);
});

test("what later changes are in the way of is not looked up by a statement for each", async () => {
  const statementsOf = async (count: number) => {
    const ids: number[] = [];
    for (let made = 0; made < count; made += 1) {
      const zone = await zones.zone("web A 192.0.2.1");
      ids.push(await change(zone, { add: [fieldsOf("new A 192.0.2.2")] }));
      await change(zone, { add: [fieldsOf("new A 192.0.2.3")] });
    }
    query.mockClear();
    const { conflicts } = await revertChanges(session(), { ids }, { skipConflicts: true });
    expect(conflicts.map(({ message }) => message)).toEqual(
      ids.map(() => expect.stringMatching(/^new A was changed again by .* \(change \d+\); revert that first/)),
    );
    return query.mock.calls.length;
  };
  expect((await statementsOf(12)) - (await statementsOf(2))).toBeLessThan(10);
});

const lineOf = ({ id, owner, type, ttl, wire }: PastRecord) => `${id} ${owner} ${type} ${ttl} ${wire.toString()}`;

test("what changes did, and what was there before and after them, is the same read together as one by one", async () => {
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
      const rrsets = await single.changed(each, 100);
      expect(await many.changed(each)).toEqual(rrsets);
      expect(rrsets.length).toBeGreaterThan(0);
      const owners = [...new Set(rrsets.map(({ owner }) => owner))];
      const linesAt = async (
        past: PastOfMany | typeof single,
        instantOf: (of: ChangeRow) => Parameters<typeof past.at>[0],
      ) => (await past.at(instantOf(each), owners)).map(lineOf).toSorted();
      for (const instantOf of [instantBefore, instantAfter])
        expect(await linesAt(many, instantOf)).toEqual(await linesAt(single, instantOf));
    }
  }
});
