/** The ways back by GraphQL: a zone to a moment, a change undone, a deleted domain restored. */
import { describe, expect, test } from "@jest/globals";
import { Actors } from "../../../setup/service/actors.ts";
import { type Json, mutation, testService } from "../../../setup/service/service.ts";
import { lines, ofMx, texts, ZoneWithPast } from "../../../setup/service/zone-with-past.ts";

const service = testService();
const past = new ZoneWithPast(service);
const { ask, change, refusal, refused, zone } = past;

const revert = (input: Json) =>
  service.mutate(
    "revertDomain",
    { by: { zone: zone.name }, ...input },
    `change { id serial note kind returnsTo { id } undoes { id } } diff { owner type ${lines} } notices { message }`,
  );
const undo = (id: string) =>
  service.mutate("revertChange", { changeId: id }, "diff { owner } change { id undoes { id } returnsTo { id } }");
const refusedUndo = (id: string) => refusal(mutation("revertChange", "diff { owner }"), { input: { changeId: id } });

describe("a zone goes back to a moment", () => {
  const earlier = () => ({ to: { changeId: past.moved.change.id } });

  test("by one change, with the ids that its records had", async () => {
    const { change, diff } = await revert({ ...earlier(), note: "too early" });
    const returnsTo = { id: past.moved.change.id };
    expect(change).toMatchObject({ kind: "EDIT", note: "too early", returnsTo, undoes: null });
    expect(diff).toMatchObject([{ owner: "@", type: "MX", lines: [{ op: "ADDED", change: { id: change.id } }, {}] }]);
    const { records } = await ask(ofMx("id ttl rdata"));
    expect(records.nodes.map(({ id }: Json) => id)).toEqual([past.added.records[0].id, past.moved.records[1].id]);
    expect(texts({ records })).toEqual(["300 10 mail.example.org.", "300 20 backup.example.org."]);
    expect(await revert(earlier())).toEqual({ change: null, diff: [], notices: [] });
  });

  test("not in a dry run, which shows what would change", async () => {
    const state = await service.snapshot(zone.name);
    const { change, diff } = await revert({ ...earlier(), dryRun: true });
    expect(change).toBeNull();
    expect(diff[0].lines.map(({ op, rdata, change }: Json) => [op, rdata, change])).toEqual([
      ["ADDED", "10 mail.example.org.", null],
      ["ADDED", "20 backup.example.org.", null],
    ]);
    expect(await service.snapshot(zone.name)).toEqual(state);
  });

  test("not when it is at another serial than expected", async () => {
    const input = { by: { zone: zone.name }, ...earlier(), expectedSerial: past.moved.change.serial };
    const stale = { code: "STALE_SERIAL", field: "expectedSerial" };
    expect(await refusal(mutation("revertDomain", "notices { code }"), { input })).toMatchObject(stale);
  });

  test("with the fields that its SOA had, and its next serial", async () => {
    const soa = async () => (await ask(`serial records(types: ["SOA"]) { nodes { id rdata } }`)) as Json;
    const { serial, records } = await soa();
    const [{ id, rdata }] = records.nodes;
    const edited = rdata.replace(/\d+ (\d+ \d+ \d+ \d+)$/, `${serial + 1} $1`).replace(/\d+$/, "60");
    await change({ update: [{ recordId: id, rdata: edited }] });
    const { diff, change: back } = await revert({ to: { serial } });
    expect(diff.map(({ type, lines }: Json) => [type, lines.length])).toEqual([["SOA", 2]]);
    const after = await soa();
    expect(after.serial).toBe(back.serial);
    expect(after.records.nodes[0].rdata).toBe(rdata.replace(String(serial), String(after.serial)));
  });
});

