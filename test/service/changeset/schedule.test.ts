/**
 * Schedules of change sets: what is due is applied once, as it was looked at, by the right of who scheduled it; what cannot be comes back,
 * says why, and is not tried again. And sets that nobody touches end.
 */
import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createApiKey, revokeApiKey } from "../../../src/account/api-key.ts";
import { ReviewPolicy } from "../../../src/account/review-policy.ts";
import { applyChangeSet } from "../../../src/changeset/apply.ts";
import { type ChangeSetRow, changeSetById } from "../../../src/changeset/change-set.ts";
import { eventsOfSet } from "../../../src/changeset/contents.ts";
import { applyDueSets, expireSets } from "../../../src/changeset/due.ts";
import { previewChangeSet } from "../../../src/changeset/preview.ts";
import { reviewChangeSet, submitChangeSet } from "../../../src/changeset/review.ts";
import { scheduleChangeSet, unscheduleChangeSet } from "../../../src/changeset/schedule.ts";
import { createChangeSet, stageChanges } from "../../../src/changeset/stage.ts";
import { OnMissed, Verdict } from "../../../src/changeset/states.ts";
import type { Actor } from "../../../src/session/authorization.ts";
import type { Session } from "../../../src/session/session.ts";
import { changeZone } from "../../../src/zone/edit/change-zone.ts";
import { deleteDomain } from "../../../src/zone/edit/lifecycle.ts";
import { updateDomain } from "../../../src/zone/edit/update-domain.ts";
import { actorOf, fieldsOf, reasonsOf, refusalOf, testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const log = pino({ level: "silent" });

const leader = (): Session => ({ ...zones.session(), door: "system" });

async function keyOf(): Promise<Actor> {
  const { apiKey } = await createApiKey(zones.session(), { name: "k", userId: zones.userId });
  return { ...actorOf(zones.userId), keyId: apiKey.id, name: `key ${apiKey.id}` };
}

/** A time of the database's clock, which is not that of the sessions. */
async function timeIn(seconds: number): Promise<Date> {
  const [row] = await zones.sql<{ at: Date }>("select clock_timestamp() + make_interval(secs => $1) as at", [seconds]);
  return row?.at as Date;
}

const setNow = (id: number) => changeSetById(zones.session(), id);
const fingerprintNow = async (id: number) => (await previewChangeSet(zones.session(), await setNow(id))).fingerprint;
const kindsOf = async (id: number) => (await eventsOfSet(zones.session(), id, {})).rows.map(({ kind }) => kind);

async function setOf(author: Actor, review = ReviewPolicy.NONE): Promise<{ id: number; zone: string }> {
  const zone = await zones.zone("web A 192.0.2.1");
  await updateDomain(zones.session(), zone, { review });
  const edits = { add: [fieldsOf("web A 192.0.2.2")] };
  const { id } = await createChangeSet(zones.session(author), { title: "t", zones: [{ zone, edits }] });
  return { id, zone };
}

const schedule = async (by: Actor, id: number, { onMissed = OnMissed.APPLY, seconds = 3600 } = {}) =>
  scheduleChangeSet(zones.session(by), id, {
    applyAt: await timeIn(seconds),
    onMissed,
    expectedFingerprint: await fingerprintNow(id),
  });
const approve = async (by: Actor, id: number) =>
  reviewChangeSet(zones.session(by), id, { verdict: Verdict.APPROVE, fingerprint: await fingerprintNow(id) });

/** Lets the time of a set be so many seconds ago, and has the leader look, twice. */
async function letTimeCome(id: number, secondsAgo = 0): Promise<ChangeSetRow> {
  await zones.sql("update change_set set apply_at = now() - make_interval(secs => $2) where id = $1", [id, secondsAgo]);
  for (let runs = 0; runs < 2; runs += 1) await applyDueSets(leader(), log);
  return setNow(id);
}

const webOf = async (zone: string) => (await zones.lines(zone)).filter((line) => line.startsWith("web "));

test("a set is applied at its time and not before, once, by its author's name and the door of the service", async () => {
  const author = await keyOf();
  const { id, zone } = await setOf(author);
  const scheduled = await schedule(author, id);
  expect(scheduled).toMatchObject({ state: "SCHEDULED", onMissed: "APPLY", lateBySeconds: null });
  await applyDueSets(leader(), log);
  expect((await setNow(id)).state).toBe("SCHEDULED");
  const { state, appliedBy, lateBySeconds, failure } = await letTimeCome(id);
  expect([state, lateBySeconds, failure]).toEqual(["APPLIED", null, null]);
  expect(appliedBy).toMatch(/^k \(/);
  expect(await webOf(zone)).toHaveLength(2);
  expect((await zones.journal(zone)).filter(({ door }) => door === "system")).toMatchObject([{ actor: author.name }]);
  expect(await kindsOf(id)).toEqual(["CREATED", "SCHEDULED", "APPLIED"]);
});

test("several leaders at once apply a set once", async () => {
  const author = await keyOf();
  const { id, zone } = await setOf(author);
  await schedule(author, id);
  await zones.sql("update change_set set apply_at = now() where id = $1", [id]);
  await Promise.all(Array.from({ length: 5 }, () => applyDueSets(leader(), log)));
  expect((await kindsOf(id)).filter((kind) => kind === "APPLIED")).toHaveLength(1);
  expect(await webOf(zone)).toHaveLength(2);
});

test("a time is from ten seconds to a year ahead, by the clock of the database", async () => {
  const author = await keyOf();
  const { id } = await setOf(author);
  for (const seconds of [-3600, 0, 5, 400 * 86_400])
    expect(await reasonsOf(schedule(author, id, { seconds }))).toEqual([["INVALID_VALUE", "applyAt"]]);
  expect((await setNow(id)).state).toBe("DRAFT");
});

test("a set is scheduled when it could be applied, as it was looked at, and unscheduled to where it was", async () => {
  const [author, other] = [await keyOf(), await keyOf()];
  const { id, zone } = await setOf(author, ReviewPolicy.ONE);
  expect(await reasonsOf(schedule(author, id))).toEqual([["WRONG_STATE", "id"]]);
  await submitChangeSet(zones.session(author), id);
  await approve(other, id);
  const stale = { applyAt: await timeIn(60), expectedFingerprint: "another" };
  expect(await reasonsOf(scheduleChangeSet(zones.session(author), id, stale))).toEqual([
    ["STALE_CHANGE_SET", "expectedFingerprint"],
  ]);
  await schedule(author, id);
  expect(await reasonsOf(schedule(author, id))).toEqual([["WRONG_STATE", "id"]]);
  const applied = applyChangeSet(zones.session(author), id, await fingerprintNow(id));
  expect(await reasonsOf(applied)).toEqual([["WRONG_STATE", "id"]]);
  expect(await unscheduleChangeSet(zones.session(author), id)).toMatchObject({ state: "APPROVED", applyAt: null });
  await schedule(author, id);
  const more = { zones: [{ zone, append: true, edits: { add: [fieldsOf("more A 192.0.2.2")] } }] };
  const staged = await stageChanges(zones.session(author), id, more);
  expect(staged).toMatchObject({ state: "IN_REVIEW", applyAt: null, scheduledFingerprint: null });
  const draft = await setOf(author);
  await schedule(author, draft.id);
  expect((await unscheduleChangeSet(zones.session(author), draft.id)).state).toBe("DRAFT");
});

test("a set that would do something else than was approved is not scheduled, and is to be approved again", async () => {
  const [author, other] = [await keyOf(), await keyOf()];
  const { id, zone } = await setOf(author, ReviewPolicy.ONE);
  await submitChangeSet(zones.session(author), id);
  await approve(other, id);
  const approved = await fingerprintNow(id);
  await changeZone(zones.session(), zone, { add: [fieldsOf("web A 192.0.2.7")] });
  const { code, field, message } = await refusalOf(
    scheduleChangeSet(zones.session(author), id, { applyAt: await timeIn(60), expectedFingerprint: approved }),
  );
  expect([code, field, message]).toEqual(["STALE_CHANGE_SET", "id", expect.stringContaining("must be approved again")]);
  expect(await setNow(id)).toMatchObject({ state: "IN_REVIEW", failure: { code: "STALE_CHANGE_SET" } });
  await approve(other, id);
  expect((await schedule(author, id)).state).toBe("SCHEDULED");
});

describe("a set that is due comes back, and says why", () => {
  test("to review, or its author, when it would do something else", async () => {
    const [author, other] = [await keyOf(), await keyOf()];
    for (const [review, state] of [
      [ReviewPolicy.ONE, "IN_REVIEW"],
      [ReviewPolicy.CHANGE_SET, "DRAFT"],
    ] as const) {
      const { id, zone } = await setOf(author, review);
      await submitChangeSet(zones.session(author), id);
      if (review === ReviewPolicy.ONE) await approve(other, id);
      await schedule(author, id);
      await changeZone(zones.session(), zone, { add: [fieldsOf("web A 192.0.2.7")] });
      const came = await letTimeCome(id);
      expect(came).toMatchObject({ state, applyAt: null, failure: { code: "STALE_CHANGE_SET" } });
      expect(await webOf(zone)).toHaveLength(2);
      expect((await kindsOf(id)).filter((kind) => kind === "FAILED")).toHaveLength(1);
      if (review === ReviewPolicy.ONE) await approve(other, id);
      await schedule(author, id);
      expect(await letTimeCome(id)).toMatchObject({ state: "APPLIED", failure: null });
    }
  });

  test("to review when a zone demands more approvals than it has", async () => {
    const author = await keyOf();
    const { id, zone } = await setOf(author);
    await schedule(author, id);
    await updateDomain(zones.session(), zone, { review: ReviewPolicy.TWO });
    expect(await letTimeCome(id)).toMatchObject({ state: "IN_REVIEW", failure: { code: "STALE_CHANGE_SET" } });
    expect(await webOf(zone)).toHaveLength(1);
  });

  test("to its author when something is in its way, or the key that scheduled it works no more", async () => {
    const author = await keyOf();
    const gone = await setOf(author);
    await schedule(author, gone.id);
    await deleteDomain(zones.session(), gone.zone);
    const conflict = await letTimeCome(gone.id);
    expect(conflict).toMatchObject({ state: "DRAFT", failure: { code: "CHANGE_CONFLICT" } });
    expect(conflict.failure?.reasons).toHaveLength(1);
    const { id, zone } = await setOf(author);
    await schedule(author, id);
    await revokeApiKey(zones.session(), author.keyId as number);
    expect(await letTimeCome(id)).toMatchObject({ state: "DRAFT", failure: { code: "UNAUTHENTICATED" } });
    expect(await webOf(zone)).toHaveLength(1);
  });
});

test("a set that no service was there for is applied late, or skipped, as its schedule says", async () => {
  const author = await keyOf();
  for (const [onMissed, secondsAgo, state, kind] of [
    [OnMissed.APPLY, 400, "APPLIED", "APPLIED"],
    [OnMissed.SKIP, 400, "APPROVED", "MISSED"],
    [OnMissed.SKIP, 100, "APPLIED", "APPLIED"],
  ] as const) {
    const { id, zone } = await setOf(author);
    await schedule(author, id, { onMissed });
    const set = await letTimeCome(id, secondsAgo);
    expect([set.state, (await kindsOf(id)).at(-1), (await webOf(zone)).length]).toEqual([
      state,
      kind,
      state === "APPLIED" ? 2 : 1,
    ]);
    if (onMissed === OnMissed.APPLY) expect(set.lateBySeconds).toBeGreaterThanOrEqual(secondsAgo);
    else expect(set.lateBySeconds).toBeNull();
  }
});

test("a set that nobody touches ends, unless it is scheduled or over; others go on", async () => {
  const author = await keyOf();
  const old = await setOf(author);
  const [scheduled, young] = [await setOf(author), await setOf(author)];
  await schedule(author, scheduled.id);
  const ago = (id: number, days: number) =>
    zones.sql("update change_set set touched_at = now() - make_interval(days => $2) where id = $1", [id, days]);
  await zones.sql("update change_set set touched_at = now()");
  await ago(old.id, 31);
  await ago(scheduled.id, 31);
  await ago(young.id, 29);
  for (let runs = 0; runs < 2; runs += 1) await expireSets(zones.session());
  const states = await Promise.all([old, scheduled, young].map(async ({ id }) => (await setNow(id)).state));
  expect(states).toEqual(["EXPIRED", "SCHEDULED", "DRAFT"]);
  expect(await kindsOf(old.id)).toEqual(["CREATED", "EXPIRED"]);
  expect(await reasonsOf(stageChanges(zones.session(author), old.id, {}))).toEqual([["WRONG_STATE", "id"]]);
});
