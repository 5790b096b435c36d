/**
 * Zones that demand review: only a change set changes them, with the approvals that the strictest of its zones demands, by persons who may
 * review its zones.
 */
import { describe, expect, test } from "@jest/globals";
import { createTsigKey } from "../../../src/account/create-tsig-key.ts";
import { ReviewPolicy } from "../../../src/account/review-policy.ts";
import { tsigKeyById } from "../../../src/account/tsig-key.ts";
import { actorOfTsig } from "../../../src/account/tsig-scope.ts";
import { createUser } from "../../../src/account/user.ts";
import { applyChangeSet } from "../../../src/changeset/apply/apply.ts";
import { changeSetById } from "../../../src/changeset/change-set.ts";
import { listChangeSets } from "../../../src/changeset/change-set-list.ts";
import { previewChangeSet } from "../../../src/changeset/check/preview.ts";
import { needsOf } from "../../../src/changeset/needed-approvals.ts";
import { availableActions, commentChangeSet, submitChangeSet } from "../../../src/changeset/review/review.ts";
import { cancelChangeSet, stageChanges } from "../../../src/changeset/stage/stage.ts";
import { resyncDomain } from "../../../src/secondary/resync.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import type { Session } from "../../../src/session/session.ts";
import { transaction } from "../../../src/session/transaction.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { planEdits } from "../../../src/zone/edit/edit-plan.ts";
import { StaleZone } from "../../../src/zone/edit/stored-zone.ts";
import { restoreDomain } from "../../../src/zone/history/restore.ts";
import { revertChange, revertDomain } from "../../../src/zone/history/revert.ts";
import { defaultRecords } from "../../../src/zone/lifecycle/default-records.ts";
import {
  createDomain,
  createZone,
  deleteDomain,
  deleteUser,
  transferDomain,
} from "../../../src/zone/lifecycle/domain-lifecycle.ts";
import { readName } from "../../../src/zone/lifecycle/name-history.ts";
import { updateDomain } from "../../../src/zone/lifecycle/update-domain.ts";
import { updateUser } from "../../../src/zone/lifecycle/update-user.ts";
import { importZone } from "../../../src/zone/master-file/import.ts";
import { adding, testChangeSets } from "../../setup/zones/change-sets.ts";
import { drift } from "../../setup/zones/quota.ts";
import { actorOf, administrator, fieldsOf, reasonsOf, refusalOf } from "../../setup/zones/session.ts";

const zones = testChangeSets();
const owner = () => actorOf(zones.userId);
const { CHANGE_SET, NONE, ONE, TWO } = ReviewPolicy;

let made = 0;
const newUser = async () => (await createUser(zones.session(), `reviewing${++made}@example.com`)).id;
const demand = (zone: string, review: ReviewPolicy | null, by = administrator) =>
  updateDomain(zones.session(by), zone, { review });

/** A set that adds a record to each of these zones. */
const staged = (author: Actor, names: readonly string[], requestedApprovals = 0) => {
  const parts = names.map((zone) => adding(zone, "new A 192.0.2.9"));
  return zones.stage(parts, { requestedApprovals }, author);
};

/** The same, submitted. */
async function submitted(author: Actor, ...names: string[]): Promise<{ id: number }> {
  const { id } = await staged(author, names);
  await submitChangeSet(zones.session(author), id);
  return { id };
}