describe("a change is undone", () => {
  test("while others touched other RRsets", async () => {
    await change({ add: [{ owner: "_acme-challenge", type: "TXT", rdata: "token" }] });
    const { change: undone } = await undo(past.removed.change.id);
    expect([undone.undoes.id, undone.returnsTo]).toEqual([past.removed.change.id, null]);
    const { changes } = await ask("changes(first: 3) { nodes { undoneBy { id } undoes { id } } }");
    const [last, , before] = changes.nodes;
    expect([last.undoneBy, last.undoes, before.undoes]).toEqual([null, { id: past.removed.change.id }, null]);
    expect(before.undoneBy).toEqual({ id: undone.id });
    expect(texts(await ask(ofMx("ttl rdata")))).toEqual(["300 10 mail.example.org.", "300 20 backup.example.org."]);
    const { records } = await ask(`records(types: ["TXT"]) { nodes { owner } }`);
    expect(records.nodes).toEqual([{ owner: "_acme-challenge" }]);
    expect(await undo(past.removed.change.id)).toMatchObject({ change: null, diff: [] });
  });

  test("not when a later change made its RRset another, which is named", async () => {
    const state = await service.snapshot(zone.name);
    const found = await refusedUndo(past.moved.change.id);
    expect(found).toMatchObject({ code: "CHANGE_CONFLICT", details: { changeIds: [past.removed.change.id] } });
    expect(found.details.reasons).toMatchObject([{ code: "CHANGE_CONFLICT", owner: "@", type: "MX" }]);
    expect(found.details.reasons[0].message).toContain(past.removed.change.id);
    expect(await service.snapshot(zone.name)).toEqual(state);
  });

  test("not when it made the zone itself", async () => {
    expect(await refusedUndo(past.created)).toMatchObject({ code: "INVALID_VALUE", field: "changeId" });
  });

  test("not when a rule of today forbids it", async () => {
    const cname = await change({ add: [{ owner: "shop", type: "CNAME", rdata: "www" }] });
    const gone = await change({ remove: [cname.records[0].id] });
    await change({ add: [{ owner: "shop", type: "A", rdata: "192.0.2.1" }] });
    const { details, field } = await refusedUndo(gone.change.id);
    expect(details.reasons).toMatchObject([{ code: "RECORD_CONFLICT", owner: "shop" }]);
    expect(field).toBeUndefined();
  });
});

