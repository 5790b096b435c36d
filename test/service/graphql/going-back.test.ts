/**
 * The ways back by GraphQL: a zone to a moment, a change undone, a deleted domain restored.
 */
import { describe, expect, test } from "@jest/globals";
import { Actors } from "../../setup/service/actors.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";
import { lines, ofMx, texts, ZoneWithPast } from "../../setup/service/zone-with-past.ts";

const service = testService();
const past = new ZoneWithPast(service);
const { ask, change, refusal, refused, zone } = past;

const revertDomain = `mutation ($input: RevertDomainInput!) { revertDomain(input: $input) {
  change { id serial note kind returnsTo { id } undoes { id } } diff { owner type ${lines} } warnings } }`;
const revertChange = `mutation ($input: RevertChangeInput!) { revertChange(input: $input) {
  alreadyUndone change { id undoes { id } returnsTo { id } } diff { owner type ${lines} } } }`;
const revert = async (input: Json) =>
  (await service.data(revertDomain, { input: { zone: zone.name, ...input } })).revertDomain;
const undo = async (input: Json) => (await service.data(revertChange, { input })).revertChange;

describe("a zone goes back to a moment", () => {
  const earlier = () => ({ to: { changeId: past.moved.change.id } });

  test("by one change, with the ids that its records had", async () => {
    const { change, diff } = await revert({ ...earlier(), note: "too early" });
    expect(change).toMatchObject({
      kind: "EDIT",
      note: "too early",
      returnsTo: { id: past.moved.change.id },
      undoes: null,
    });
    expect(diff).toMatchObject([{ owner: "@", type: "MX", lines: [{ op: "ADDED", change: { id: change.id } }, {}] }]);
    const { records } = await ask(ofMx("id ttl rdata"));
    expect(records.nodes.map(({ id }: Json) => id)).toEqual([past.added.records[0].id, past.moved.records[1].id]);
    expect(texts({ records })).toEqual(["300 10 mail.example.org.", "300 20 backup.example.org."]);
    expect(await revert(earlier())).toEqual({ change: null, diff: [], warnings: [] });
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
    const input = { zone: zone.name, ...earlier(), expectedSerial: past.moved.change.serial };
    expect(await refusal(revertDomain, { input })).toMatchObject({ code: "STALE_SERIAL", field: "expectedSerial" });
  });

  test("with the fields that its SOA had, and its next serial", async () => {
    const soa = async () => (await ask(`serial records(types: ["SOA"]) { nodes { id rdata } }`)) as Json;
    const { serial, records } = await soa();
    const [{ id, rdata }] = records.nodes;
    const edited = rdata.replace(/\d+ (\d+ \d+ \d+ \d+)$/, `${serial + 1} $1`).replace(/\d+$/, "60");
    await change({ update: [{ id, rdata: edited }] });
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
    const { change: undone, alreadyUndone } = await undo({ id: past.removed.change.id });
    expect([undone.undoes.id, undone.returnsTo, alreadyUndone]).toEqual([past.removed.change.id, null, false]);
    expect(texts(await ask(ofMx("ttl rdata")))).toEqual(["300 10 mail.example.org.", "300 20 backup.example.org."]);
    const { records } = await ask(`records(types: ["TXT"]) { nodes { owner } }`);
    expect(records.nodes).toEqual([{ owner: "_acme-challenge" }]);
    expect(await undo({ id: past.removed.change.id })).toMatchObject({ change: null, alreadyUndone: true });
  });

  test("not when a later change made its RRset another, which is named", async () => {
    const state = await service.snapshot(zone.name);
    const found = await refusal(revertChange, { input: { id: past.moved.change.id } });
    expect(found).toMatchObject({ code: "CHANGE_CONFLICT", details: { changeIds: [past.removed.change.id] } });
    expect(found.details.reasons).toMatchObject([{ code: "CHANGE_CONFLICT", owner: "@", type: "MX" }]);
    expect(found.details.reasons[0].message).toContain(past.removed.change.id);
    expect(await service.snapshot(zone.name)).toEqual(state);
  });

  test("not when it made the zone itself", async () => {
    expect(await refusal(revertChange, { input: { id: past.created } })).toMatchObject({
      code: "INVALID_VALUE",
      field: "id",
    });
  });

  test("not when a rule of today forbids it", async () => {
    const cname = await change({ add: [{ owner: "shop", type: "CNAME", rdata: "www" }] });
    const gone = await change({ remove: [cname.records[0].id] });
    await change({ add: [{ owner: "shop", type: "A", rdata: "192.0.2.1" }] });
    const { details, field } = await refusal(revertChange, { input: { id: gone.change.id } });
    expect(details.reasons).toMatchObject([{ code: "RECORD_CONFLICT", owner: "shop" }]);
    expect(field).toBeUndefined();
  });
});