describe("a zone that demands change sets", () => {
  test("is changed in no other way, and the refusal names the call to make", async () => {
    const zone = await zones.zone("web A 192.0.2.1");
    const [created = 0, changeId = 0] = (await zones.journal(zone)).map(({ id }) => id);
    const [soa, record] = [await zones.idOf(zone, "@", "SOA"), await zones.idOf(zone, "web", "A")];
    await demand(zone, CHANGE_SET);
    const before = await zones.state(zone);
    for (const by of [owner(), administrator]) {
      const session = () => zones.session(by);
      const ways: Record<string, () => Promise<unknown>> = {
        add: () => changeZone(session(), zone, { add: [fieldsOf("new A 192.0.2.1")] }),
        update: () => changeZone(session(), zone, { update: [{ id: record, ttl: 300 }] }),
        remove: () => changeZone(session(), zone, { remove: [record] }),
        soa: () => changeZone(session(), zone, { update: [{ id: soa, ttl: 300 }] }),
        import: () => importZone(session(), { zone, text: ["new A 192.0.2.1\n"], mode: "MERGE" }),
        revertChange: () => revertChange(session(), changeId),
        revertDomain: () => revertDomain(session(), zone, { changeId: created }),
      };
      for (const [name, write] of Object.entries(ways))
        expect([name, await reasonsOf(write())]).toEqual([name, ["REVIEW_REQUIRED"]]);
      const { code, message, details } = await refusalOf(deleteDomain(session(), zone));
      expect([code, message]).toEqual([
        "REVIEW_REQUIRED",
        expect.stringContaining(`zones: [{ delete: { zone: "${zone}" } }]`),
      ]);
      expect(details).toEqual({ zone, review: "CHANGE_SET" });
    }
    expect(await zones.state(zone)).toEqual(before);
  });

  test("is changed without a review by the service itself, by an exempt TSIG key, and by a new serial", async () => {
    const zone = await zones.zone();
    await demand(zone, TWO);
    expect((await zones.add(zone, "system A 192.0.2.1")).change).not.toBeNull();
    expect((await resyncDomain(zones.session(owner()), zone)).change).not.toBeNull();
    const keyOf = async (by: Actor, name: string, exemptFromReview: boolean) => {
      const grant = { userId: zones.userId, exemptFromReview };
      const { tsigKey } = await createTsigKey(zones.session(by), name, "hmac-sha256", grant);
      return actorOfTsig(await tsigKeyById(zones.session(), tsigKey.id));
    };
    const write = (by: Actor) => changeZone(zones.session(by), zone, { add: [fieldsOf("_acme-challenge TXT token")] });
    expect(await reasonsOf(keyOf(owner(), "own.example.com", true))).toEqual(["FORBIDDEN"]);
    const plain = await keyOf(administrator, "plain.example.com", false);
    expect(await reasonsOf(write(plain))).toEqual(["REVIEW_REQUIRED"]);
    expect((await write(await keyOf(administrator, "acme.example.com", true))).change).not.toBeNull();
  });

  test("allows dry runs, and is changed by a set without approvals", async () => {
    const zone = await zones.zone();
    await demand(zone, CHANGE_SET);
    const edits = { add: [fieldsOf("a A 192.0.2.1")] };
    const dry = await changeZone(zones.session(owner()), zone, edits, { dryRun: true });
    expect(dry.added.map(({ owner: name }) => name)).toContain("a");
    const author = await zones.keyOf();
    expect((await zones.apply(await submitted(author, zone), author)).state).toBe("APPLIED");
  });
});

describe("a zone that begins to demand change sets while a change of it is made, by another instance", () => {
  /** What an instance does beside this one, which has a queue of its own for the zone. */
  const beside = (run: (session: Session) => Promise<unknown>) => transaction(zones.session(administrator), run);
  const demands: Record<string, (zone: string, userId: number) => Promise<unknown>> = {
    "by its own review": (zone) => beside((session) => updateDomain(session, zone, { review: ONE })),
    "by that of its owner": (_, userId) => beside((session) => updateUser(session, userId, { review: ONE })),
    "by a transfer": (zone) =>
      beside(async (session) => {
        const to = await newUser();
        await updateUser(session, to, { review: ONE });
        await transferDomain(session, zone, to);
      }),
  };
  test.each(Object.entries(demands))("%s: nothing is stored", async (_, demanding) => {
    const [userId, zone] = [await newUser(), `raced${made}.example.org`];
    await createDomain(zones.session(), userId, zone);
    const before = await zones.records(zone);
    const session = zones.session(administrator);
    const edits = planEdits(session, zone, { add: [fieldsOf("late A 192.0.2.1")] }, {});
    let plans = 0;
    const plan: typeof edits.plan = async (stored) => {
      if (plans++ === 0) await demanding(zone, userId);
      return edits.plan(stored);
    };
    expect(await reasonsOf(changeZone(session, zone, { ...edits, plan }))).toEqual(["REVIEW_REQUIRED"]);
    expect(await zones.records(zone)).toEqual(before);
  });

  test("no zone is created for an owner whose zones demand change sets by then", async () => {
    const [userId, zone] = [await newUser(), `raced${made}.example.org`];
    const session = zones.session(administrator);
    const history = await readName(session, zone, userId);
    await updateUser(session, userId, { review: ONE });
    await expect(createZone(session, { zone, userId, history }, defaultRecords(zone, session.policy))).rejects.toThrow(
      StaleZone,
    );
    expect(await reasonsOf(createDomain(session, userId, zone))).toEqual(["REVIEW_REQUIRED"]);
  });
});

