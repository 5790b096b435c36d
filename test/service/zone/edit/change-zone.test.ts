/**
 * A change stores and returns all its edits or nothing, with one serial and one row of the journal. It is reported to its session once,
 * after its commit, by every way in which a zone is changed.
 */
import { describe, expect, test } from "@jest/globals";
import type { Session } from "../../../../src/session/session.ts";
import { rolledBack, transaction } from "../../../../src/session/transaction.ts";
import { changeRecord, changeZone } from "../../../../src/zone/edit/change-zone.ts";
import { createDomain, deleteDomain } from "../../../../src/zone/lifecycle/domain-lifecycle.ts";
import { importZone } from "../../../../src/zone/master-file/import.ts";
import { fieldsOf, reasonsOf, testZones } from "../../../setup/zones/session.ts";

const zones = testZones();
const shown = (records: readonly { owner: string; type: string; rdata: string }[]) =>
  records.map(({ owner, type, rdata }) => (type === "SOA" ? "SOA" : `${owner} ${type} ${rdata}`));

describe("a change", () => {
  test("removes, updates and adds by one serial; returns what it wrote, and its difference", async () => {
    const zone = await zones.zone("old A 192.0.2.1", "kept A 192.0.2.1");
    const [old, kept] = [await zones.idOf(zone, "old", "A"), await zones.idOf(zone, "kept", "A")];
    const { change, records, removed, added } = await zones.change(zone, {
      remove: [old],
      update: [{ id: kept, rdata: "192.0.2.9" }],
      add: [fieldsOf("new A 192.0.2.1")],
    });
    const serials = { previousSerial: 2026112102, serial: 2026112103 };
    expect(change).toMatchObject({ kind: "EDIT", ...serials, actor: "system", source: "graphql" });
    expect(records).toMatchObject([
      { id: kept, zone, owner: "kept", type: "A", ttl: 3600, rdata: "192.0.2.9" },
      { id: expect.any(Number), zone, owner: "new", type: "A", ttl: 3600, rdata: "192.0.2.1" },
    ]);
    expect(shown(removed)).toEqual(["old A 192.0.2.1", "kept A 192.0.2.1"]);
    expect(shown(added)).toEqual(["new A 192.0.2.1", "kept A 192.0.2.9"]);
    expect(await zones.lines(zone, / A /)).toEqual(["kept 3600 A 192.0.2.9", "new 3600 A 192.0.2.1"]);
  });

  test("stores nothing twice: the journal keeps ended versions, and the records are the present versions", async () => {
    const zone = await zones.zone("old A 192.0.2.1", "kept A 192.0.2.1");
    const [old, kept] = [await zones.idOf(zone, "old", "A"), await zones.idOf(zone, "kept", "A")];
    const versions = (change: number | undefined) =>
      zones.sql(
        "select record_id::float8 as id, owner, type, rdata from change_record where change_id = $1 order by ordinal",
        [change],
      );
    const added = await zones.add(zone, "new A 192.0.2.1");
    expect(await versions(added.change?.id)).toEqual([]);
    const update = [{ id: kept, rdata: "192.0.2.9" }];
    const { change } = await zones.change(zone, { remove: [old], update });
    expect(await versions(change?.id)).toMatchObject([
      { id: old, owner: "old", type: "A", rdata: "192.0.2.1" },
      { id: kept, owner: "kept", type: "A", rdata: "192.0.2.1" },
    ]);
    const begun = "select id::float8 from zone_record where change_id = $1 order by change_ordinal";
    expect(await zones.sql(begun, [change?.id])).toEqual([{ id: kept }]);
  });

  test("is all or nothing: with one invalid edit the zone stays, and every reason names its field", async () => {
    const zone = await zones.zone();
    const [www, before] = [await zones.idOf(zone, "www", "CNAME"), await zones.state(zone)];
    const refused = zones.change(zone, {
      update: [
        { id: www, rdata: "a..b." },
        { id: www, ttl: 60 },
        { id: 1, ttl: 60 },
      ],
      add: [fieldsOf("fine A 192.0.2.1"), { ...fieldsOf("bad A x"), ttl: -1 }, fieldsOf("c ANY x")],
    });
    expect(await reasonsOf(refused)).toEqual([
      "INVALID_RDATA update.0.rdata",
      "INVALID_VALUE update.1.recordId",
      "NOT_FOUND update.2.recordId",
      "INVALID_TTL add.1.ttl",
      "INVALID_RDATA add.1.rdata",
      "UNSUPPORTED_TYPE add.2.type",
    ]);
    expect(await zones.state(zone)).toEqual(before);
  });

  test("of nothing, or to the same content in another spelling, writes nothing", async () => {
    const zone = await zones.zone();
    const [id, before] = [await zones.idOf(zone, "www", "CNAME"), await zones.state(zone)];
    for (const edits of [{}, { update: [{ id }] }, { update: [{ id, owner: "WWW", type: "cname", rdata: "@" }] }])
      expect(await zones.change(zone, edits)).toMatchObject({ change: null, removed: [], added: [] });
    expect(await zones.state(zone)).toEqual(before);
  });

  test("that is a dry run returns the difference and stores nothing", async () => {
    const zone = await zones.zone();
    const before = await zones.state(zone);
    const edits = {
      remove: [await zones.idOf(zone, "www", "CNAME")],
      add: [fieldsOf("www A 192.0.2.1"), fieldsOf("@ MX 10 www")],
    };
    const dry = await zones.change(zone, edits, { dryRun: true });
    expect(await zones.state(zone)).toEqual(before);
    expect(dry).toMatchObject({ change: null, records: [] });
    const stored = await zones.change(zone, edits);
    for (const side of ["removed", "added"] as const) expect(shown(stored[side])).toEqual(shown(dry[side]));
    expect(stored.notices).toEqual(dry.notices);
    const duplicate = zones.change(zone, { add: [fieldsOf("www A 192.0.2.1")] }, { dryRun: true });
    expect(await reasonsOf(duplicate)).toEqual(["DUPLICATE_RECORD add.0.rdata"]);
  });

  test("joins the transaction of its session, and is rolled back with it", async () => {
    const zone = await zones.zone();
    const before = await zones.state(zone);
    const session = zones.session();
    const rolledBack = session.em.transactional(async (em) => {
      await changeZone({ ...session, em }, zone, { add: [fieldsOf("a A 192.0.2.1")] });
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    expect(await zones.state(zone)).toEqual(before);
  });

  test("waits for another change of the same zone, and sees its result", async () => {
    const zone = await zones.zone();
    const add = (last: number) => zones.add(zone, `a A 192.0.2.${last}`);
    const changes = await Promise.all([1, 2, 3, 4].map(add));
    const serials = changes.map(({ change }) => change?.serial).toSorted();
    expect(serials).toEqual([2026112102, 2026112103, 2026112104, 2026112105]);
    expect(await zones.records(zone)).toHaveLength(8);
  });

  test("may hold a thousand records, in their order", async () => {
    const zone = await zones.zone();
    const owners = Array.from({ length: 1000 }, (_, at) => `h${at}`);
    const { records, added } = await zones.add(zone, ...owners.map((owner) => `${owner} A 192.0.2.1`));
    expect(records.map(({ owner }) => owner)).toEqual(owners);
    expect(added).toHaveLength(1000);
  });
});

test("an unknown zone and an invalid name are refused; a name is read in any spelling", async () => {
  expect(await reasonsOf(zones.change("none.example.net", {}))).toEqual(["NOT_FOUND zone"]);
  expect(await reasonsOf(zones.change("a..b", {}))).toEqual(["INVALID_NAME zone"]);
  const zone = await zones.zone();
  const { change } = await zones.add(`${zone.toUpperCase()}.`, `WWW2.${zone}. a 192.0.2.1`);
  expect(change?.zone).toBe(zone);
  expect(await zones.lines(zone)).toContain("www2 3600 A 192.0.2.1");
});

describe("a change of one record", () => {
  test("finds the record's zone, and names fields without an index", async () => {
    const zone = await zones.zone("a A 192.0.2.1");
    const id = await zones.idOf(zone, "a", "A");
    const { records } = await changeRecord(zones.session(), id, { update: [{ id, rdata: "192.0.2.2" }] }, {});
    expect(records).toMatchObject([{ id, zone, rdata: "192.0.2.2" }]);
    const refused = changeRecord(zones.session(), id, { update: [{ id, rdata: "x", ttl: -1 }] }, {});
    expect(await reasonsOf(refused)).toEqual(["INVALID_TTL ttl", "INVALID_RDATA rdata"]);
    expect(await reasonsOf(changeRecord(zones.session(), 1, {}, {}))).toEqual(["NOT_FOUND id"]);
  });

  test("does not move it to another zone", async () => {
    const id = await zones.idOf(await zones.zone(), "www", "CNAME");
    const moved = changeRecord(zones.session(), id, { update: [{ id }] }, { zone: await zones.zone() });
    expect(await reasonsOf(moved)).toEqual(["INVALID_VALUE zone"]);
  });
});

test("an interface with a choice of TTLs refuses other TTLs, unless the RRset has them", async () => {
  const zone = await zones.zone();
  await zones.add(zone, "a 77 A 192.0.2.1");
  const offered = { ...zones.session(), ttlChoices: [300, 3600] };
  const add = (owner: string, ttl: number) =>
    changeZone(offered, zone, { add: [{ owner, type: "A", ttl, rdata: "192.0.2.9" }] });
  expect(await reasonsOf(add("b", 77))).toEqual(["INVALID_TTL add.0.ttl"]);
  expect((await add("a", 77)).records).toMatchObject([{ ttl: 77 }]);
  expect((await add("b", 300)).records).toMatchObject([{ ttl: 300 }]);
});

const edit = (session: Session, zone: string, line: string) => changeZone(session, zone, { add: [fieldsOf(line)] });

/** What is reported while something is done. */
async function reported(act: (session: Session, reports: readonly string[]) => Promise<unknown>): Promise<string[]> {
  const reports: string[] = [];
  const onChange = ({ source, kind }: { source: string; kind: string }) => void reports.push(`${source} ${kind}`);
  await act({ ...zones.session(), onChange }, reports);
  return reports;
}

test("every kind of change is reported once", async () => {
  const shown = await reported(async (session) => {
    await createDomain(session, zones.userId, "reported.example");
    await edit(session, "reported.example", "a A 192.0.2.1");
    const file = { zone: "reported.example", text: ["b 300 IN A 192.0.2.1\n"], mode: "MERGE" } as const;
    await importZone({ ...session, source: "import" }, file);
    await deleteDomain(session, "reported.example");
  });
  expect(shown).toEqual(["graphql CREATE", "graphql EDIT", "import EDIT", "graphql DELETE"]);
});

test("in a transaction it is reported after the commit, also in a nested transaction", async () => {
  const zone = await zones.zone();
  const shown = await reported((session, reports) =>
    transaction(session, async (outer) => {
      await transaction(outer, (inner) => edit(inner, zone, "a A 192.0.2.1"));
      await edit(outer, zone, "b A 192.0.2.1");
      expect(reports).toEqual([]);
    }),
  );
  expect(shown).toEqual(["graphql EDIT", "graphql EDIT"]);
});

test("a change that is refused, is empty, is a dry run or is rolled back is not reported", async () => {
  const zone = await zones.zone("a A 192.0.2.1");
  const shown = await reported(async (session) => {
    await expect(edit(session, zone, "a A 192.0.2.1")).rejects.toMatchObject({ code: "DUPLICATE_RECORD" });
    await changeZone(session, zone, { add: [fieldsOf("b A 192.0.2.1")] }, { dryRun: true });
    await importZone(session, { zone, text: ["c 300 IN A 192.0.2.1\n"], mode: "MERGE", dryRun: true });
    await rolledBack(session, (inner) => edit(inner, zone, "d A 192.0.2.1"));
    await transaction(session, async (outer) => {
      await transaction(outer, async (inner) => {
        await edit(inner, zone, "e A 192.0.2.1");
        throw new Error("the transaction inside is rolled back");
      }).catch(() => {});
    });
  });
  expect(shown).toEqual([]);
});
