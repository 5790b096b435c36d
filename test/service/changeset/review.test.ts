/** Review of change sets: who may give which verdict in which state, and that no set is applied without its approvals. */
import { describe, expect, test } from "@jest/globals";
import { personsOf } from "../../../src/account/api-key.ts";
import { approvalsOf, ReviewPolicy } from "../../../src/account/review-policy.ts";
import { applyDueSets } from "../../../src/changeset/apply/due-sets.ts";
import { unscheduleChangeSet } from "../../../src/changeset/apply/schedule.ts";
import { type ChangeSetRow, changeSetById } from "../../../src/changeset/change-set.ts";
import { eventsOfSet } from "../../../src/changeset/contents.ts";
import {
  availableActions,
  commentChangeSet,
  reviewChangeSet,
  reviewOf,
  submitChangeSet,
  withdrawChangeSet,
} from "../../../src/changeset/review/review.ts";
import { cancelChangeSet, createChangeSet, stageChanges, updateChangeSet } from "../../../src/changeset/stage/stage.ts";
import { Verdict } from "../../../src/changeset/states.ts";
import { Refusal } from "../../../src/errors.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { updateDomain } from "../../../src/zone/lifecycle/update-domain.ts";
import fc, { runs } from "../../setup/basics/property.ts";
import { adding, quiet, testChangeSets } from "../../setup/zones/change-sets.ts";
import { actorOf, policy, reasonsOf, refusalOf } from "../../setup/zones/session.ts";

const zones = testChangeSets();

/** A set of an author that adds a record to a zone of its own. */
async function setOf(author: Actor, requestedApprovals: number): Promise<ChangeSetRow & { zone: string }> {
  const zone = await zones.zone("web A 192.0.2.1");
  const session = zones.session(author, { changeSetLimits: { ...policy.changeSetLimits, open: 100_000 } });
  const parts = [adding(zone, "web A 192.0.2.2")];
  return { ...(await createChangeSet(session, { title: "t", requestedApprovals, zones: parts })), zone };
}

const submit = (by: Actor, { id }: { id: number }) => submitChangeSet(zones.session(by), id);
const stage = (by: Actor, { id, zone }: { id: number; zone: string }, line: string, append = false) =>
  stageChanges(zones.session(by), id, { zones: [{ edit: { ...adding(zone, line).edit, append } }] });
const approvals = async (set: { id: number }) =>
  (await reviewOf(zones.session(), await zones.current(set))).approvalOf().given;

test("a person is a key with the keys that it made, and those that these made", async () => {
  const [one, other] = [await zones.keyOf(), await zones.keyOf()];
  const child = await zones.keyOf(zones.userId, one);
  const ids = [one, other, child, await zones.keyOf(zones.userId, child)].map(({ keyId }) => keyId as number);
  const persons = await personsOf(zones.session(), ids);
  expect(ids.map((id) => persons.get(id))).toEqual([ids[0], ids[1], ids[0], ids[0]]);
});