test("a new zone demands what its owner demands, a restored zone also what it demanded before", async () => {
  const userId = await newUser();
  const [by, name, other] = [actorOf(userId), `demanding${made}.example.org`, `other${made}.example.org`];
  await createDomain(zones.session(by), userId, name);
  await demand(name, CHANGE_SET, by);
  await zones.remove(name);
  expect(await reasonsOf(restoreDomain(zones.session(by), { zone: name }))).toEqual(["REVIEW_REQUIRED"]);
  expect((await restoreDomain(zones.session(by), { zone: name }, { dryRun: true })).added.length).toBeGreaterThan(0);
  expect((await restoreDomain(zones.session(), { zone: name })).domain?.review).toBe("CHANGE_SET");
  await updateUser(zones.session(by), userId, { review: ONE });
  for (const who of [by, administrator]) {
    const { code, message } = await refusalOf(createDomain(zones.session(who), userId, other));
    expect(code).toBe("REVIEW_REQUIRED");
    expect(message).toContain(`userId: "${userId}", add: […] } }]`);
    expect(message).toContain(`changeset stage ID ${other} --create --user ${userId} --add "OWNER TTL TYPE DATA";`);
    const text = ["@ SOA ns1.example.net. hostmaster.example.net. 1 2 3 4 5\n@ NS ns1.example.net.\n"];
    const imported = importZone(zones.session(who), { zone: other, userId, mode: "REPLACE", text });
    expect(await reasonsOf(imported)).toEqual(["REVIEW_REQUIRED"]);
  }
  const deletion = deleteUser(zones.session(administrator), userId, { fate: "DELETE" });
  expect(await reasonsOf(deletion)).toEqual(["REVIEW_REQUIRED"]);
});

test("the owner of a zone can make its review stricter, and only an administrator can relax it", async () => {
  const userId = await newUser();
  const [by, zone] = [actorOf(userId), `strict${made}.example.org`];
  await createDomain(zones.session(by), userId, zone);
  const set = (who: Actor, review: ReviewPolicy | null) =>
    demand(zone, review, who).then(
      () => "done",
      (error) => error.code,
    );
  const user = (who: Actor, edits: Parameters<typeof updateUser>[2]) => updateUser(zones.session(who), userId, edits);
  for (const [review, outcome] of [
    [ONE, "done"],
    [CHANGE_SET, "FORBIDDEN"],
    [null, "FORBIDDEN"],
    [TWO, "done"],
  ] as const)
    expect([review, await set(by, review)]).toEqual([review, outcome]);
  await user(by, { review: TWO });
  // As strict as its owner, it may as well say nothing itself.
  expect([await set(by, null), await set(by, NONE), await set(administrator, NONE)]).toEqual([
    ...["done", "FORBIDDEN", "done"],
  ]);
  expect(await reasonsOf(user(by, { review: ONE }))).toEqual(["FORBIDDEN"]);
  expect((await user(administrator, { review: NONE })).review).toBe("NONE");
  expect(await reasonsOf(user({ ...by, zones: [zone] }, { review: TWO }))).toEqual(["FORBIDDEN"]);
  expect(await reasonsOf(user(by, { reviewerIds: [] }))).toEqual(["FORBIDDEN"]);
  expect(await reasonsOf(user(owner(), { review: TWO }))).toEqual(["NOT_FOUND id"]);
  expect(await drift(zones)).toEqual([]);
});