describe("a deleted domain", () => {
  const restored =
    "recordCount change { kind previousSerial serial note } domain { id zone serial createdAt user { id } }";
  const by = () => ({ by: { zone: zone.name } });
  const restore = (input: Json = {}, more = "") =>
    service.mutate("restoreDomain", { ...by(), ...input }, `${more} ${restored}`);
  const refusedRestore = (input: Json = {}) =>
    refusal(mutation("restoreDomain", restored), { input: { ...by(), ...input } });
  const remove = () => service.mutate("deleteDomain", { by: { zone: zone.name } }, "deletedId");

  test("can be looked at", async () => {
    const { id, serial } = await ask("id serial");
    await remove();
    const { zoneHistory, deletedDomains } = await service.data(
      `query ($zone: String!, $serial: Serial!) {
        zoneHistory(by: { zone: $zone }) { ... on DeletedDomain { domainId } zone serial at(moment: { serial: $serial }) { records { nodes { owner type } } }
          diff(from: { serial: $serial }) { rrsets { nodes { type } } } changes { totalCount nodes { kind } }
          mx: changes(owner: "@", type: "MX", orderBy: CREATED) { nodes { id } } }
        deletedDomains(filter: { zoneContains: $zone }) { nodes { domainId } } }`,
      { zone: zone.name, serial: past.moved.change.serial },
    );
    const { at, changes, mx, ...rest } = zoneHistory;
    expect(rest).toEqual({ domainId: id, zone: zone.name, serial, diff: { rrsets: { nodes: [{ type: "MX" }] } } });
    expect(at.records.nodes).toContainEqual({ owner: "@", type: "MX" });
    expect(deletedDomains.nodes).toEqual([{ domainId: id }]);
    expect([changes.nodes[0], changes.nodes.at(-1)]).toEqual([{ kind: "DELETE" }, { kind: "CREATE" }]);
    expect(changes.nodes).toHaveLength(changes.totalCount);
    expect(mx.nodes[0].id).toBe(past.added.change.id);
    expect(await refused("id")).toMatchObject({ code: "NOT_FOUND" });
  });

  test("comes back with its id, its records and its user, at a later serial", async () => {
    const fields = "id createdAt user { id } serial records { nodes { id owner type ttl rdata } }";
    const before = await ask(fields);
    await remove();
    const dry = await restore({ dryRun: true });
    expect(dry).toEqual({ recordCount: before.records.nodes.length, change: null, domain: null });
    const { change: back, domain } = await restore({ note: "back" });
    expect(back).toMatchObject({ kind: "RESTORE", previousSerial: null, note: "back", serial: before.serial + 1 });
    const { id, createdAt, user } = before;
    expect(domain).toEqual({ id, zone: zone.name, createdAt, user, serial: back.serial });
    const after = await ask(fields);
    const withoutSoa = ({ records }: Json) => records.nodes.filter(({ type }: Json) => type !== "SOA");
    expect(withoutSoa(after)).toEqual(withoutSoa(before));
    expect(await refusedRestore()).toMatchObject({ code: "NOT_FOUND", field: "zone" });
    const [, { id: deletion }] = (await ask("changes(first: 2) { nodes { id } }")).changes.nodes;
    expect(await refused(`at(moment: { changeId: "${deletion}" }) { serial }`)).toMatchObject({ code: "NOT_FOUND" });
  });

  test("comes back by a change set where that is asked for, which names it as a part among others", async () => {
    const { id } = await ask("id");
    await remove();
    const set = "changeSet { id title state zones(first: 1) { nodes { action } } }";
    const { changeSet, recordCount, ...none } = await restore({ asChangeSet: true, note: "back" }, set);
    expect(changeSet).toMatchObject({ title: "back", state: "DRAFT", zones: { nodes: [{ action: "RESTORE" }] } });
    expect(none).toEqual({ domain: null, change: null });
    const preview = `query ($id: ID!) { changeSetPreview(id: $id) { fingerprint zones { nodes {
      zone action serial addedCount rrsets { nodes { type } } } } } }`;
    const { fingerprint, zones } = (await service.data(preview, { id: changeSet.id })).changeSetPreview;
    const [{ rrsets, ...shown }] = zones.nodes;
    expect(shown).toEqual({ zone: zone.name, action: "RESTORE", serial: null, addedCount: recordCount });
    expect(rrsets.nodes[0]).toEqual({ type: "SOA" });
    expect(await refused("id")).toMatchObject({ code: "NOT_FOUND" });
    const input = { changeSetId: changeSet.id, expectedFingerprint: fingerprint };
    await service.mutate("applyChangeSet", input, "changeSet { state }");
    expect(await ask("id records { totalCount }")).toEqual({ id, records: { totalCount: recordCount } });
    await remove();
    const parts = { title: "t", zones: [{ restore: { zone: zone.name } }] };
    const staged = "changeSet { zones { nodes { zone action domain { id } } } }";
    const { nodes } = (await service.mutate("createChangeSet", parts, staged)).changeSet.zones;
    expect(nodes).toEqual([{ zone: zone.name, action: "RESTORE", domain: null }]);
  });

  test("does not come back where there is a zone of the name, nor for a user who is not there", async () => {
    const { user } = await ask("user { id }");
    await remove();
    expect(await refusedRestore({ userId: "5" })).toMatchObject({ code: "NOT_FOUND", field: "userId" });
    await service.domain(zone.name, user.id);
    expect(await refusedRestore()).toMatchObject({ code: "DUPLICATE_ZONE", field: "zone" });
  });
});

test("a key that is for other zones reverts nothing of the past", async () => {
  const { user } = await ask("user { id }");
  const { key } = await new Actors(service).createKey({ userId: user.id, zones: ["other.example.com"] });
  for (const [name, input] of [
    ["revertDomain", { by: { zone: zone.name }, to: { changeId: past.created } }],
    ["revertChange", { changeId: past.removed.change.id }],
  ] as const)
    expect(await service.refusal(mutation(name, "change { id }"), { input }, key)).toBe("NOT_FOUND");
});
