/**
 * Schedules of change sets: a due set is applied once, as it was previewed, with the rights of the key that scheduled it. A set that cannot
 * be applied goes back, says why, and is not tried again. Untouched sets expire.
 */
import { describe, expect, test } from "@jest/globals";
import { revokeApiKey } from "../../../src/account/api-key.ts";
import { ReviewPolicy } from "../../../src/account/review-policy.ts";
import { applyDueSets, expireSets, ScheduleWatch } from "../../../src/changeset/apply/due-sets.ts";
import { scheduleChangeSet, unscheduleChangeSet } from "../../../src/changeset/apply/schedule.ts";
import type { ChangeSetRow } from "../../../src/changeset/change-set.ts";
import { eventsOfSet } from "../../../src/changeset/contents.ts";
import { pruneSets } from "../../../src/changeset/prune.ts";
import { submitChangeSet } from "../../../src/changeset/review/review.ts";
import { stageChanges } from "../../../src/changeset/stage/stage.ts";
import { OnMissed } from "../../../src/changeset/states.ts";
import { beginTerm, sessionOfTerm } from "../../../src/secondary/record-sightings.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import { updateDomain } from "../../../src/zone/lifecycle/update-domain.ts";
import { adding, appending, quiet, testChangeSets } from "../../setup/zones/change-sets.ts";
import { reasonsOf, refusalOf } from "../../setup/zones/session.ts";

const zones = testChangeSets();
const lookForDue = () => applyDueSets(zones.leader(), quiet);

/** A set that adds a second address to a zone of its own. */
async function setOf(author: Actor, review: ReviewPolicy = ReviewPolicy.NONE): Promise<{ id: number; zone: string }> {
  const zone = await zones.zone("web A 192.0.2.1");
  await updateDomain(zones.session(), zone, { review });
  const { id } = await zones.stage([adding(zone, "web A 192.0.2.2")], {}, author);
  return { id, zone };
}

/** A set of a key of its own, which that key has scheduled. */
async function scheduledSet(more: { onMissed?: OnMissed } = {}) {
  const author = await zones.keyOf();
  const { zone, ...set } = await setOf(author);
  return { zone, set, author, scheduled: await zones.schedule(set, author, more) };
}

/** Lets the time of a set be so many seconds ago. */
const makeDue = ({ id }: { id: number }, ago = 0) =>
  zones.sql("update change_set set apply_at = now() - make_interval(secs => $2) where id = $1", [id, ago]);

/** Makes a set due since so many seconds, and has the leader look, twice. */
async function letTimeCome(set: { id: number }, ago = 0): Promise<ChangeSetRow> {
  await makeDue(set, ago);
  for (let runs = 0; runs < 2; runs += 1) await lookForDue();
  return zones.current(set);
}

const webOf = (zone: string) => zones.lines(zone, /^web /);

