/** Change sets by GraphQL, with the edits of many records and the undoing of changes that make them. */
import { beforeAll, expect, test } from "@jest/globals";
import { Actors } from "../../../setup/service/actors.ts";
import { type Json, mutation, testService } from "../../../setup/service/service.ts";
import { subscribe } from "../../../setup/service/stream.ts";

const service = testService();
const actors = new Actors(service);
let key: string;
beforeAll(async () => {
  await actors.enter();
  key = actors.key("the owner") as string;
});

const created = `changeSet { id title state revision user { email } zones(first: 3) { nodes { zone action domain { zone }
    edits { nodes { op recordId owner type ttl rdata was { owner ttl type rdata } } } } } }
  preview { fingerprint applicable changedZoneCount removedCount addedCount zones(first: 3) { totalCount nodes { notices { message }
    rrsets(first: 10) { nodes { owner type lines { op recordId ttl rdata change { id } } } } } } }`;
const staged = `changeSet { revision zones { nodes { zone } } } preview { fingerprint applicable
  zones(onlyProblems: true) { nodes { zone refusals { code owner type } conflicts { owner type } } } }`;
const applied = `changeSet { state appliedBy publication { state } zones(outcome: APPLIED) { nodes { zone change { note changeSet { id title } } } }
  timeline { nodes { kind revision } } }`;
const create = (input: Json, by = key) => service.mutate("createChangeSet", { title: "t", ...input }, created, by);
const stage = (input: Json, by = key) => service.mutate("stageChanges", input, staged, by);
const apply = async (id: string, expectedFingerprint: string, by = key) =>
  (await service.mutate("applyChangeSet", { changeSetId: id, expectedFingerprint }, applied, by)).changeSet;
const refusal = (name: string, input: Json, by = key) =>
  service.refusal(mutation(name, "changeSet { id }"), { input }, by);
const part = (zone: string, owner = "l") => ({ edit: { zone, add: [{ owner, type: "A", rdata: "192.0.2.1" }] } });

async function world(): Promise<{ zone: string; other: string; recordId: string }> {
  const { zone, recordId } = await actors.fixture();
  const { zone: other } = await actors.fixture();
  return { zone, other, recordId };
}

