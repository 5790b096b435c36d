/**
 * Applies a change set that was previewed. In mode ALL one transaction locks every zone in the order of their names and stores all changes:
 * all zones change or no zone changes. The checks of the preview hold for zones that have not changed since; the others are checked again
 * under the lock. Others thus wait only for the storing. In mode EACH_ZONE the set becomes APPLYING, and the leader changes its zones
 * (zone-by-zone.ts).
 */
import { setTimeout as sleep } from "node:timers/promises";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeKind } from "../../zone/change.ts";
import { ChangeSet, type ChangeSetRow, ChangeSetZone, changeSetById } from "../change-set.ts";
import { expectApplicable, fingerprintOf } from "../check/check-zone.ts";
import { type Preview, previewUnshown } from "../check/preview.ts";
import { withinQuotas } from "../check/within-quotas.ts";
import { rowsOfZones } from "../contents.ts";
import { reviewOf } from "../review/review.ts";
import { ChangeSetEventKind, ChangeSetMode, ChangeSetState, OnMissed } from "../states.ts";
import { addEvent, lockOwnSet, staleEffect, unapprovedEffect, updateSet, withoutSchedule } from "../steps.ts";
import { asPreviewed } from "./as-previewed.ts";
import { lockAndCheck, noteOutcomes, storeZones } from "./locked-zones.ts";

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
  return whenOver(session, await asPreviewed(session, id, expectedFingerprint, apply), patience);
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
    const isAsScheduled = fingerprint === set.scheduledFingerprint;
    if (!isAsScheduled || !(await isApproved(inner, set, fingerprint))) throw staleEffect(set, fingerprint, "id");
    await apply(inner, set, preview);
  });
}

/** The seconds since `applyAt`, by the clock of the database; -1 without a schedule. */
async function latenessOf(session: Session, { id }: ChangeSetRow): Promise<number> {
  const query = sql<{ lateBy: number | null }>`
    select extract(epoch from clock_timestamp() - ${s.applyAt})::float8 as "lateBy" from ${s} where ${s.id} = ${id}`;
  return (await query.run(session))[0]?.lateBy ?? -1;
}

async function isApproved(session: Session, set: ChangeSetRow, fingerprint: string): Promise<boolean> {
  return (await reviewOf(session, set)).approvalOf(fingerprint).isEnough;
}

function apply(session: Session, set: ChangeSetRow, preview: Preview): Promise<void> {
  return set.mode === ChangeSetMode.ALL ? applyAll(session, set, preview) : beginZoneByZone(session, set, preview);
}

/** How long an application waits for the lock of a zone. */
const lockTimeout = "5s";

async function applyAll(session: Session, set: ChangeSetRow, preview: Preview): Promise<void> {
  const early = preview.zones.filter(({ staged }) => staged.action === ChangeKind.EDIT);
  const rows = await rowsOfZones(session, set.id);
  const locked = await lockAndCheck(session, set, rows, { early, lockTimeout, isOneMoment: true });
  const zones = await withinQuotas(session, locked.zones, set.mode);
  expectApplicable(zones);
  const fingerprint = fingerprintOf(zones);
  // The zones are locked, so the approvals that they demand cannot change until the set is applied.
  if (!(await isApproved(session, set, fingerprint))) throw unapprovedEffect(set, fingerprint);
  if (fingerprint !== preview.fingerprint)
    throw staleEffect(set, fingerprint, set.state === ChangeSetState.SCHEDULED ? "id" : "expectedFingerprint");
  await noteOutcomes(session, set.id, await storeZones(locked, zones));
  await updateSet(session, set, {
    state: ChangeSetState.APPLIED,
    appliedAt: locked.session.now(),
    appliedBy: session.actor.name,
    failure: null,
  });
  await addEvent(session, set, ChangeSetEventKind.APPLIED);
}

/** Makes a locked set APPLYING, and stores the effect on each zone that was previewed. */
async function beginZoneByZone(session: Session, set: ChangeSetRow, { zones, fingerprint }: Preview): Promise<void> {
  const rows = zones.map(({ staged: { zone }, fingerprint }) => ({ zone, fingerprint }));
  await sql`
    update ${z} set ${z.names("fingerprint")} = o.fingerprint
    from json_to_recordset(${JSON.stringify(rows)}::json) as o(zone text, fingerprint text)
    where ${z.changeSetId} = ${set.id} and ${z.zone} = o.zone`.run(session);
  const { actor, source } = session;
  const approvals = (await reviewOf(session, set)).approvalOf(fingerprint).given;
  await updateSet(session, set, {
    state: ChangeSetState.APPLYING,
    applying: { keyId: actor.keyId ?? null, door: source, approvals },
    appliedBy: actor.name,
    failure: null,
  });
  await addEvent(session, set, ChangeSetEventKind.APPLYING, { fingerprint });
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
