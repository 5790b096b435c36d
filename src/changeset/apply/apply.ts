/**
 * Applies a change set that was previewed, at a request or at its time. Both modes apply batches of zones (apply-batch.ts): mode ALL one batch with
 * all zones, in the transaction that makes the set APPLIED; mode EACH_ZONE many, which the leader applies in turn with other sets (apply-in-turns.ts).
 */
import { setTimeout as sleep } from "node:timers/promises";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeSet, type ChangeSetRow, ChangeSetZone, changeSetById } from "../change-set.ts";
import { expectApplicable } from "../check/check-zone.ts";
import { type Preview, previewUnshown } from "../check/preview.ts";
import { progressOf } from "../contents.ts";
import { reviewOf } from "../review/review.ts";
import { ChangeSetEventKind, ChangeSetMode, ChangeSetState, OnMissed } from "../states.ts";
import { addEvent, lockOwnSet, staleEffect, updateSet, withoutSchedule } from "../steps.ts";
import { applyBatch } from "./apply-batch.ts";
import { withExpectedEffect } from "./expected-effect.ts";

const s = table(ChangeSet, "s");
const z = table(ChangeSetZone, "z");

/** How long the client of an application waits for the zones. */
interface Patience {
  readonly waitMs?: number;
  /** Aborted when the client has left. */
  readonly gone?: AbortSignal;
}

/**
 * Applies a set. Throws STALE_CHANGE_SET when its present effect has a fingerprint other than the expected one, or has too few approvals.
 * In mode EACH_ZONE it returns when all zones have an outcome, or after `waitMs`.
 */
export async function applyChangeSet(
  session: Session,
  id: number,
  expectedFingerprint: string,
  patience: Patience = {},
): Promise<ChangeSetRow> {
  return whenOver(session, await withExpectedEffect(session, id, expectedFingerprint, apply), patience);
}

/**
 * Applies a set at its scheduled time; `session` is that of the key that scheduled it. Does nothing when the set is no longer as it was
 * read. Skips the set when it is later than the grace period and its schedule says SKIP.
 */
export async function applyScheduled(session: Session, due: ChangeSetRow): Promise<void> {
  mayWrite(session.actor);
  const preview = await previewUnshown(session, due);
  await transaction(session, async (inner) => {
    const set = await lockOwnSet(inner, due.id);
    const lateBy = await latenessOf(inner, set);
    if (set.state !== ChangeSetState.SCHEDULED || set.scheduledByKeyId !== due.scheduledByKeyId || lateBy < 0) return;
    if (lateBy > session.policy.changeSetLimits.graceSeconds && set.onMissed === OnMissed.SKIP) {
      await updateSet(inner, set, { state: ChangeSetState.APPROVED, ...withoutSchedule });
      return addEvent(inner, set, ChangeSetEventKind.MISSED);
    }
    const { zones, fingerprint } = preview;
    if (set.mode === ChangeSetMode.ALL) expectApplicable(zones);
    const { isEnough } = (await reviewOf(inner, set)).approvalOf(fingerprint);
    if (fingerprint !== set.scheduledFingerprint || !isEnough) throw staleEffect(set, fingerprint, "id");
    await apply(inner, set, preview);
  });
}

/** The seconds since `applyAt`, by the clock of the database; -1 without a schedule. */
async function latenessOf(session: Session, { id }: ChangeSetRow): Promise<number> {
  const query = sql<{ lateBy: number | null }>`
    select extract(epoch from clock_timestamp() - ${s.applyAt})::float8 as "lateBy" from ${s} where ${s.id} = ${id}`;
  return (await query.run(session))[0]?.lateBy ?? -1;
}

/**
 * Applies a locked set, or begins to: it becomes APPLYING, and each zone gets the fingerprint of its previewed effect. In mode ALL all zones
 * are one batch of this transaction, after which the set is APPLIED; in mode EACH_ZONE the leader applies the batches (apply-in-turns.ts).
 */
async function apply(session: Session, set: ChangeSetRow, { zones, fingerprint }: Preview): Promise<void> {
  const batch = zones.map((zone) => ({ row: { ...zone.staged, fingerprint: zone.fingerprint }, early: zone }));
  const fingerprints = batch.map(({ row: { zone, fingerprint } }) => ({ zone, fingerprint }));
  await sql`
    update ${z} set ${z.names("fingerprint")} = o.fingerprint
    from json_to_recordset(${JSON.stringify(fingerprints)}::json) as o(zone text, fingerprint text)
    where ${z.changeSetId} = ${set.id} and ${z.zone} = o.zone`.run(session);
  const { actor, source } = session;
  const approvals = (await reviewOf(session, set)).approvalOf(fingerprint).given;
  const applying = { keyId: actor.keyId ?? null, door: source, approvals };
  const begun = { state: ChangeSetState.APPLYING, applying, appliedBy: actor.name, failure: null };
  await updateSet(session, set, begun);
  if (set.mode === ChangeSetMode.EACH_ZONE) return addEvent(session, set, ChangeSetEventKind.APPLYING, { fingerprint });
  const at = await applyBatch(session, set, batch);
  await endApplication({ ...session, now: () => at }, { ...set, ...begun });
}

/** Ends the application of a locked set when all its zones have an outcome. */
export async function endApplication(session: Session, set: ChangeSetRow): Promise<void> {
  const { zones, applied, refused } = await progressOf(session, set.id);
  if (set.state !== ChangeSetState.APPLYING || applied + refused < zones) return;
  const isWhole = refused === 0;
  await updateSet(session, set, {
    state: isWhole ? ChangeSetState.APPLIED : ChangeSetState.PARTIAL,
    appliedAt: session.now(),
    applying: null,
  });
  const { actor } = session;
  const keyId = set.applying?.keyId ?? actor.keyId;
  const applier = { ...actor, name: set.appliedBy ?? actor.name, ...(keyId !== undefined && { keyId }) };
  const kind = isWhole ? ChangeSetEventKind.APPLIED : ChangeSetEventKind.PARTIAL;
  const text = isWhole ? "" : `${refused} of ${zones} zones were refused.`;
  await addEvent({ ...session, actor: applier }, set, kind, { text });
}

/** Time between two polls of an application, ms: it grows from the first value to the maximum. */
const [firstLookMs, maxLookMs, lookGrowth] = [25, 500, 1.5];

/** The set when it is no longer APPLYING, or after `waitMs`. */
async function whenOver(
  session: Session,
  begun: ChangeSetRow,
  { waitMs = 10_000, gone }: Patience,
): Promise<ChangeSetRow> {
  const end = performance.now() + waitMs;
  for (let set = begun, wait = firstLookMs; ; wait = Math.min(wait * lookGrowth, maxLookMs)) {
    const left = end - performance.now();
    if (set.state !== ChangeSetState.APPLYING || left <= 0 || gone?.aborted) return set;
    await sleep(Math.min(wait, left), undefined, { signal: gone }).catch(() => {});
    set = await changeSetById(session, set.id);
  }
}
