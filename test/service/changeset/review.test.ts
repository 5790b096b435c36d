/**
 * Review of change sets: who may say what of them in which state, and that none is applied without the approvals that it wants.
 */
import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createApiKey, personsOf } from "../../../src/account/api-key.ts";
import { approvalsOf, ReviewPolicy } from "../../../src/account/review-policy.ts";
import { applyChangeSet } from "../../../src/changeset/apply.ts";
import { type ChangeSetRow, changeSetById } from "../../../src/changeset/change-set.ts";
import { eventsOfSet } from "../../../src/changeset/contents.ts";
import { applyDueSets } from "../../../src/changeset/due.ts";
import { previewChangeSet } from "../../../src/changeset/preview.ts";
import {
  commentChangeSet,
  possibleSteps,
  reviewChangeSet,
  reviewOf,
  submitChangeSet,
  withdrawChangeSet,
} from "../../../src/changeset/review.ts";
import { scheduleChangeSet, unscheduleChangeSet } from "../../../src/changeset/schedule.ts";
import { cancelChangeSet, createChangeSet, stageChanges, updateChangeSet } from "../../../src/changeset/stage.ts";
import { Verdict } from "../../../src/changeset/states.ts";
import { Refusal } from "../../../src/errors.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { updateDomain } from "../../../src/zone/edit/update-domain.ts";
import fc from "../../setup/basics/property.ts";
import { actorOf, fieldsOf, policy, reasonsOf, refusalOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const log = pino({ level: "silent" });
const owner = () => actorOf(zones.userId);

/** A key of the user: one that an administrator made, or that another key made. */
async function keyOf(maker?: Actor): Promise<Actor> {
  const { apiKey } = await createApiKey(zones.session(maker), { name: "k", userId: zones.userId });
  return { ...owner(), keyId: apiKey.id, name: `key ${apiKey.id}` };
}

const a = (name: string, last: number) => ({ owner: name, type: "A", rdata: `192.0.2.${last}` });
const fingerprintNow = async (by: Actor, id: number) => {
  const session = zones.session(by);
  return (await previewChangeSet(session, await changeSetById(session, id))).fingerprint;
};

/** A set of an author that adds a record to a zone of its own. */
async function setOf(author: Actor, approvalsWanted: number): Promise<ChangeSetRow & { zone: string }> {
  const zone = await zones.zone("web A 192.0.2.1");
  const input = { title: "t", approvalsWanted, zones: [{ zone, edits: { add: [a("web", 2)] } }] };
  const limits = { changeSetLimits: { ...policy.changeSetLimits, open: 100_000 } };
  return { ...(await createChangeSet(zones.session(author, limits), input)), zone };
}

const approve = async (by: Actor, id: number) =>
  reviewChangeSet(zones.session(by), id, { verdict: Verdict.APPROVE, fingerprint: await fingerprintNow(by, id) });
const demand = async (by: Actor, id: number) =>
  reviewChangeSet(zones.session(by), id, {
    verdict: Verdict.REQUEST_CHANGES,
    fingerprint: await fingerprintNow(by, id),
  });
const apply = async (by: Actor, id: number) => applyChangeSet(zones.session(by), id, await fingerprintNow(by, id));

/** In an hour of the database's clock, which is not that of the sessions. */
const schedule = async (by: Actor, id: number) => {
  const [row] = await zones.sql<{ at: Date }>("select now() + interval '1 hour' as at");
  return scheduleChangeSet(zones.session(by), id, {
    applyAt: row?.at as Date,
    expectedFingerprint: await fingerprintNow(by, id),
  });
};

/** Lets the time of the scheduled sets come, and what the leader does then. */
const letTimeCome = async () => {
  await zones.sql("update change_set set apply_at = now() where state = 'SCHEDULED'");
  await applyDueSets(zones.session(), log);
};

test("a person is a key with the keys that it made, and those that these made", async () => {
  const [one, other] = [await keyOf(), await keyOf()];
  const child = await keyOf(one);
  const grandchild = await keyOf(child);
  const ids = [one, other, child, grandchild].map(({ keyId }) => keyId as number);
  const persons = await personsOf(zones.session(), ids);
  expect(ids.map((id) => persons.get(id))).toEqual([ids[0], ids[1], ids[0], ids[0]]);
});

describe("a set that wants approvals", () => {
  test("is applied when other persons than its author have approved what it does", async () => {
    const [author, second, third] = [await keyOf(), await keyOf(), await keyOf()];
    const { id } = await setOf(author, 2);
    expect(await reasonsOf(apply(author, id))).toEqual([["WRONG_STATE", "id"]]);
    expect((await submitChangeSet(zones.session(author), id)).state).toBe("IN_REVIEW");
    expect(await reasonsOf(apply(author, id))).toEqual([["WRONG_STATE", "id"]]);
    for (const own of [author, await keyOf(author)])
      expect(await reasonsOf(approve(own, id))).toEqual([["FORBIDDEN", undefined]]);
    expect((await approve(second, id)).state).toBe("IN_REVIEW");
    expect((await approve(await keyOf(second), id)).state).toBe("IN_REVIEW");
    expect((await approve(third, id)).state).toBe("APPROVED");
    expect((await apply(author, id)).state).toBe("APPLIED");
    const { rows } = await eventsOfSet(zones.session(), id, {});
    expect(rows.map(({ kind }) => kind)).toEqual([
      "CREATED",
      "SUBMITTED",
      "APPROVED",
      "APPROVED",
      "APPROVED",
      "APPLIED",
    ]);
  });

  test("is to be approved again once something else is staged, also by who approved it", async () => {
    const [author, second] = [await keyOf(), await keyOf()];
    const { id, zone } = await setOf(author, 1);
    await submitChangeSet(zones.session(author), id);
    await approve(second, id);
    const staged = await stageChanges(zones.session(author), id, {
      zones: [{ zone, append: true, edits: { add: [a("x", 1)] } }],
    });
    expect([staged.state, staged.revision]).toEqual(["IN_REVIEW", 2]);
    expect((await reviewOf(zones.session(), staged)).approvalOf().given).toBe(0);
    expect((await approve(second, id)).state).toBe("APPROVED");
    // Who stages in a set writes it too.
    await stageChanges(zones.session(second), id, { zones: [{ zone, edits: { add: [a("y", 1)] } }] });
    expect(await reasonsOf(approve(second, id))).toEqual([["FORBIDDEN", undefined]]);
  });

  test("is to be approved again once it would do something else, and says so when it is applied", async () => {
    const [author, second] = [await keyOf(), await keyOf()];
    const { id, zone } = await setOf(author, 1);
    await submitChangeSet(zones.session(author), id);
    await approve(second, id);
    await changeZone(zones.session(), zone, { add: [fieldsOf("elsewhere A 192.0.2.1")] });
    await changeZone(zones.session(), zone, { add: [fieldsOf("web A 192.0.2.7")] });
    const before = await zones.state(zone);
    const given = async () =>
      (await reviewOf(zones.session(), await changeSetById(zones.session(), id))).approvalOf().given;
    expect(await given()).toBe(1);
    const { code, message } = await refusalOf(apply(author, id));
    expect([code, message]).toEqual(["STALE_CHANGE_SET", expect.stringContaining("is in review again, and must be")]);
    expect(await zones.state(zone)).toEqual(before);
    expect((await changeSetById(zones.session(), id)).state).toBe("IN_REVIEW");
    expect(await given()).toBe(0);
    expect((await approve(second, id)).state).toBe("APPROVED");
    expect((await apply(author, id)).state).toBe("APPLIED");
  });

  test("waits for changes until who asked for them approves, or something else is staged", async () => {
    const [author, second, third] = [await keyOf(), await keyOf(), await keyOf()];
    const { id } = await setOf(author, 1);
    await submitChangeSet(zones.session(author), id);
    expect((await demand(second, id)).state).toBe("DRAFT");
    expect((await submitChangeSet(zones.session(author), id)).state).toBe("IN_REVIEW");
    expect((await approve(third, id)).state).toBe("IN_REVIEW");
    expect((await approve(second, id)).state).toBe("APPROVED");
  });

  test("is reviewed as it was seen alone", async () => {
    const [author, second] = [await keyOf(), await keyOf()];
    const { id, zone } = await setOf(author, 1);
    await submitChangeSet(zones.session(author), id);
    const fingerprint = await fingerprintNow(second, id);
    await changeZone(zones.session(), zone, { add: [fieldsOf("web A 192.0.2.7")] });
    const review = { verdict: Verdict.APPROVE, fingerprint };
    expect(await reasonsOf(reviewChangeSet(zones.session(second), id, review))).toEqual([
      ["STALE_CHANGE_SET", "fingerprint"],
    ]);
  });
});

test("a set is submitted only when nothing is in its way, and not empty", async () => {
  const [author, zone] = [await keyOf(), await zones.zone("web A 192.0.2.1")];
  const alias = { owner: "web", type: "CNAME", rdata: "x" };
  const parts = [{ zone, edits: { add: [alias] } }];
  const { id } = await createChangeSet(zones.session(author), { title: "t", zones: parts });
  expect(await reasonsOf(submitChangeSet(zones.session(author), id))).toEqual([["RECORD_CONFLICT", undefined]]);
  await stageChanges(zones.session(author), id, { unstage: [zone] });
  expect(await reasonsOf(submitChangeSet(zones.session(author), id))).toEqual([["INVALID_VALUE", "id"]]);
});

test("a set that wants none is approved when it is submitted; comments are of any state", async () => {
  const author = await keyOf();
  const { id } = await setOf(author, 0);
  expect((await submitChangeSet(zones.session(author), id)).state).toBe("APPROVED");
  expect((await apply(author, id)).state).toBe("APPLIED");
  await commentChangeSet(zones.session(author), id, "well done");
  expect(await reasonsOf(commentChangeSet(zones.session(author), id, " "))).toEqual([["INVALID_VALUE", "text"]]);
  const { rows } = await eventsOfSet(zones.session(), id, {});
  expect(rows.at(-1)).toMatchObject({ kind: "COMMENTED", text: "well done" });
});

test("what a key may do is what it is let do, in every state and for every key", async () => {
  const [author, second] = [await keyOf(), await keyOf()];
  const acts: Record<string, (by: Actor, id: number, zone: string) => Promise<unknown>> = {
    STAGED: (by, id, zone) => stageChanges(zones.session(by), id, { zones: [{ zone, edits: { add: [a("web", 2)] } }] }),
    SUBMITTED: (by, id) => submitChangeSet(zones.session(by), id),
    WITHDRAWN: (by, id) => withdrawChangeSet(zones.session(by), id),
    APPLIED: apply,
    SCHEDULED: schedule,
    UNSCHEDULED: (by, id) => unscheduleChangeSet(zones.session(by), id),
    CANCELLED: (by, id) => cancelChangeSet(zones.session(by), id),
    COMMENTED: (by, id) => commentChangeSet(zones.session(by), id, "text"),
    APPROVED: approve,
    CHANGES_REQUESTED: demand,
  };
  const to: Record<string, (id: number) => Promise<unknown>> = {
    DRAFT: async () => {},
    IN_REVIEW: (id) => submitChangeSet(zones.session(author), id),
    APPROVED: async (id) => {
      await submitChangeSet(zones.session(author), id);
      await approve(second, id);
    },
    SCHEDULED: async (id) => {
      await submitChangeSet(zones.session(author), id);
      await approve(second, id);
      await schedule(author, id);
    },
    CANCELLED: (id) => cancelChangeSet(zones.session(author), id),
  };
  for (const [state, bring] of Object.entries(to)) {
    for (const by of [author, second, { ...second, readOnly: true }]) {
      const done: string[] = [];
      let can: string[] = [];
      for (const [kind, act] of Object.entries(acts)) {
        const { id, zone } = await setOf(author, 1);
        await bring(id);
        const set = await changeSetById(zones.session(by), id);
        expect(set.state).toBe(state);
        can = await possibleSteps(zones.session(by), set);
        const isRefused = await act(by, id, zone).then(
          () => false,
          (error) => error instanceof Refusal,
        );
        if (!isRefused) done.push(kind);
      }
      expect([state, by.name, done.toSorted()]).toEqual([state, by.name, can.toSorted()]);
    }
  }
});

test("no sequence of events applies a set without the approvals of exactly what it does", async () => {
  const people = [await keyOf(), await keyOf(), await keyOf()];
  const event = fc.record({
    by: fc.nat(2),
    act: fc.constantFrom(
      "stage",
      "submit",
      "withdraw",
      "approve",
      "approve",
      "request",
      "foreign",
      "describe",
      "raise",
      "schedule",
      "unschedule",
      "due",
      "apply",
    ),
    last: fc.integer({ min: 3, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 4, maxLength: 12 }),
      fc.integer({ min: 0, max: 2 }),
      fc.constantFrom(...Object.values(ReviewPolicy)),
      async (events, wantedAtFirst, review) => {
        const { id, zone } = await setOf(people[0] as Actor, wantedAtFirst);
        await updateDomain(zones.session(), zone, { review });
        let needed = Math.max(wantedAtFirst, approvalsOf(review));
        const editors = new Set([0]);
        /** By person, the effect that was approved; of the present revision. */
        let approvals = new Map<number, string>();
        for (const { by, act, last } of events) {
          const actor = people[by] as Actor;
          const session = zones.session(actor);
          const effect = await fingerprintNow(actor, id);
          const run: Record<string, () => Promise<unknown>> = {
            stage: () => stageChanges(session, id, { zones: [{ zone, edits: { add: [a("web", last)] } }] }),
            submit: () => submitChangeSet(session, id),
            withdraw: () => withdrawChangeSet(session, id),
            approve: () => approve(actor, id),
            request: () => demand(actor, id),
            foreign: () => changeZone(zones.session(), zone, { add: [a("web", 10 + last)] }),
            raise: () =>
              updateDomain(zones.session(owner()), zone, { review: last > 4 ? ReviewPolicy.TWO : ReviewPolicy.ONE }),
            describe: () => updateChangeSet(session, id, { title: `t${last}` }),
            schedule: () => schedule(actor, id),
            unschedule: () => unscheduleChangeSet(session, id),
            due: letTimeCome,
            apply: () => apply(actor, id),
          };
          const isDone = await (run[act] as () => Promise<unknown>)().then(
            () => true,
            (error) => {
              if (error instanceof Refusal) return false;
              throw error;
            },
          );
          if (!isDone) continue;
          if (act === "raise") needed = Math.max(needed, last > 4 ? 2 : 1);
          if (act === "stage") editors.add(by);
          if (act === "stage" || act === "describe") approvals = new Map();
          if (act === "request") approvals.delete(by);
          if (act === "approve") approvals.set(by, effect);
          if ((await changeSetById(zones.session(), id)).state !== "APPLIED") continue;
          const counted = [...approvals].filter(([person, approved]) => !editors.has(person) && approved === effect);
          expect(counted.length).toBeGreaterThanOrEqual(needed);
          return;
        }
      },
    ),
    { numRuns: Number(process.env.SETS ?? 15) },
  );
});