test("a set is applied once, at its time and not before, with the name of its author and the source of the service", async () => {
  const { zone, set, author, scheduled } = await scheduledSet();
  expect(scheduled).toMatchObject({ state: "SCHEDULED", onMissed: "APPLY" });
  await lookForDue();
  expect((await zones.current(set)).state).toBe("SCHEDULED");
  const { appliedBy, ...applied } = await letTimeCome(set);
  expect(applied).toMatchObject({ state: "APPLIED", failure: null });
  expect(appliedBy).toMatch(/^k \(/);
  expect(await webOf(zone)).toHaveLength(2);
  expect((await zones.journal(zone)).filter(({ source }) => source === "system")).toMatchObject([
    { actor: author.name },
  ]);
  expect(await zones.events(set)).toEqual(["CREATED", "SCHEDULED", "APPLIED"]);
});

test("a former leader applies no set, and leaves no refusal in the audit", async () => {
  const { zone, set } = await scheduledSet();
  await makeDue(set);
  const refused: unknown[] = [];
  const former = await beginTerm(zones.session());
  await beginTerm(zones.session());
  const session = { ...zones.leader(), refusals: { add: (note: unknown) => void refused.push(note) } };
  await applyDueSets(
    sessionOfTerm(session, former, () => {}),
    quiet,
  );
  expect(refused).toEqual([]);
  expect((await zones.current(set)).state).toBe("SCHEDULED");
  expect(await webOf(zone)).toHaveLength(1);
  await lookForDue();
  expect((await zones.current(set)).state).toBe("APPLIED");
});

test("several leaders at once apply a set once", async () => {
  const { zone, set } = await scheduledSet();
  await makeDue(set);
  await Promise.all(Array.from({ length: 5 }, lookForDue));
  expect((await zones.events(set)).filter((kind) => kind === "APPLIED")).toHaveLength(1);
  expect(await webOf(zone)).toHaveLength(2);
});

test("a time is from ten seconds to a year ahead, by the clock of the database", async () => {
  const author = await zones.keyOf();
  const set = await setOf(author);
  for (const seconds of [-3600, 0, 5, 400 * 86_400])
    expect(await reasonsOf(zones.schedule(set, author, { seconds }))).toEqual(["INVALID_VALUE applyAt"]);
  expect((await zones.current(set)).state).toBe("DRAFT");
});

test("a set is scheduled only when it could be applied as it was previewed, and unscheduling restores its state", async () => {
  const [author, other] = [await zones.keyOf(), await zones.keyOf()];
  const session = () => zones.session(author);
  const { zone, ...set } = await setOf(author, ReviewPolicy.ONE);
  expect(await reasonsOf(zones.schedule(set, author))).toEqual(["WRONG_STATE id"]);
  await submitChangeSet(session(), set.id);
  await zones.review(set, other);
  const stale = { applyAt: await zones.timeIn(60), expectedFingerprint: "another" };
  expect(await reasonsOf(scheduleChangeSet(session(), set.id, stale))).toEqual([
    "STALE_CHANGE_SET expectedFingerprint",
  ]);
  await zones.schedule(set, author);
  expect(await reasonsOf(zones.schedule(set, author))).toEqual(["WRONG_STATE id"]);
  expect(await reasonsOf(zones.apply(set, author))).toEqual(["WRONG_STATE id"]);
  expect(await unscheduleChangeSet(session(), set.id)).toMatchObject({ state: "APPROVED", applyAt: null });
  await zones.schedule(set, author);
  const staged = await stageChanges(session(), set.id, {
    zones: [appending(zone, "more A 192.0.2.2")],
  });
  expect(staged).toMatchObject({ state: "IN_REVIEW", applyAt: null, scheduledFingerprint: null });
  const draft = await setOf(author);
  await zones.schedule(draft, author);
  expect((await unscheduleChangeSet(session(), draft.id)).state).toBe("DRAFT");
});

test("a set whose effect is not the approved one is not scheduled, and must be approved again", async () => {
  const [author, other] = [await zones.keyOf(), await zones.keyOf()];
  const { zone, ...set } = await setOf(author, ReviewPolicy.ONE);
  await submitChangeSet(zones.session(author), set.id);
  await zones.review(set, other);
  const { fingerprint: expectedFingerprint } = await zones.preview(set);
  await zones.add(zone, "web A 192.0.2.7");
  const terms = { applyAt: await zones.timeIn(60), expectedFingerprint };
  const { code, field, message } = await refusalOf(scheduleChangeSet(zones.session(author), set.id, terms));
  expect([code, field, message]).toEqual(["STALE_CHANGE_SET", "id", expect.stringContaining("needs new approvals")]);
  expect(await zones.current(set)).toMatchObject({ state: "IN_REVIEW", failure: { code: "STALE_CHANGE_SET" } });
  await zones.review(set, other);
  expect((await zones.schedule(set, author)).state).toBe("SCHEDULED");
});

describe("a due set goes back, and says why", () => {
  test.each([
    [ReviewPolicy.ONE, "IN_REVIEW"],
    [ReviewPolicy.CHANGE_SET, "DRAFT"],
  ] as const)("to review, or its author, when it would do something else: %s", async (review, state) => {
    const [author, other] = [await zones.keyOf(), await zones.keyOf()];
    const { zone, ...set } = await setOf(author, review);
    await submitChangeSet(zones.session(author), set.id);
    const approve = async () => review === ReviewPolicy.ONE && (await zones.review(set, other));
    await approve();
    await zones.schedule(set, author);
    await zones.add(zone, "web A 192.0.2.7");
    expect(await letTimeCome(set)).toMatchObject({ state, applyAt: null, failure: { code: "STALE_CHANGE_SET" } });
    expect(await webOf(zone)).toHaveLength(2);
    expect((await zones.events(set)).filter((kind) => kind === "FAILED")).toHaveLength(1);
    await approve();
    await zones.schedule(set, author);
    expect(await letTimeCome(set)).toMatchObject({ state: "APPLIED", failure: null });
  });

  test("to review when a zone demands more approvals than the set has", async () => {
    const { zone, set } = await scheduledSet();
    await updateDomain(zones.session(), zone, { review: ReviewPolicy.TWO });
    expect(await letTimeCome(set)).toMatchObject({ state: "IN_REVIEW", failure: { code: "STALE_CHANGE_SET" } });
    expect(await webOf(zone)).toHaveLength(1);
  });

  test.each([
    ["something is in its way", "CHANGE_CONFLICT", 0, (zone: string) => zones.remove(zone)],
    [
      "the key that scheduled it is no longer valid",
      "UNAUTHENTICATED",
      1,
      (_zone: string, { keyId }: Actor) => revokeApiKey(zones.session(), keyId as number),
    ],
  ])("to its author when %s", async (_what, code, left, happens) => {
    const { zone, set, author } = await scheduledSet();
    await happens(zone, author);
    const { state, failure } = await letTimeCome(set);
    expect([state, failure?.code, failure?.reasons.length]).toEqual(["DRAFT", code, 1]);
    expect(await webOf(zone)).toHaveLength(left);
  });
});

test.each([
  [OnMissed.APPLY, 400, "APPLIED", "APPLIED"],
  [OnMissed.SKIP, 400, "APPROVED", "MISSED"],
  [OnMissed.SKIP, 100, "APPLIED", "APPLIED"],
] as const)(
  "a set that no service was there for is applied late, or skipped: %s, %d s",
  async (onMissed, ago, ...ends) => {
    const { zone, set } = await scheduledSet({ onMissed });
    const { state } = await letTimeCome(set, ago);
    expect([state, (await zones.events(set)).at(-1)]).toEqual(ends);
    expect(await webOf(zone)).toHaveLength(state === "APPLIED" ? 2 : 1);
  },
);

/** Lets a set have been touched so many days ago. */
const age = ({ id }: { id: number }, days: number) =>
  zones.sql("update change_set set updated_at = now() - make_interval(days => $2) where id = $1", [id, days]);

test("an untouched set expires, unless it is scheduled or has ended; others continue", async () => {
  const author = await zones.keyOf();
  const [old, scheduled, young] = [await setOf(author), await setOf(author), await setOf(author)];
  await zones.schedule(scheduled, author);
  await zones.sql("update change_set set updated_at = now()");
  for (const [set, days] of [[old, 31] as const, [scheduled, 31] as const, [young, 29] as const]) await age(set, days);
  for (let runs = 0; runs < 2; runs += 1) await expireSets(zones.session());
  const states = await Promise.all([old, scheduled, young].map(async (set) => (await zones.current(set)).state));
  expect(states).toEqual(["EXPIRED", "SCHEDULED", "DRAFT"]);
  expect(await zones.events(old)).toEqual(["CREATED", "EXPIRED"]);
  expect(await reasonsOf(stageChanges(zones.session(author), old.id, {}))).toEqual(["WRONG_STATE id"]);
});

test("a set that ended long ago is removed with its contents, and its changes stay", async () => {
  const author = await zones.keyOf();
  const [old, young, open] = [await setOf(author), await setOf(author), await setOf(author)];
  for (const set of [old, young]) await zones.apply(set, author);
  for (const [set, days] of [[old, 11] as const, [young, 9] as const, [open, 20] as const]) await age(set, days);
  await pruneSets(zones.leader(), 0);
  expect((await zones.current(old)).state).toBe("APPLIED");
  await pruneSets(zones.leader(), 10);
  expect(await reasonsOf(zones.current(old))).toEqual(["NOT_FOUND id"]);
  expect([(await zones.current(young)).state, (await zones.current(open)).state]).toEqual(["APPLIED", "DRAFT"]);
  for (const table of ["change_set_zone", "change_set_edit", "change_set_event"])
    expect(await zones.sql(`select from ${table} where change_set_id = $1`, [old.id])).toEqual([]);
  const statement = 'select zone from "change" where change_set_id = $1';
  expect(await zones.sql(statement, [old.id])).toEqual([{ zone: old.zone }]);
});

const timelineOf = async ({ id }: { id: number }) =>
  (await eventsOfSet(zones.session(), id, { first: 50 })).rows.map(({ kind, text }) => ({ kind, text }));

test("a scheduled set that others are in conflict with says so once, before its time", async () => {
  const { zone, set } = await scheduledSet();
  const watch = new ScheduleWatch();
  const look = () => watch.run(zones.leader());
  await look();
  await zones.add(zone, "mail A 192.0.2.9");
  await look();
  expect((await timelineOf(set)).map(({ kind }) => kind)).toEqual(["CREATED", "SCHEDULED"]);
  await zones.add(zone, "web 60 A 192.0.2.7");
  await look();
  await zones.add(zone, "web 60 A 192.0.2.8");
  await look();
  await new ScheduleWatch().run(zones.leader());
  const warned = (await timelineOf(set)).filter(({ kind }) => kind === "CONFLICTED");
  expect(warned).toEqual([{ kind: "CONFLICTED", text: "It would do something else than what was scheduled." }]);
  expect((await zones.current(set)).state).toBe("SCHEDULED");
});

test("edits of a scheduled set take its schedule away, and say so; zones that are taken out are named", async () => {
  const { zone, set, author } = await scheduledSet();
  const other = await zones.zone();
  const session = zones.session(author);
  const staged = await stageChanges(session, set.id, { zones: [adding(other, "web A 192.0.2.2")] });
  expect(staged).toMatchObject({ state: "DRAFT", applyAt: null });
  expect(staged.notices).toEqual([expect.objectContaining({ code: "SCHEDULE_REMOVED" })]);
  expect((await stageChanges(session, set.id, { unstage: [zone] })).notices).toEqual([]);
  expect((await timelineOf(set)).slice(2)).toEqual([
    { kind: "UNSCHEDULED", text: "Its edits were changed." },
    { kind: "STAGED", text: other },
    { kind: "UNSTAGED", text: zone },
  ]);
});

test("a draft that needs approvals says what to do before it is applied or scheduled", async () => {
  const author = await zones.keyOf();
  const set = await setOf(author, ReviewPolicy.TWO);
  const refusal = await refusalOf(zones.apply(set, author));
  expect(refusal).toMatchObject({ code: "WRONG_STATE", details: { state: "DRAFT", neededStates: ["APPROVED"] } });
  expect(refusal.message).toContain("needs 2 approvals first: submit it for review");
});