test("a set over two zones is staged, looked at and applied, and each change leads to it", async () => {
  const { zone, other, recordId } = await world();
  const data = { mx: { preference: 10, exchange: "mail" } };
  const { changeSet, preview } = await create({
    title: "new mail",
    description: "first line\nsecond line",
    zones: [
      { edit: { zone: zone.toUpperCase(), update: [{ recordId, ttl: 300 }] } },
      { edit: { zone: other, add: [{ owner: "@", data }] } },
    ],
  });
  const { id, zones, ...set } = changeSet;
  expect(set).toEqual({ title: "new mail", state: "DRAFT", revision: 1, user: { email: "alice@example.com" } });
  const was = { owner: "www", ttl: 3600, type: "CNAME", rdata: `${zone}.` };
  const edits = { nodes: [{ op: "UPDATE", recordId, ...was, ttl: 300, was }] };
  expect(zones.nodes).toMatchObject([{ zone, action: "EDIT", domain: { zone }, edits }, { zone: other }]);
  expect(preview).toMatchObject({ applicable: true, changedZoneCount: 2, removedCount: 1, addedCount: 2 });
  const { totalCount, nodes } = preview.zones;
  expect(totalCount).toBe(2);
  const line = (op: string, ttl: number) => ({ op, recordId, ttl, rdata: `${zone}.`, change: null });
  const lines = [line("REMOVED", 3600), line("ADDED", 300)];
  expect(nodes[0].rrsets.nodes).toEqual([{ owner: "www", type: "CNAME", lines }]);
  expect(nodes[1].notices).toEqual([{ message: expect.stringContaining("no address") }]);
  const change = { note: "new mail", changeSet: { id, title: "new mail" } };
  expect(await apply(id, preview.fingerprint)).toEqual({
    state: "APPLIED",
    appliedBy: expect.stringMatching(/^test \(/),
    publication: { state: expect.stringMatching(/^(PENDING|LATE)$/) },
    zones: { nodes: [zone, other].map((each) => ({ zone: each, change })) },
    timeline: { nodes: ["CREATED", "APPLIED"].map((kind) => ({ kind, revision: 1 })) },
  });
  expect(await refusal("applyChangeSet", { changeSetId: id, expectedFingerprint: preview.fingerprint })).toBe(
    "WRONG_STATE",
  );
  const list = "query ($f: ChangeSetFilter) { changeSets(filter: $f) { nodes { id } } }";
  for (const [f, isFound] of [
    [{ zone, states: ["APPLIED"] }, true],
    [{ zone: other, states: ["DRAFT"] }, false],
    [{ userId: actors.aliceId, zone }, true],
  ] as const)
    expect((await service.data(list, { f }, key)).changeSets.nodes.some((each: Json) => each.id === id)).toBe(isFound);
});

test("what is in the way is in the preview with the zones, and a set is stale after a change of what it touches", async () => {
  const { zone, other } = await world();
  const { id } = (await create({ zones: [part(zone, "www")] })).changeSet;
  const { preview } = await stage({ changeSetId: id, expectedRevision: 1 });
  const refusals = [{ code: "RECORD_CONFLICT", owner: "www", type: "CNAME" }];
  expect([preview.applicable, preview.zones.nodes]).toEqual([false, [{ zone, refusals, conflicts: [] }]]);
  const now = await stage({ changeSetId: id, unstage: [zone], zones: [part(other, "n")] });
  expect(now.changeSet).toEqual({ revision: 3, zones: { nodes: [{ zone: other }] } });
  await service.record(other, "n", "A", "192.0.2.2");
  const { fingerprint } = now.preview;
  expect(await refusal("applyChangeSet", { changeSetId: id, expectedFingerprint: fingerprint })).toBe(
    "STALE_CHANGE_SET",
  );
  const { changeSetPreview } = await service.data(`{ changeSetPreview(id: "${id}") { fingerprint } }`, {}, key);
  expect(changeSetPreview.fingerprint).not.toBe(fingerprint);
});

test("a conflict names the change that is behind it", async () => {
  const { zone, recordId } = await world();
  const edit = { edit: { zone, update: [{ recordId, ttl: 300 }] } };
  const { id } = (await create({ zones: [edit] })).changeSet;
  await service.mutate("updateRecord", { recordId, ttl: 60, note: "shorter" }, "record { id }", key);
  const conflict = "owner type base mine theirs change { actor note serial removedCount addedCount }";
  const query = `{ changeSetPreview(id: "${id}") { zones(first: 1) { nodes { conflicts { ${conflict} } } } } }`;
  const [{ conflicts }] = (await service.data(query, {}, key)).changeSetPreview.zones.nodes;
  const line = (ttl: number) => [`www ${ttl} IN CNAME ${zone}.`];
  expect(conflicts).toEqual([
    {
      ...{ owner: "www", type: "CNAME", base: line(3600), mine: line(300), theirs: line(60) },
      change: {
        actor: expect.stringMatching(/^test/),
        note: "shorter",
        serial: expect.any(Number),
        removedCount: 1,
        addedCount: 1,
      },
    },
  ]);
});

test("reasons name the fields as they were sent, zone by zone", async () => {
  const { zone, other } = await world();
  const bad = [
    { owner: "a..b", type: "A", rdata: "192.0.2.1" },
    { owner: "b", data: { a: { address: "x" } } },
  ];
  const input = { title: "t", zones: [part(zone), { edit: { zone: other, add: bad } }] };
  const { body } = await service.graphql(mutation("createChangeSet", "changeSet { id }"), { input }, key);
  expect(body.errors[0].extensions.details.reasons.map((reason: Json) => `${reason.code} ${reason.field}`)).toEqual([
    "INVALID_NAME zones.1.edit.add.0.owner",
    "INVALID_RDATA zones.1.edit.add.1.data.a.address",
  ]);
  for (const wrong of [
    { title: "two\nlines" },
    { title: "t", description: "a\u0007" },
    { title: "t", requestedApprovals: 3 },
  ])
    expect(await refusal("createChangeSet", wrong)).toBe("INVALID_VALUE");
});

test("a key for one zone sees and stages sets of that zone alone", async () => {
  const { zone, other } = await world();
  const limited = (await actors.createKey({ userId: actors.aliceId, zones: [zone] })).key;
  const own = (await create({ zones: [part(zone)] }, limited)).changeSet.id;
  const both = (await create({ zones: [part(zone), part(other)] })).changeSet.id;
  const see = (id: string) => service.refusal(`{ changeSet(id: "${id}") { title } }`, {}, limited);
  expect([await see(own), await see(both)]).toEqual([undefined, "NOT_FOUND"]);
  expect(await refusal("stageChanges", { changeSetId: own, zones: [part(other)] }, limited)).toBe("NOT_FOUND");
});

test("a set that wants an approval is applied after another key of the user has approved what it does", async () => {
  const { zone } = await world();
  const author = (await actors.createKey({ userId: actors.aliceId })).key;
  const { changeSet, preview } = await create({ requestedApprovals: 1, zones: [part(zone)] }, author);
  const { id } = changeSet;
  const { fingerprint } = preview;
  const fields =
    "changeSet { state availableActions requestedApprovals approvalCount reviews { verdict text valid revision fingerprint user { id } } }";
  const submitted = await service.mutate("submitChangeSet", { changeSetId: id, text: "please" }, fields, author);
  expect(submitted.changeSet).toEqual({
    ...{ state: "IN_REVIEW", requestedApprovals: 1, approvalCount: 0, reviews: [] },
    availableActions: ["STAGE", "WITHDRAW", "CANCEL", "COMMENT"],
  });
  const isListed = async (filter: string, by: string) => {
    const lists = `{ changeSets(filter: { zone: "${zone}", ${filter} }) { nodes { id } }
      domain(by: { zone: "${zone}" }) { changeSets(states: [IN_REVIEW, APPROVED]) { nodes { id } } } }`;
    const { changeSets, domain } = await service.data(lists, {}, by);
    expect(domain.changeSets.nodes.map((node: Json) => node.id)).toContain(id);
    return changeSets.nodes.some((node: Json) => node.id === id);
  };
  const own = (await service.mutate("createApiKey", { name: "own" }, "key", author)).key;
  const lists = (filter: string) => Promise.all([author, own, key].map((by) => isListed(filter, by)));
  expect(await lists("mine: true")).toEqual([true, true, false]);
  expect(await lists("awaitingMe: true")).toEqual([false, false, true]);
  const approval = { changeSetId: id, verdict: "APPROVE", expectedFingerprint: fingerprint, text: "fine" };
  for (const by of [author, own]) expect(await refusal("reviewChangeSet", approval, by)).toBe("FORBIDDEN");
  const approved = (await service.mutate("reviewChangeSet", approval, fields, key)).changeSet;
  const user = { id: actors.aliceId };
  const said = { verdict: "APPROVE", text: "fine", valid: true, revision: 1, fingerprint, user };
  expect(approved).toMatchObject({ state: "APPROVED", approvalCount: 1, reviews: [said] });
  expect(await isListed("awaitingMe: true", key)).toBe(false);
  expect((await apply(id, fingerprint, author)).state).toBe("APPLIED");
  const timeline = `{ changeSet(id: "${id}") { timeline(first: 9) { nodes { kind user { id } } } } }`;
  const kinds = ["CREATED", "SUBMITTED", "APPROVED", "APPLIED"];
  const { nodes } = (await service.data(timeline, {}, key)).changeSet.timeline;
  expect(nodes).toEqual(kinds.map((kind) => ({ kind, user })));
});

test("a set is followed: its present state, then each step that somebody takes", async () => {
  const { zone } = await world();
  const { id } = (await create({ zones: [part(zone)] })).changeSet;
  const fields = "state revision timeline(last: 1) { nodes { kind text } }";
  const stream = await subscribe(service, `subscription { changeSetChanged(id: "${id}") { ${fields} } }`, key);
  if (!("next" in stream)) throw new Error(stream.text);
  const next = async () => (await stream.next()).data.changeSetChanged;
  expect(await next()).toMatchObject({ state: "DRAFT", revision: 1 });
  await service.mutate("commentChangeSet", { changeSetId: id, text: "look" }, "changeSet { id }", key);
  expect((await next()).timeline.nodes).toEqual([{ kind: "COMMENTED", text: "look" }]);
  await stage({ changeSetId: id, zones: [] });
  expect(await next()).toMatchObject({ state: "DRAFT", revision: 2 });
  await service.mutate("cancelChangeSet", { changeSetId: id }, "changeSet { id }", key);
  expect((await next()).state).toBe("CANCELLED");
  stream.close();
});

const edited = `matchedCount changedCount mergedCount refusedCount zoneCount longestTtl refusals { zone owner type recordId code message }
  changeSet { id title state } preview { applicable fingerprint changedZoneCount zones(first: 2) { nodes {
    zone rrsets(first: 2) { nodes { owner type lines { op recordId ttl rdata change { id } } } } } } }`;
const edit = (input: Json) => service.mutate("editRecords", input, edited, key);
const removed = async (zone: string, recordId: string): Promise<string> =>
  (await service.mutate("changeRecords", { zone, remove: [recordId] }, "change { id }", key)).change.id;

test("what an edit does is counted and shown, its change set is applied, and a dry run leaves none", async () => {
  const { zone, recordId } = await actors.fixture();
  const { zone: other } = await actors.fixture();
  const set = { replace: { name: { from: zone, to: "new.example.com." } } };
  const input = { filter: { zones: [zone, other], types: ["CNAME"] }, set };
  const { preview: seen, ...counts } = await edit({ ...input, dryRun: true });
  expect(counts).toEqual({
    ...{ matchedCount: 1, changedCount: 1, mergedCount: 0, refusedCount: 0, zoneCount: 1, longestTtl: 3600 },
    ...{ refusals: [], changeSet: null },
  });
  const line = (op: string, ttl: number, rdata: string) => ({ op, recordId, ttl, rdata, change: null });
  const lines = [line("REMOVED", 3600, `${zone}.`), line("ADDED", 3600, "new.example.com.")];
  const rrsets = { nodes: [{ owner: "www", type: "CNAME", lines }] };
  expect(seen).toEqual({
    ...{ applicable: true, fingerprint: expect.any(String), changedZoneCount: 1 },
    zones: { nodes: [{ zone, rrsets }] },
  });
  const made = await edit(input);
  expect(made.changeSet).toMatchObject({ title: `Replace ${zone} by new.example.com.`, state: "DRAFT" });
  expect(made.preview.fingerprint).toBe(seen.fingerprint);
  await apply(made.changeSet.id, made.preview.fingerprint);
  expect(await edit(input)).toMatchObject({ matchedCount: 0, changeSet: null, preview: null });
});

test("changes are undone together by their ids, by who made them, and by their change set", async () => {
  const { zone, recordId } = await actors.fixture();
  const id = await removed(zone, recordId);
  const fields = `selectedCount alreadyRevertedCount conflicts { code change { id } } changeSet { id publication { state } }
    preview { fingerprint zones(first: 3) { nodes { zone rrsets(first: 3) { nodes { owner type lines { op rdata } } } } } }`;
  const revert = (input: Json) => service.mutate("revertChanges", input, fields, key);
  const dry = await revert({ by: { changeIds: [id] }, dryRun: true });
  expect(dry).toMatchObject({ selectedCount: 1, alreadyRevertedCount: 0, conflicts: [], changeSet: null });
  const lines = [{ op: "ADDED", rdata: `${zone}.` }];
  expect(dry.preview.zones.nodes).toEqual([{ zone, rrsets: { nodes: [{ owner: "www", type: "CNAME", lines }] } }]);
  await service.mutate("createRecord", { zone, owner: "www", type: "A", rdata: "192.0.2.1" }, "notices { code }", key);
  const filter = { actor: "test", createdSince: "2026-01-01T00:00:00Z", zone };
  const list = "query ($filter: ChangeFilter) { changes(filter: $filter) { nodes { id } } }";
  const { changes } = await service.data(list, { filter: { ...filter, type: "CNAME" } }, key);
  expect(changes.nodes).toContainEqual({ id });
  const undoing = await revert({ by: { filter }, skipConflicts: true });
  expect([undoing.selectedCount, undoing.conflicts]).toEqual([2, []]);
  const applied = await apply(undoing.changeSet.id, undoing.preview.fingerprint);
  expect(applied.publication.state).toMatch(/^(PENDING|LATE)$/);
  expect(await revert({ by: { changeSetId: undoing.changeSet.id } })).toMatchObject({
    selectedCount: 1,
    alreadyRevertedCount: 0,
  });
  const unbounded = { input: { by: { filter: { actor: "test" } } } };
  expect(await service.refusal(mutation("revertChanges", fields), unbounded, key)).toBe("MISSING_FIELD");
});

test("a return and an undoing are staged instead of made where that is asked for", async () => {
  const { zone, recordId, changeId } = await actors.fixture();
  const id = await removed(zone, recordId);
  const staged = "change { id } changeSet { title state } diff { owner type lines { op } }";
  const line = { owner: "www", type: "CNAME", lines: [{ op: "ADDED" }] };
  const expected = { change: null, changeSet: { title: "undo it", state: "DRAFT" } };
  const asSet = { asChangeSet: true, note: "undo it" };
  const undone = await service.mutate("revertChange", { changeId: id, ...asSet }, staged, key);
  expect(undone).toEqual({ ...expected, diff: [line] });
  const { diff, ...result } = await service.mutate(
    "revertDomain",
    { by: { zone }, to: { changeId }, ...asSet },
    staged,
    key,
  );
  expect(result).toEqual(expected);
  expect(diff).toContainEqual(line);
  const { domain } = await service.data(`{ domain(by: { zone: "${zone}" }) { records(owner: "www") { totalCount } } }`);
  expect(domain.records.totalCount).toBe(0);
});

test("an edit takes one replacement, and says what is wrong with one", async () => {
  const { zone } = await actors.fixture();
  const refused = (set: object, filter: object = {}) =>
    service.refusal(mutation("editRecords", edited), { input: { filter: { zones: [zone], ...filter }, set } }, key);
  const fromTo = { from: "192.0.2.1", to: "192.0.2.2" };
  expect(await refused({ replace: { address: fromTo, text: fromTo } })).toBe("INVALID_VALUE");
  expect(await refused({ replace: { address: fromTo }, ttl: 60 })).toBe("INVALID_VALUE");
  expect(await refused({ replace: { address: { from: "x", to: "192.0.2.2" } } })).toBe("INVALID_VALUE");
  expect(await refused({ ttl: 60 }, { rdata: { name: "a..b" } })).toBe("INVALID_NAME");
  expect(await refused({ ttl: 60 }, { types: ["WRONG"] })).toBe("UNSUPPORTED_TYPE");
  expect(await refused({ ttl: 60 }, { zones: [] })).toBe("INVALID_VALUE");
});
