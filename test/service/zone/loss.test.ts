/** The records that a change takes from a zone: when a loss is large, and where each interface shows it. */
import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { largeLosses, lossOf, lossOfDeletion } from "../../../src/zone/loss.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";

test.each([
  [10, 10, false],
  [11, 11, true],
  [11, 109, true],
  [11, 110, false],
  [0, 0, false],
])("a loss of %d of %d records is large: %s", (lost, of, isLarge) => {
  expect(lossOf("a.example", of, lost).isLarge).toBe(isLarge);
});

test("deletions are listed first, then the zones that lose most, a hundred of them", () => {
  const deletions = Array.from({ length: 60 }, (_, at) => lossOfDeletion(`d${at}.example`, at));
  const others = Array.from({ length: 60 }, (_, at) => lossOf(`l${at}.example`, 100, at));
  const found = largeLosses([...others, ...deletions]);
  expect([found.deletedZoneCount, found.largeLossCount, found.largeLosses.length]).toEqual([60, 109, 100]);
  const zones = found.largeLosses.map(({ zone }) => zone);
  expect([zones[0], zones[59], zones[60], zones[99]]).toEqual([
    "d59.example",
    "d0.example",
    "l59.example",
    "l20.example",
  ]);
});

describe("a zone of 16 records", () => {
  const service = testService();
  let [owner, zone, count] = ["", "", 0];
  /** The ids of 12 records of it. */
  let hosts: string[] = [];
  let before = 0;

  const change = (input: Json) =>
    service.mutate("changeRecords", { zone, ...input }, `change { id } records { id } ${loss}`);
  const loss = "loss { zone isDeletion lostCount recordCount isLarge }";
  const large = () => ({ zone, isDeletion: false, lostCount: 12, recordCount: 16, isLarge: true });
  const none = (recordCount = 16) => ({ zone, isDeletion: false, lostCount: 0, recordCount, isLarge: false });

  beforeAll(async () => {
    owner = await service.user("owner@example.com");
  });
  beforeEach(async () => {
    zone = `loss${count++}.example`;
    await service.domain(zone, owner);
    before = await service.serial(zone);
    const add = Array.from({ length: 12 }, (_, at) => ({ owner: `h${at}`, type: "A", ttl: 300, rdata: "192.0.2.1" }));
    const made = await change({ add });
    expect(made.loss).toEqual(none(4));
    hosts = made.records.map(({ id }: Json) => id);
  });

  test.each([true, false])("loses what is removed, and not what is edited; in a dry run: %s", async (dryRun) => {
    const edited = hosts.map((recordId) => ({ recordId, rdata: "192.0.2.2", ttl: 60 }));
    expect((await change({ update: edited, dryRun })).loss).toEqual(none());
    expect((await change({ remove: hosts, dryRun })).loss).toEqual(large());
  });

  test("loses what going back or an undoing takes, at once or staged", async () => {
    const { domain } = await service.data(
      "query ($zone: String!) { domain(by: { zone: $zone }) { changes(first: 1) { nodes { id } } } }",
      { zone },
    );
    const [{ id }] = domain.changes.nodes;
    const to = { serial: before };
    for (const terms of [{ dryRun: true }, { asChangeSet: true }, {}]) {
      expect(await service.mutate("revertDomain", { by: { zone }, to, ...terms }, loss)).toEqual({ loss: large() });
      const undone = await service.mutate("revertChange", { changeId: id, ...terms }, loss);
      const isThere = Object.keys(terms).length > 0;
      expect(undone).toEqual({ loss: isThere ? large() : none(4) });
    }
  });

  test("loses records that a file does not have, but not records with a new TTL; by GraphQL and REST", async () => {
    const { text } = await service.rest("GET", `/domain/zonefile/${zone}`);
    const dry = (file: string) =>
      service.mutate("importZone", { zone, text: file, mode: "REPLACE", dryRun: true }, loss);
    expect(await dry(text.replaceAll("\t300\t", "\t60\t"))).toEqual({ loss: none() });
    const empty = { input: { zone, text: "", mode: "REPLACE" } };
    expect(await service.refusal(mutation("importZone", "addedCount"), empty)).toBe("RECORD_CONFLICT");
    const file = text.replace(/^h\d+\..*\n/gm, "");
    expect(await dry(file)).toEqual({ loss: large() });
    const sent = { headers: { "content-type": "text/dns" }, body: file };
    const { body } = await service.rest("POST", `/domain/zonefile/${zone}?mode=replace`, sent);
    expect(body).toMatchObject({ removed: 12, loss: { lost: 12, records: 16, large: true } });
  });

  test("is listed among the zones with a large loss of a change set, on whatever page it is; a zone in conflict is not", async () => {
    const others = ["a", "b", "c"].map((name) => `${name}.${zone}`);
    for (const other of others) await service.domain(other, owner);
    const [edited, deleted, refused] = others;
    const preview = `preview { zones(first: 1) { nodes { zone } } deletedZoneCount largeLossCount largeLosses { zone lostCount recordCount } }`;
    const zones = [
      { edit: { zone: edited, add: [{ owner: "h", type: "A", rdata: "192.0.2.1" }] } },
      { delete: { zone: deleted } },
      { edit: { zone: refused, add: [{ owner: "www", type: "A", rdata: "192.0.2.1" }] } },
      { edit: { zone, remove: hosts } },
    ];
    const created = await service.mutate("createChangeSet", { title: "t", mode: "EACH_ZONE", zones }, preview);
    expect(created.preview).toEqual({
      zones: { nodes: [{ zone: edited }] },
      deletedZoneCount: 1,
      largeLossCount: 2,
      largeLosses: [
        { zone: deleted, lostCount: 4, recordCount: 4 },
        { zone, lostCount: 12, recordCount: 16 },
      ],
    });
  });
});
