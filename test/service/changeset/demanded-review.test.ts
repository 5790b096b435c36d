/**
 * Zones that demand review: no door changes them but a change set with the approvals that the strictest of its zones demands, by persons
 * who may review them.
 */
import { describe, expect, test } from "@jest/globals";
import { createApiKey } from "../../../src/account/api-key.ts";
import { createTsigKey } from "../../../src/account/create-tsig-key.ts";
import { ReviewPolicy } from "../../../src/account/review-policy.ts";
import { tsigKeyById } from "../../../src/account/tsig-key.ts";
import { actorOfTsig } from "../../../src/account/tsig-scope.ts";
import { updateUser } from "../../../src/account/update-user.ts";
import { createUser } from "../../../src/account/user.ts";
import { applyChangeSet } from "../../../src/changeset/apply.ts";
import { changeSetById } from "../../../src/changeset/change-set.ts";
import { listChangeSets } from "../../../src/changeset/change-set-list.ts";
import { needsOf } from "../../../src/changeset/needs.ts";
import { previewChangeSet } from "../../../src/changeset/preview.ts";
import { commentChangeSet, possibleSteps, reviewChangeSet, submitChangeSet } from "../../../src/changeset/review.ts";
import { cancelChangeSet, createChangeSet, stageChanges } from "../../../src/changeset/stage.ts";
import { Verdict } from "../../../src/changeset/states.ts";
import { resyncDomain } from "../../../src/secondary/resync.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { createDomain, deleteDomain, deleteUser } from "../../../src/zone/edit/lifecycle.ts";
import { updateDomain } from "../../../src/zone/edit/update-domain.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { revertChange, revertDomain } from "../../../src/zone/history/revert.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import { actorOf, fieldsOf, reasonsOf, refusalOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const administrator: Actor = { role: "administrator", userId: null, readOnly: false, name: "administrator" };
const owner = () => actorOf(zones.userId);

let made = 0;
const newUser = async () => (await createUser(zones.session(), `reviewing${++made}@example.com`)).id;

/** A key that an administrator made. */
async function keyOf(userId = zones.userId): Promise<Actor> {
  const { apiKey } = await createApiKey(zones.session(), { name: "k", userId });
  return { ...actorOf(userId), keyId: apiKey.id, name: `key ${apiKey.id}` };
}

const demand = (zone: string, review: ReviewPolicy | null, by = administrator) =>
  updateDomain(zones.session(by), zone, { review });
const fingerprintNow = async (by: Actor, id: number) => {
  const session = zones.session(by);
  return (await previewChangeSet(session, await changeSetById(session, id))).fingerprint;
};
const apply = async (by: Actor, id: number) => applyChangeSet(zones.session(by), id, await fingerprintNow(by, id));
const approve = async (by: Actor, id: number) =>
  reviewChangeSet(zones.session(by), id, { verdict: Verdict.APPROVE, fingerprint: await fingerprintNow(by, id) });

/** A set that adds a record to each of these zones, submitted. */
async function submitted(author: Actor, ...names: string[]): Promise<number> {
  const parts = names.map((zone) => ({ zone, edits: { add: [fieldsOf("new A 192.0.2.9")] } }));
  const { id } = await createChangeSet(zones.session(author), { title: "t", zones: parts });
  await submitChangeSet(zones.session(author), id);
  return id;
}

async function* chunks(text: string): AsyncGenerator<string> {
  yield text;
}

describe("a zone that demands change sets", () => {
  test("is changed by no other door, and is told the call to make", async () => {
    const zone = await zones.zone("web A 192.0.2.1");
    const [{ id: changeId } = { id: 0 }] = await zones.sql<{ id: number }>(
      "select max(id)::float8 as id from change where zone = $1",
      [zone],
    );
    const [soa, record] = [await zones.idOf(zone, "@", "SOA"), await zones.idOf(zone, "web", "A")];
    await demand(zone, ReviewPolicy.CHANGE_SET);
    const before = await zones.state(zone);
    const doors: Record<string, (by: Actor) => Promise<unknown>> = {
      add: (by) => changeZone(zones.session(by), zone, { add: [fieldsOf("new A 192.0.2.1")] }),
      update: (by) => changeZone(zones.session(by), zone, { update: [{ id: record, ttl: 300 }] }),
      remove: (by) => changeZone(zones.session(by), zone, { remove: [record] }),
      soa: (by) => changeZone(zones.session(by), zone, { update: [{ id: soa, ttl: 300 }] }),
      import: (by) => importZone(zones.session(by), { zone, text: chunks("new A 192.0.2.1\n"), mode: "MERGE" }),
      revertChange: (by) => revertChange(zones.session(by), changeId),
      revertDomain: (by) => revertDomain(zones.session(by), zone, { changeId: changeId - 16 }),
      delete: (by) => deleteDomain(zones.session(by), zone),
    };
    for (const by of [owner(), administrator])
      for (const [name, write] of Object.entries(doors))
        expect([name, await reasonsOf(write(by))]).toEqual([name, [["REVIEW_REQUIRED", undefined]]]);
    expect(await zones.state(zone)).toEqual(before);
    const refusal = await refusalOf(doors.delete?.(owner()) as Promise<unknown>);
    expect(refusal.message).toContain(`zones: [{ zone: "${zone}", delete: true }]`);
    expect(refusal.details).toEqual({ zone, review: "CHANGE_SET" });
  });

  test("is changed by the service itself, by a TSIG key that is exempt, and gets a serial without a review", async () => {
    const zone = await zones.zone();
    await demand(zone, ReviewPolicy.TWO);
    expect((await changeZone(zones.session(), zone, { add: [fieldsOf("system A 192.0.2.1")] })).change).not.toBeNull();
    expect((await resyncDomain(zones.session(owner()), zone)).change).not.toBeNull();
    const grant = { userId: zones.userId, exemptFromReview: true };
    const made = createTsigKey(zones.session(owner()), "own.example.com", "hmac-sha256", grant);
    expect(await reasonsOf(made)).toEqual([["FORBIDDEN", undefined]]);
    for (const isExempt of [false, true]) {
      const input = { ...grant, exemptFromReview: isExempt };
      const { tsigKey } = await createTsigKey(
        zones.session(administrator),
        `${isExempt ? "acme" : "plain"}.example.com`,
        "hmac-sha256",
        input,
      );
      const actor = actorOfTsig(await tsigKeyById(zones.session(), tsigKey.id));
      const write = changeZone(zones.session(actor), zone, { add: [fieldsOf("_acme-challenge TXT token")] });
      if (isExempt) expect((await write).change).not.toBeNull();
      else expect(await reasonsOf(write)).toEqual([["REVIEW_REQUIRED", undefined]]);
    }
  });

  test("is looked at by dry runs, and is changed by a set without approvals", async () => {
    const zone = await zones.zone();
    await demand(zone, ReviewPolicy.CHANGE_SET);
    const dry = await changeZone(zones.session(owner()), zone, { add: [fieldsOf("a A 192.0.2.1")] }, { dryRun: true });
    expect(dry.added.map(({ owner: name }) => name)).toContain("a");
    const author = await keyOf();
    const { state } = await apply(author, await submitted(author, zone));
    expect(state).toBe("APPLIED");
  });
});

test("a new zone, and one that comes back, demand what their owner does, and one that comes back what it did", async () => {
  const userId = await newUser();
  const [by, name] = [actorOf(userId), `demanding${made}.example.org`];
  await createDomain(zones.session(by), userId, name);
  await demand(name, ReviewPolicy.CHANGE_SET, by);
  await deleteDomain(zones.session(), name);
  expect(await reasonsOf(restoreDomain(zones.session(by), { zone: name }))).toEqual([["REVIEW_REQUIRED", undefined]]);
  expect((await restoreDomain(zones.session(by), { zone: name }, { dryRun: true })).added.length).toBeGreaterThan(0);
  expect((await restoreDomain(zones.session(), { zone: name })).domain?.review).toBe("CHANGE_SET");
  await updateUser(zones.session(by), userId, { review: ReviewPolicy.ONE });
  for (const who of [by, administrator]) {
    const creation = createDomain(zones.session(who), userId, `other${made}.example.org`);
    const { code, message } = await refusalOf(creation);
    expect([code, message]).toEqual([
      "REVIEW_REQUIRED",
      expect.stringContaining(`create: { userId: "${userId}" }, add: […] }]`),
    ]);
    expect(message).toContain(
      `changeset stage ID other${made}.example.org --create --user ${userId} --add "OWNER TTL TYPE DATA";`,
    );
    const text = chunks("@ SOA ns1.example.net. hostmaster.example.net. 1 2 3 4 5\n@ NS ns1.example.net.\n");
    const request = { zone: `other${made}.example.org`, userId, mode: "REPLACE", text } as const;
    expect(await reasonsOf(importZone(zones.session(who), request))).toEqual([["REVIEW_REQUIRED", undefined]]);
  }
  const deletion = deleteUser(zones.session(administrator), userId, { fate: "DELETE" });
  expect(await reasonsOf(deletion)).toEqual([["REVIEW_REQUIRED", undefined]]);
});

test("who owns a zone makes its review stricter, and an administrator alone makes it freer", async () => {
  const userId = await newUser();
  const [by, zone] = [actorOf(userId), `strict${made}.example.org`];
  await createDomain(zones.session(by), userId, zone);
  const set = async (who: Actor, review: ReviewPolicy | null) => {
    const refused = await demand(zone, review, who).then(
      () => undefined,
      (error) => error.code,
    );
    return refused ?? "done";
  };
  const { CHANGE_SET, NONE, ONE, TWO } = ReviewPolicy;
  expect([await set(by, ONE), await set(by, CHANGE_SET), await set(by, null), await set(by, TWO)]).toEqual([
    "done",
    "FORBIDDEN",
    "FORBIDDEN",
    "done",
  ]);
  await updateUser(zones.session(by), userId, { review: TWO });
  // As strict as its owner, it may as well say nothing itself.
  expect([await set(by, null), await set(by, NONE), await set(administrator, NONE)]).toEqual([
    "done",
    "FORBIDDEN",
    "done",
  ]);
  const lower = updateUser(zones.session(by), userId, { review: ONE });
  expect(await reasonsOf(lower)).toEqual([["FORBIDDEN", undefined]]);
  expect((await updateUser(zones.session(administrator), userId, { review: NONE })).review).toBe("NONE");
  const limited = { ...by, zones: [zone] };
  expect(await reasonsOf(updateUser(zones.session(limited), userId, { review: TWO }))).toEqual([
    ["FORBIDDEN", undefined],
  ]);
  const reviewers = updateUser(zones.session(by), userId, { reviewerIds: [] });
  expect(await reasonsOf(reviewers)).toEqual([["FORBIDDEN", undefined]]);
  const other = updateUser(zones.session(owner()), userId, { review: TWO });
  expect(await reasonsOf(other)).toEqual([["NOT_FOUND", "id"]]);
});

test("a set needs as many approvals as the strictest of its zones demands, or its author wants", async () => {
  const [free, one, two] = [await zones.zone(), await zones.zone(), await zones.zone()];
  await demand(one, ReviewPolicy.ONE);
  await demand(two, ReviewPolicy.TWO);
  const author = await keyOf();
  const cases: [string[], number, number][] = [
    [[free], 0, 0],
    [[free, one], 0, 1],
    [[free, one], 2, 2],
    [[two, one, free], 1, 2],
  ];
  for (const [names, approvalsWanted, needed] of cases) {
    const parts = names.map((zone) => ({ zone, edits: { add: [fieldsOf("new A 192.0.2.9")] } }));
    const set = await createChangeSet(zones.session(author), { title: "t", approvalsWanted, zones: parts });
    expect((await needsOf(zones.session(), set)).approvals).toBe(needed);
    if (needed > 0) expect(await reasonsOf(apply(author, set.id))).toEqual([["WRONG_STATE", "id"]]);
  }
  const id = await submitted(author, free, two);
  for (const state of ["IN_REVIEW", "APPROVED"]) expect((await approve(await keyOf(), id)).state).toBe(state);
  expect((await apply(author, id)).state).toBe("APPLIED");
});

test("a set that was approved waits for more approvals once a zone demands them", async () => {
  const [zone, author] = [await zones.zone(), await keyOf()];
  const id = await submitted(author, zone);
  expect((await changeSetById(zones.session(), id)).state).toBe("APPROVED");
  await demand(zone, ReviewPolicy.ONE);
  expect(await reasonsOf(apply(author, id))).toEqual([["STALE_CHANGE_SET", "id"]]);
  expect((await changeSetById(zones.session(), id)).state).toBe("IN_REVIEW");
  await approve(await keyOf(), id);
  expect((await apply(author, id)).state).toBe("APPLIED");
});

test("a user whom an administrator named reviews, and does nothing else", async () => {
  const [zone, author] = [await zones.zone(), await keyOf()];
  await demand(zone, ReviewPolicy.ONE);
  const reviewerId = await newUser();
  const [reviewer, stranger] = [await keyOf(reviewerId), await keyOf(await newUser())];
  const id = await submitted(author, zone);
  expect(await reasonsOf(approve(reviewer, id))).toEqual([["NOT_FOUND", "id"]]);
  await updateUser(zones.session(administrator), zones.userId, { reviewerIds: [reviewerId] });
  expect(await reasonsOf(approve(stranger, id))).toEqual([["NOT_FOUND", "id"]]);
  const session = () => zones.session(reviewer);
  const listed = await listChangeSets(session(), { zone }, { first: 10 });
  expect(listed.rows.map((row) => row.id)).toEqual([id]);
  const { zones: previewed } = await previewChangeSet(session(), await changeSetById(session(), id));
  expect(previewed.map(({ addedCount, conflicts }) => [addedCount, conflicts])).toEqual([[1, []]]);
  expect(await possibleSteps(session(), await changeSetById(session(), id))).toEqual([
    "COMMENTED",
    "APPROVED",
    "CHANGES_REQUESTED",
  ]);
  await commentChangeSet(session(), id, "looks right");
  const forbidden = [
    stageChanges(session(), id, { zones: [{ zone, delete: true }] }),
    submitChangeSet(session(), id),
    cancelChangeSet(session(), id),
    applyChangeSet(session(), id, "x"),
  ];
  for (const step of forbidden) expect(await reasonsOf(step)).toEqual([["FORBIDDEN", "id"]]);
  const readOnly = { ...reviewer, readOnly: true };
  expect(await reasonsOf(approve(readOnly, id))).toEqual([["FORBIDDEN", undefined]]);
  expect((await approve(reviewer, id)).state).toBe("APPROVED");
  // What somebody approved who may not review any more does not count.
  await updateUser(zones.session(administrator), zones.userId, { reviewerIds: [] });
  expect(await reasonsOf(apply(author, id))).toEqual([["STALE_CHANGE_SET", "id"]]);
  expect(await reasonsOf(changeSetById(session(), id))).toEqual([["NOT_FOUND", "id"]]);
});