describe("a deleted domain", () => {
  const restore = `mutation ($input: RestoreDomainInput!) { restoreDomain(input: $input) {
    recordCount change { kind previousSerial serial note } domain { id zone serial createdAt user { id } } } }`;
  const restored = async (input: Json) => (await service.data(restore, { input })).restoreDomain;
  const remove = () =>
    service.data(mutation("deleteDomain", "deletedId"), {
      input: { zone: zone.name },
    });
  const by = () => ({ by: { zone: zone.name } });

  test("can be looked at", async () => {
    const { id, serial } = await ask("id serial");
    await remove();
    const { deletedDomain, deletedDomains } = await service.data(
      `query ($zone: String!, $serial: Serial!) {
        deletedDomain(by: { zone: $zone }) { domainId zone serial user { email } at(serial: $serial) { endedBy { kind } records { nodes { owner type } } }
          diff(from: { serial: $serial }) { rrsets { nodes { type } } } }
        deletedDomains(filter: { zoneContains: $zone }) { nodes { domainId } } }`,
      { zone: zone.name, serial: past.moved.change.serial },
    );
    expect(deletedDomain).toMatchObject({
      domainId: id,
      zone: zone.name,
      serial,
      diff: { rrsets: { nodes: [{ type: "MX" }] } },
    });
    expect(deletedDomain.at.records.nodes).toContainEqual({ owner: "@", type: "MX" });
    expect(deletedDomains.nodes).toEqual([{ domainId: id }]);
    const changes = `query ($zone: String!) { deletedDomain(by: { zone: $zone }) {
      changes { totalCount nodes { kind } } mx: changes(owner: "@", type: "MX", orderBy: OLDEST) { nodes { kind id } } } }`;
    const { deletedDomain: journal } = await service.data(changes, { zone: zone.name });
    expect([journal.changes.nodes[0], journal.changes.nodes.at(-1)]).toEqual([{ kind: "DELETE" }, { kind: "CREATE" }]);
    expect(journal.changes.nodes).toHaveLength(journal.changes.totalCount);
    expect(journal.mx.nodes[0].id).toBe(past.added.change.id);
    expect(await refused("id")).toMatchObject({ code: "NOT_FOUND" });
  });

  test("comes back with its id, its records and its user, at a later serial", async () => {
    const fields = "id createdAt user { id } serial records { nodes { id owner type ttl rdata } }";
    const before = await ask(fields);
    await remove();
    const dry = await restored({ ...by(), dryRun: true });
    expect(dry).toEqual({ recordCount: before.records.nodes.length, change: null, domain: null });
    const { change: back, domain } = await restored({ ...by(), note: "back" });
    expect(back).toMatchObject({ kind: "RESTORE", previousSerial: null, note: "back" });
    expect(domain).toMatchObject({
      id: before.id,
      createdAt: before.createdAt,
      user: before.user,
      serial: back.serial,
    });
    expect(back.serial).toBe(before.serial + 1);
    const after = await ask(fields);
    const withoutSoa = ({ records }: Json) => records.nodes.filter(({ type }: Json) => type !== "SOA");
    expect(withoutSoa(after)).toEqual(withoutSoa(before));
    expect(await refusal(restore, { input: by() })).toMatchObject({ code: "NOT_FOUND", field: "zone" });
    expect(
      await refused(
        `at(changeId: "${(await ask("changes(first: 2) { nodes { id } }")).changes.nodes[1].id}") { serial }`,
      ),
    ).toMatchObject({ code: "NOT_FOUND" });
  });

  test("comes back by a change set where that is asked for, which names it as a part among others", async () => {
    const { id } = await ask("id");
    await remove();
    const staging = restore.replace(
      "recordCount",
      "changeSet { id title state zones(first: 1) { nodes { action } } } recordCount",
    );
    const { restoreDomain: staged } = await service.data(staging, {
      input: { ...by(), changeSet: true, note: "back" },
    });
    const { changeSet, recordCount } = staged;
    expect(changeSet).toMatchObject({ title: "back", state: "DRAFT", zones: { nodes: [{ action: "RESTORE" }] } });
    expect([staged.domain, staged.change]).toEqual([null, null]);
    expect(await refused("id")).toMatchObject({ code: "NOT_FOUND" });
    const preview = `query ($id: ID!) { changeSetPreview(id: $id) { fingerprint applicable zones { nodes {
      zone action serial addedCount rrsets { nodes { type } } } } } }`;
    const { changeSetPreview: seen } = await service.data(preview, { id: changeSet.id });
    const [shown] = seen.zones.nodes;
    expect(shown).toMatchObject({ zone: zone.name, action: "RESTORE", serial: null, addedCount: recordCount });
    expect(shown.rrsets.nodes[0]).toEqual({ type: "SOA" });
    const apply = mutation("applyChangeSet", "changeSet { state }");
    const input = { id: changeSet.id, expectedFingerprint: seen.fingerprint };
    expect((await service.data(apply, { input })).applyChangeSet.changeSet.state).toBe("APPLIED");
    expect((await ask("id records { totalCount }")).records.totalCount).toBe(recordCount);
    expect((await ask("id")).id).toBe(id);
    await remove();
    const create = `mutation ($input: CreateChangeSetInput!) { createChangeSet(input: $input) { changeSet {
      zones { nodes { zone action domain { id } } } } } }`;
    const parts = { input: { title: "t", zones: [{ zone: zone.name, restore: {} }] } };
    expect((await service.data(create, parts)).createChangeSet.changeSet.zones.nodes).toEqual([
      { zone: zone.name, action: "RESTORE", domain: null },
    ]);
  });

  test("does not come back where there is a zone of the name, nor for a user who is not there", async () => {
    const { user } = await ask("user { id }");
    await remove();
    expect(await refusal(restore, { input: { ...by(), userId: "5" } })).toMatchObject({
      code: "NOT_FOUND",
      field: "userId",
    });
    await service.domain(zone.name, user.id);
    expect(await refusal(restore, { input: by() })).toMatchObject({ code: "DUPLICATE_ZONE", field: "zone" });
  });
});

test("a key that is for other zones sees and reverts nothing of the past", async () => {
  const actors = new Actors(service);
  const { user } = await ask("user { id }");
  const { key } = await actors.createKey({ userId: user.id, zones: ["other.example.com"] });
  const inputs: [string, Json][] = [
    [revertDomain, { zone: zone.name, to: { changeId: past.created } }],
    [revertChange, { id: past.removed.change.id }],
  ];
  for (const [document, input] of inputs)
    expect(await refusal(document, { input }, key)).toMatchObject({ code: "NOT_FOUND" });
});