describe("a set that needs approvals", () => {
  test("is applied when persons other than its author have approved its effect", async () => {
    const [author, second, third] = [await zones.keyOf(), await zones.keyOf(), await zones.keyOf()];
    const set = await setOf(author, 2);
    expect(await reasonsOf(zones.apply(set, author))).toEqual(["WRONG_STATE id"]);
    expect((await submit(author, set)).state).toBe("IN_REVIEW");
    expect(await reasonsOf(zones.apply(set, author))).toEqual(["WRONG_STATE id"]);
    for (const own of [author, await zones.keyOf(zones.userId, author)])
      expect(await reasonsOf(zones.review(set, own))).toEqual(["FORBIDDEN"]);
    expect((await zones.review(set, second)).state).toBe("IN_REVIEW");
    expect((await zones.review(set, await zones.keyOf(zones.userId, second))).state).toBe("IN_REVIEW");
    expect((await zones.review(set, third)).state).toBe("APPROVED");
    expect((await zones.apply(set, author)).state).toBe("APPLIED");
    const approved = ["APPROVED", "APPROVED", "APPROVED"];
    expect(await zones.events(set)).toEqual(["CREATED", "SUBMITTED", ...approved, "APPLIED"]);
  });

  test("must be approved again once something else is staged, also by those who approved it", async () => {
    const [author, second] = [await zones.keyOf(), await zones.keyOf()];
    const set = await setOf(author, 1);
    await submit(author, set);
    await zones.review(set, second);
    expect(await stage(author, set, "x A 192.0.2.1", true)).toMatchObject({ state: "IN_REVIEW", revision: 2 });
    expect(await approvals(set)).toBe(0);
    expect((await zones.review(set, second)).state).toBe("APPROVED");
    // Who stages in a set writes it too.
    await stage(second, set, "y A 192.0.2.1");
    expect(await reasonsOf(zones.review(set, second))).toEqual(["FORBIDDEN"]);
  });

  test("must be approved again once its effect has changed, and its application says so", async () => {
    const [author, second] = [await zones.keyOf(), await zones.keyOf()];
    const { zone, ...set } = await setOf(author, 1);
    await submit(author, set);
    await zones.review(set, second);
    await zones.add(zone, "elsewhere A 192.0.2.1");
    await zones.add(zone, "web A 192.0.2.7");
    const before = await zones.state(zone);
    expect(await approvals(set)).toBe(1);
    const { code, message } = await refusalOf(zones.apply(set, author));
    expect([code, message]).toEqual(["STALE_CHANGE_SET", expect.stringContaining("is in review again, and needs new")]);
    expect(await zones.state(zone)).toEqual(before);
    expect((await zones.current(set)).state).toBe("IN_REVIEW");
    expect(await approvals(set)).toBe(0);
    expect((await zones.review(set, second)).state).toBe("APPROVED");
    expect((await zones.apply(set, author)).state).toBe("APPLIED");
  });

  test("waits for changes until the person who requested them approves, or something else is staged", async () => {
    const [author, second, third] = [await zones.keyOf(), await zones.keyOf(), await zones.keyOf()];
    const set = await setOf(author, 1);
    await submit(author, set);
    expect((await zones.review(set, second, Verdict.REQUEST_CHANGES)).state).toBe("DRAFT");
    expect((await submit(author, set)).state).toBe("IN_REVIEW");
    expect((await zones.review(set, third)).state).toBe("IN_REVIEW");
    expect((await zones.review(set, second)).state).toBe("APPROVED");
  });

  test("is reviewed only with the fingerprint of its present effect", async () => {
    const [author, second] = [await zones.keyOf(), await zones.keyOf()];
    const { zone, ...set } = await setOf(author, 1);
    await submit(author, set);
    const { fingerprint } = await zones.preview(set);
    await zones.add(zone, "web A 192.0.2.7");
    const review = reviewChangeSet(zones.session(second), set.id, {
      verdict: Verdict.APPROVE,
      expectedFingerprint: fingerprint,
    });
    expect(await reasonsOf(review)).toEqual(["STALE_CHANGE_SET expectedFingerprint"]);
  });
});

test("a set is submitted only when it can be applied and is not empty", async () => {
  const [author, zone] = [await zones.keyOf(), await zones.zone("web A 192.0.2.1")];
  const set = await zones.stage([adding(zone, "web CNAME x")], {}, author);
  expect(await reasonsOf(submit(author, set))).toEqual(["RECORD_CONFLICT"]);
  await stageChanges(zones.session(author), set.id, { unstage: [zone] });
  expect(await reasonsOf(submit(author, set))).toEqual(["INVALID_VALUE id"]);
});

test("a set that needs no approval is approved when it is submitted; comments are possible in any state", async () => {
  const author = await zones.keyOf();
  const set = await setOf(author, 0);
  expect((await submit(author, set)).state).toBe("APPROVED");
  expect((await zones.apply(set, author)).state).toBe("APPLIED");
  const comment = (text: string) => commentChangeSet(zones.session(author), set.id, text);
  await comment("well done");
  expect(await reasonsOf(comment(" "))).toEqual(["INVALID_VALUE text"]);
  const { rows } = await eventsOfSet(zones.session(), set.id, {});
  expect(rows.at(-1)).toMatchObject({ kind: "COMMENTED", text: "well done" });
});

