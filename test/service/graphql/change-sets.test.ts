/**
 * Change sets by GraphQL: staged, looked at, applied, and found again from the changes.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { Actors } from "../../setup/service/actors.ts";
import { type Json, mutation, testService } from "../../setup/service/service.ts";
import { subscribe } from "../../setup/service/stream.ts";

const service = testService();
const actors = new Actors(service);
let key: string;
beforeAll(async () => {
  await actors.enter();
  key = actors.key("the owner") as string;
});

const create = `mutation ($input: CreateChangeSetInput!) { createChangeSet(input: $input) {
  changeSet { id title description author state revision strictSerials user { email } zones(first: 3) { nodes { zone action domain { zone }
    edits { nodes { op recordId owner type ttl rdata was { owner ttl type rdata } } } } } }
  preview { fingerprint applicable changedZoneCount removedCount addedCount zones(first: 3) { totalCount nodes { zone action serial removedCount addedCount
    rrsets(first: 10) { nodes { owner type lines { op recordId ttl rdata change { id } } } } conflicts { message } refusals { code owner type message }
    warnings dropped } } } } }`;
const stage = `mutation ($input: StageChangesInput!) { stageChanges(input: $input) { changeSet { revision zones { nodes { zone } } }
  preview { fingerprint applicable zones(onlyProblems: true) { nodes { zone refusals { code owner type } conflicts { owner type base mine theirs } } } } } }`;
const apply = `mutation ($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { state appliedBy appliedAt
  zones(outcome: APPLIED) { nodes { zone outcome change { id note changeSet { id title } } } } timeline { nodes { kind actor revision } } } } }`;

async function world(): Promise<{ zone: string; other: string; recordId: string }> {
  const { zone, recordId } = await actors.fixture();
  const { zone: other } = await actors.fixture();
  return { zone, other, recordId };
}

test("a set over two zones is staged, looked at and applied, and each change leads to it", async () => {
  const { zone, other, recordId } = await world();
  const input = {
    title: "new mail",
    description: "first line\nsecond line",
    zones: [
      { zone: zone.toUpperCase(), update: [{ id: recordId, ttl: 300 }] },
      { zone: other, add: [{ owner: "@", data: { mx: { preference: 10, exchange: "mail" } } }] },
    ],
  };
  const { changeSet, preview } = (await service.data(create, { input }, key)).createChangeSet;
  expect(changeSet).toMatchObject({
    title: "new mail",
    state: "DRAFT",
    revision: 1,
    user: { email: "alice@example.com" },
  });
  expect(changeSet.zones.nodes).toEqual([
    {
      zone,
      action: "EDIT",
      domain: { zone },
      edits: {
        nodes: [
          {
            op: "UPDATE",
            recordId,
            owner: "www",
            type: "CNAME",
            ttl: 300,
            rdata: `${zone}.`,
            was: { owner: "www", ttl: 3600, type: "CNAME", rdata: `${zone}.` },
          },
        ],
      },
    },
    expect.objectContaining({ zone: other }),
  ]);
  expect(preview).toMatchObject({ applicable: true, changedZoneCount: 2, removedCount: 1, addedCount: 2 });
  expect(preview.zones.totalCount).toBe(2);
  const [first, second] = preview.zones.nodes;
  expect(first.rrsets.nodes).toEqual([
    {
      owner: "www",
      type: "CNAME",
      lines: [
        { op: "REMOVED", recordId, ttl: 3600, rdata: `${zone}.`, change: null },
        { op: "ADDED", recordId, ttl: 300, rdata: `${zone}.`, change: null },
      ],
    },
  ]);
  expect(second.warnings).toEqual([expect.stringContaining("no address")]);
  const { id } = changeSet;
  const answer = await service.data(apply, { input: { id, expectedFingerprint: preview.fingerprint } }, key);
  const applied = answer.applyChangeSet.changeSet;
  expect(applied).toMatchObject({ state: "APPLIED", appliedBy: expect.stringMatching(/^test \(/) });
  expect(applied.zones.nodes.map((node: Json) => [node.zone, node.change.note, node.change.changeSet])).toEqual([
    [zone, "new mail", { id, title: "new mail" }],
    [other, "new mail", { id, title: "new mail" }],
  ]);
  expect(applied.timeline.nodes.map(({ kind, revision }: Json) => [kind, revision])).toEqual([
    ["CREATED", 1],
    ["APPLIED", 1],
  ]);
  expect(await service.refusal(apply, { input: { id, expectedFingerprint: preview.fingerprint } }, key)).toBe(
    "WRONG_STATE",
  );
  expect((await service.data(`{ node(id: "${id}") { ... on ChangeSet { title } } }`, {}, key)).node).toEqual({
    title: "new mail",
  });
  const list = `query ($f: ChangeSetFilter) { changeSets(filter: $f) { totalCount nodes { id } } }`;
  const filters = [
    { zone, states: ["APPLIED"] },
    { zone: other, states: ["DRAFT"] },
    { userId: actors.aliceId, zone },
  ];
  const found = [];
  for (const f of filters)
    found.push((await service.data(list, { f }, key)).changeSets.nodes.map((node: Json) => node.id === id));
  expect(found.map((each) => each.includes(true))).toEqual([true, false, true]);
});

test("what is in the way is in the preview with the zones, and a set is stale after a change of what it touches", async () => {
  const { zone, other } = await world();
  const edits = { zones: [{ zone, add: [{ owner: "www", type: "A", rdata: "192.0.2.1" }] }] };
  const { changeSet } = (await service.data(create, { input: { title: "t", ...edits } }, key)).createChangeSet;
  const { preview } = (await service.data(stage, { input: { id: changeSet.id, expectedRevision: 1 } }, key))
    .stageChanges;
  expect(preview.applicable).toBe(false);
  expect(preview.zones.nodes).toEqual([
    { zone, refusals: [{ code: "RECORD_CONFLICT", owner: "www", type: "CNAME" }], conflicts: [] },
  ]);
  const replaced = {
    id: changeSet.id,
    unstage: [zone],
    zones: [{ zone: other, add: [{ owner: "n", type: "A", rdata: "192.0.2.1" }] }],
  };
  const now = (await service.data(stage, { input: replaced }, key)).stageChanges;
  expect(now.changeSet).toEqual({ revision: 3, zones: { nodes: [{ zone: other }] } });
  await service.mutate("createRecord", { zone: other, owner: "n", type: "A", rdata: "192.0.2.2" }, "change { id }");
  const input = { id: changeSet.id, expectedFingerprint: now.preview.fingerprint };
  const { body } = await service.graphql(apply, { input }, key);
  const { fingerprint } = (await service.data(`{ changeSetPreview(id: "${changeSet.id}") { fingerprint } }`, {}, key))
    .changeSetPreview;
  expect(body.errors[0].extensions).toMatchObject({ code: "STALE_CHANGE_SET", field: "expectedFingerprint" });
  expect(fingerprint).not.toBe(now.preview.fingerprint);
});

test("reasons name the fields as they were sent, zone by zone", async () => {
  const { zone, other } = await world();
  const zones = [
    { zone, add: [{ owner: "ok", type: "A", rdata: "192.0.2.1" }] },
    {
      zone: other,
      add: [
        { owner: "a..b", type: "A", rdata: "192.0.2.1" },
        { owner: "b", data: { a: { address: "x" } } },
      ],
    },
  ];
  const { body } = await service.graphql(create, { input: { title: "t", zones } }, key);
  expect(body.errors[0].extensions.details.reasons.map((reason: Json) => [reason.code, reason.field])).toEqual([
    ["INVALID_NAME", "zones.1.add.0.owner"],
    ["INVALID_RDATA", "zones.1.add.1.data.a.address"],
  ]);
  expect(await service.refusal(create, { input: { title: "two\nlines" } }, key)).toBe("INVALID_VALUE");
  expect(await service.refusal(create, { input: { title: "t", description: "a\u0007" } }, key)).toBe("INVALID_VALUE");
});

test("a key for one zone sees and stages sets of that zone alone", async () => {
  const { zone, other } = await world();
  const limited = (await actors.createKey({ userId: actors.aliceId, zones: [zone] })).key;
  const part = (name: string) => ({ zone: name, add: [{ owner: "l", type: "A", rdata: "192.0.2.1" }] });
  const idOf = async (zones: object[], by: string) =>
    (await service.data(create, { input: { title: "t", zones } }, by)).createChangeSet.changeSet.id;
  const [own, both] = [await idOf([part(zone)], limited), await idOf([part(zone), part(other)], key)];
  const see = (id: string) => service.refusal(`{ changeSet(id: "${id}") { title } }`, {}, limited);
  expect([await see(own), await see(both)]).toEqual([undefined, "NOT_FOUND"]);
  expect(await service.refusal(stage, { input: { id: own, zones: [part(other)] } }, limited)).toBe("NOT_FOUND");
});

test("a set that wants an approval is applied after another key of the user has approved what it does", async () => {
  const { zone } = await world();
  const author = (await actors.createKey({ userId: actors.aliceId })).key;
  const zones = [{ zone, add: [{ owner: "r", type: "A", rdata: "192.0.2.1" }] }];
  const input = { title: "reviewed", approvalsWanted: 1, zones };
  const { changeSet, preview } = (await service.data(create, { input }, author)).createChangeSet;
  const { id } = changeSet;
  const { fingerprint } = preview;
  const fields =
    "changeSet { state can approvalsWanted approvalsGiven reviews { verdict text valid revision fingerprint } }";
  const submit = mutation("submitChangeSet", `${fields}`);
  const review = mutation("reviewChangeSet", `${fields}`);
  const submitted = (await service.data(submit, { input: { id, text: "please" } }, author)).submitChangeSet.changeSet;
  expect(submitted).toMatchObject({ state: "IN_REVIEW", approvalsWanted: 1, approvalsGiven: 0, reviews: [] });
  expect(submitted.can).toEqual(["STAGED", "WITHDRAWN", "CANCELLED", "COMMENTED"]);
  const awaiting = async (by: string) => {
    const lists = `{ changeSets(filter: { zone: "${zone}", awaitingMe: true }) { nodes { id } }
      domain(by: { zone: "${zone}" }) { changeSets(states: [IN_REVIEW, APPROVED]) { totalCount nodes { id } } } }`;
    const data = await service.data(lists, {}, by);
    expect(data.domain.changeSets.nodes.map((node: Json) => node.id)).toContain(id);
    return data.changeSets.nodes.some((node: Json) => node.id === id);
  };
  expect([await awaiting(author), await awaiting(key)]).toEqual([false, true]);
  const isMine = async (by: string) =>
    (await service.data(`{ changeSets(filter: { zone: "${zone}", mine: true }) { nodes { id } } }`, {}, by)).changeSets
      .nodes.length === 1;
  expect([await isMine(author), await isMine(key)]).toEqual([true, false]);
  const approval = { id, verdict: "APPROVE", fingerprint, text: "fine" };
  expect(await service.refusal(review, { input: approval }, author)).toBe("FORBIDDEN");
  const own = (await service.data('mutation { createApiKey(input: { name: "own" }) { key } }', {}, author)).createApiKey
    .key;
  expect(await service.refusal(review, { input: approval }, own)).toBe("FORBIDDEN");
  expect(await isMine(own)).toBe(true);
  const approved = (await service.data(review, { input: approval }, key)).reviewChangeSet.changeSet;
  const said = { verdict: "APPROVE", text: "fine", valid: true, revision: 1, fingerprint };
  expect(approved).toMatchObject({ state: "APPROVED", approvalsGiven: 1, reviews: [said] });
  expect(await awaiting(key)).toBe(false);
  const answer = await service.data(apply, { input: { id, expectedFingerprint: fingerprint } }, author);
  expect(answer.applyChangeSet.changeSet.state).toBe("APPLIED");
  expect(await service.refusal(create, { input: { title: "t", approvalsWanted: 3 } }, key)).toBe("INVALID_VALUE");
});

test("a set is followed: its present state, then each step that somebody takes", async () => {
  const { zone } = await world();
  const zones = [{ zone, add: [{ owner: "f", type: "A", rdata: "192.0.2.1" }] }];
  const { id } = (await service.data(create, { input: { title: "followed", zones } }, key)).createChangeSet.changeSet;
  const fields = "state revision timeline(last: 1) { nodes { kind text } }";
  const stream = await subscribe(service, `subscription { changeSetChanged(id: "${id}") { ${fields} } }`, key);
  if (!("next" in stream)) throw new Error(stream.text);
  const next = async () => (await stream.next()).data.changeSetChanged;
  expect(await next()).toMatchObject({ state: "DRAFT", revision: 1 });
  const comment = mutation("commentChangeSet", "changeSet { id }");
  await service.data(comment, { input: { id, text: "look" } }, key);
  expect((await next()).timeline.nodes).toEqual([{ kind: "COMMENTED", text: "look" }]);
  await service.data(stage, { input: { id, zones: [] } }, key);
  expect(await next()).toMatchObject({ state: "DRAFT", revision: 2 });
  const cancel = mutation("cancelChangeSet", "changeSet { id }");
  await service.data(cancel, { input: { id } }, key);
  expect((await next()).state).toBe("CANCELLED");
  stream.close();
});