test("a set needs as many approvals as the strictest of its zones demands, or its author requests", async () => {
  const [free, one, two] = [await zones.zone(), await zones.zone(), await zones.zone()];
  await demand(one, ONE);
  await demand(two, TWO);
  const author = await zones.keyOf();
  const cases: [string[], number, number][] = [
    [[free], 0, 0],
    [[free, one], 0, 1],
    [[free, one], 2, 2],
    [[two, one, free], 1, 2],
  ];
  for (const [names, requestedApprovals, needed] of cases) {
    const set = await staged(author, names, requestedApprovals);
    expect((await needsOf(zones.session(), set)).approvals).toBe(needed);
    if (needed > 0) expect(await reasonsOf(zones.apply(set, author))).toEqual(["WRONG_STATE id"]);
  }
  const set = await submitted(author, free, two);
  for (const state of ["IN_REVIEW", "APPROVED"])
    expect((await zones.review(set, await zones.keyOf())).state).toBe(state);
  expect((await zones.apply(set, author)).state).toBe("APPLIED");
});

test("a set that was approved waits for more approvals once a zone demands them", async () => {
  const [zone, author] = [await zones.zone(), await zones.keyOf()];
  const set = await submitted(author, zone);
  expect((await zones.current(set)).state).toBe("APPROVED");
  await demand(zone, ONE);
  expect(await reasonsOf(zones.apply(set, author))).toEqual(["STALE_CHANGE_SET id"]);
  expect((await zones.current(set)).state).toBe("IN_REVIEW");
  await zones.review(set, await zones.keyOf());
  expect((await zones.apply(set, author)).state).toBe("APPLIED");
});

test("a reviewer named by an administrator may review, and may do nothing else", async () => {
  const [zone, author] = [await zones.zone(), await zones.keyOf()];
  await demand(zone, ONE);
  const reviewerId = await newUser();
  const [reviewer, stranger] = [await zones.keyOf(reviewerId), await zones.keyOf(await newUser())];
  const set = await submitted(author, zone);
  const { id } = set;
  const name = (reviewerIds: number[]) => updateUser(zones.session(administrator), zones.userId, { reviewerIds });
  expect(await reasonsOf(zones.review(set, reviewer))).toEqual(["NOT_FOUND id"]);
  await name([reviewerId]);
  expect(await reasonsOf(zones.review(set, stranger))).toEqual(["NOT_FOUND id"]);
  const session = () => zones.session(reviewer);
  expect((await listChangeSets(session(), { zone }, { first: 10 })).rows.map((row) => row.id)).toEqual([id]);
  const seen = await changeSetById(session(), id);
  const { zones: previewed } = await previewChangeSet(session(), seen);
  expect(previewed).toMatchObject([{ addedCount: 1, conflicts: [] }]);
  expect(await availableActions(session(), seen)).toEqual(["COMMENT", "APPROVE", "REQUEST_CHANGES"]);
  await commentChangeSet(session(), id, "looks right");
  for (const step of [
    stageChanges(session(), id, { zones: [{ delete: { zone } }] }),
    submitChangeSet(session(), id),
    cancelChangeSet(session(), id),
    applyChangeSet(session(), id, "x"),
  ])
    expect(await reasonsOf(step)).toEqual(["FORBIDDEN id"]);
  expect(await reasonsOf(zones.review(set, { ...reviewer, readOnly: true }))).toEqual(["FORBIDDEN"]);
  expect((await zones.review(set, reviewer)).state).toBe("APPROVED");
  // What somebody approved who may not review any more does not count.
  await name([]);
  expect(await reasonsOf(zones.apply(set, author))).toEqual(["STALE_CHANGE_SET id"]);
  expect(await reasonsOf(changeSetById(session(), id))).toEqual(["NOT_FOUND id"]);
});