test("the available actions are exactly those that succeed, in every state and for every key", async () => {
  const [author, second] = [await zones.keyOf(), await zones.keyOf()];
  type StagedSet = Awaited<ReturnType<typeof setOf>>;
  const acts: Record<string, (by: Actor, set: StagedSet) => Promise<unknown>> = {
    STAGE: (by, set) => stage(by, set, "web A 192.0.2.2"),
    SUBMIT: submit,
    WITHDRAW: (by, { id }) => withdrawChangeSet(zones.session(by), id),
    APPLY: (by, set) => zones.apply(set, by),
    SCHEDULE: (by, set) => zones.schedule(set, by),
    UNSCHEDULE: (by, { id }) => unscheduleChangeSet(zones.session(by), id),
    CANCEL: (by, { id }) => cancelChangeSet(zones.session(by), id),
    COMMENT: (by, { id }) => commentChangeSet(zones.session(by), id, "text"),
    APPROVE: (by, set) => zones.review(set, by),
    REQUEST_CHANGES: (by, set) => zones.review(set, by, Verdict.REQUEST_CHANGES),
  };
  const approved = async (set: StagedSet) => {
    await submit(author, set);
    return zones.review(set, second);
  };
  const to: Record<string, (set: StagedSet) => Promise<unknown>> = {
    DRAFT: async () => {},
    IN_REVIEW: (set) => submit(author, set),
    APPROVED: approved,
    SCHEDULED: async (set) => zones.schedule(await approved(set), author),
    CANCELLED: ({ id }) => cancelChangeSet(zones.session(author), id),
  };
  for (const [state, bring] of Object.entries(to)) {
    for (const by of [author, second, { ...second, readOnly: true }]) {
      const done: string[] = [];
      let available: string[] = [];
      for (const [action, act] of Object.entries(acts)) {
        const set = await setOf(author, 1);
        await bring(set);
        const seen = await changeSetById(zones.session(by), set.id);
        expect(seen.state).toBe(state);
        available = await availableActions(zones.session(by), seen);
        const isRefused = await act(by, set).then(
          () => false,
          (error) => error instanceof Refusal,
        );
        if (!isRefused) done.push(action);
      }
      expect([state, by.name, done.toSorted()]).toEqual([state, by.name, available.toSorted()]);
    }
  }
});

/** Lets the time of the scheduled sets come, and what the leader does then. */
const letTimeCome = async () => {
  await zones.sql("update change_set set apply_at = now() where state = 'SCHEDULED'");
  await applyDueSets(zones.session(), quiet);
};

test("no sequence of events applies a set without approvals of exactly its effect", async () => {
  const people = [await zones.keyOf(), await zones.keyOf(), await zones.keyOf()];
  const event = fc.record({
    by: fc.nat(2),
    act: fc.constantFrom(
      ...["stage", "submit", "withdraw", "approve", "approve", "request", "foreign", "describe", "raise"],
      ...["schedule", "unschedule", "due", "apply"],
    ),
    last: fc.integer({ min: 3, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 4, maxLength: 12 }),
      fc.integer({ min: 0, max: 2 }),
      fc.constantFrom(...Object.values(ReviewPolicy)),
      async (events, wantedAtFirst, review) => {
        const set = await setOf(people[0] as Actor, wantedAtFirst);
        const { id, zone } = set;
        await updateDomain(zones.session(), zone, { review });
        let needed = Math.max(wantedAtFirst, approvalsOf(review));
        const editors = new Set([0]);
        /** By person, the effect that was approved; of the present revision. */
        let approvals = new Map<number, string>();
        for (const { by, act, last } of events) {
          const actor = people[by] as Actor;
          const [session, owner] = [zones.session(actor), zones.session(actorOf(zones.userId))];
          const { fingerprint: effect } = await zones.preview(set);
          const run: Record<string, () => Promise<unknown>> = {
            stage: () => stage(actor, set, `web A 192.0.2.${last}`),
            submit: () => submit(actor, set),
            withdraw: () => withdrawChangeSet(session, id),
            approve: () => zones.review(set, actor),
            request: () => zones.review(set, actor, Verdict.REQUEST_CHANGES),
            foreign: () => zones.add(zone, `web A 192.0.2.${10 + last}`),
            raise: () => updateDomain(owner, zone, { review: last > 4 ? ReviewPolicy.TWO : ReviewPolicy.ONE }),
            describe: () => updateChangeSet(session, id, { title: `t${last}` }),
            schedule: () => zones.schedule(set, actor),
            unschedule: () => unscheduleChangeSet(session, id),
            due: letTimeCome,
            apply: () => zones.apply(set, actor),
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
          if ((await zones.current(set)).state !== "APPLIED") continue;
          const counted = [...approvals].filter(([person, approved]) => !editors.has(person) && approved === effect);
          expect(counted.length).toBeGreaterThanOrEqual(needed);
          return;
        }
      },
    ),
    { numRuns: runs(15) },
  );
});
