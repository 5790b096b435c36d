/**
 * Applies a change set in mode ALL: one transaction locks every zone in the order of their names and stores all changes. All zones change
 * or no zone changes, and only when the effect has the expected fingerprint. The zones are checked before they are locked, as in the
 * preview; zones that changed meanwhile are checked again under the lock. Others thus wait only for the storing. Also begins an application
 * in mode EACH_ZONE, which zone-by-zone.ts continues.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { inSnapshot, transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeSet, type ChangeSetRow, ChangeSetZone, changeSetById } from "../change-set.ts";
import { type CheckedZone, fingerprintOf, refuseWhatIsInTheWay } from "../check/check-zone.ts";
import { type Preview, previewUnshown } from "../check/preview.ts";
import { withinQuotas } from "../check/within-quotas.ts";
import { rowsOfZones, zonesInPieces } from "../contents.ts";
import {
  addEvent,
  emptySet,
  expectRevision,
  expectState,
  isEditable,
  lockOwnSet,
  staleEffect,
  unapprovedEffect,
  updateSet,
  withoutSchedule,
} from "../events.ts";
import { needsOf } from "../needed-approvals.ts";
import { appliableStates, reviewOf } from "../review/review.ts";
import { whileApproved } from "../review/send-back.ts";
import { ChangeSetEventKind, ChangeSetMode, ChangeSetState, OnMissed } from "../states.ts";
import { asLookedAt } from "./as-previewed.ts";
import { checkEarly, type LockedZones, lockAndCheck, noteOutcomes, storeZones } from "./locked-zones.ts";

const s = table(ChangeSet, "s");

const lockTimeout = "5s";

/**
 * Applies a set. Throws STALE_CHANGE_SET when its effect has another fingerprint or too few approvals. In mode EACH_ZONE it returns when
 * all zones have an outcome, or after `waitMs`.
 */
export async function applyChangeSet(
  session: Session,
  id: number,
  expectedFingerprint: string,
  { waitMs = 10_000, gone }: { readonly waitMs?: number; readonly gone?: AbortSignal } = {},
): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  const read = await changeSetById(session, id);
  if (read.mode === ChangeSetMode.EACH_ZONE) return applyEach(session, id, expectedFingerprint, { waitMs, gone });
  let early = await checkAllEarly(session, id, appliableStates(0));
  const run = async (outer: Session) => {
    // The working copies of a failed run contain what it stored: a retry must not use them.
    const before = early;
    early = undefined;
    const set = await lockOwnSet(outer, id);
    expectState(set, appliableStates((await needsOf(outer, set)).approvals));
    if (set.mode !== read.mode) expectRevision(set, read.revision);
    const checked = await lockAndCheckAll(outer, set, before);
    const fingerprint = fingerprintOf(checked.zones);
    if (!(await isApproved(outer, set, fingerprint))) throw unapprovedEffect(set, fingerprint);
    if (fingerprint !== expectedFingerprint) throw staleEffect(set, fingerprint, "expectedFingerprint");
    await storeAll(outer, set, checked);
    return changeSetById(outer, id);
  };
  return whileApproved(session, read, () => transaction(session, run));
}

/**
 * Applies a set at its scheduled time; `session` is that of the key that scheduled it. Does nothing when the set is no longer as it was
 * read. Skips the set when it is later than the grace period and its schedule says SKIP.
 */
export async function applyScheduled(session: Session, due: ChangeSetRow): Promise<void> {
  mayWrite(session.actor);
  const isEach = due.mode === ChangeSetMode.EACH_ZONE;
  const preview = isEach ? await previewUnshown(session, due) : undefined;
  let early = isEach ? undefined : await checkAllEarly(session, due.id, [ChangeSetState.SCHEDULED]);
  await transaction(session, async (outer) => {
    const before = early;
    early = undefined;
    const set = await lockOwnSet(outer, due.id);
    const lateBy = await latenessOf(outer, set);
    if (set.state !== ChangeSetState.SCHEDULED || set.scheduledByKeyId !== due.scheduledByKeyId || lateBy < 0) return;
    if (lateBy > session.policy.changeSetLimits.graceSeconds && set.onMissed === OnMissed.SKIP) {
      await updateSet(outer, set, { state: ChangeSetState.APPROVED, ...withoutSchedule });
      return addEvent(outer, set, ChangeSetEventKind.MISSED);
    }
    const checked = preview ?? (await lockAndCheckAll(outer, set, before));
    const fingerprint = fingerprintOf(checked.zones);
    const isAsScheduled = fingerprint === set.scheduledFingerprint;
    if (!isAsScheduled || !(await isApproved(outer, set, fingerprint))) throw staleEffect(set, fingerprint, "id");
    if ("session" in checked) await storeAll(outer, set, checked);
    else await beginEach(outer, set, checked);
  });
}

/** The seconds since `applyAt`, by the clock of the database; -1 without a schedule. */
async function latenessOf(session: Session, { id }: ChangeSetRow): Promise<number> {
  const query = sql<{ lateBy: number | null }>`
    select extract(epoch from clock_timestamp() - ${s.applyAt})::float8 as "lateBy" from ${s} where ${s.id} = ${id}`;
  return (await query.run(session))[0]?.lateBy ?? -1;
}

/** Whether the effect has enough approvals. The zones are locked, so that their demands cannot change. */
async function isApproved(session: Session, set: ChangeSetRow, fingerprint: string): Promise<boolean> {
  return (await reviewOf(session, set)).approvalOf(fingerprint).isEnough;
}

/** Zones that were checked without a lock, and the revision of the set then. */
interface EarlyCheck {
  readonly revision: number;
  readonly zones: readonly CheckedZone[];
}

/**
 * Checks the edited zones of a set in one snapshot, without a lock; undefined when the actor may not edit the set or its state does not
 * fit.
 */
async function checkAllEarly(
  session: Session,
  id: number,
  states: readonly ChangeSetState[],
): Promise<EarlyCheck | undefined> {
  const set = await changeSetById(session, id);
  if (!isEditable(session.actor, set) || !states.includes(set.state)) return undefined;
  return inSnapshot(session, async (inner) => {
    const zones: CheckedZone[] = [];
    // An application shows no lines.
    for await (const parts of zonesInPieces(inner, id))
      for (const zone of await checkEarly(inner, set, parts)) zones.push({ ...zone, rrsets: [] });
    return { revision: set.revision, zones };
  });
}

/** Locks the zones of a set and checks each; throws when one cannot be changed or a quota would be exceeded. */
async function lockAndCheckAll(
  session: Session,
  set: ChangeSetRow,
  before: EarlyCheck | undefined,
): Promise<LockedZones> {
  const rows = await rowsOfZones(session, set.id);
  if (rows.length === 0) throw emptySet(set.id);
  const early = before?.revision === set.revision ? before.zones : [];
  const locked = await lockAndCheck(session, set, rows, { early, lockTimeout, isOneMoment: true });
  const zones = await withinQuotas(session, locked.zones, set.mode);
  refuseWhatIsInTheWay(zones);
  return { ...locked, zones };
}

/** Stores the checked zones, and their outcomes in the set. */
async function storeAll(session: Session, set: ChangeSetRow, locked: LockedZones): Promise<void> {
  await noteOutcomes(session, set.id, await storeZones(locked, locked.zones));
  await updateSet(session, set, {
    state: ChangeSetState.APPLIED,
    appliedAt: locked.session.now(),
    appliedBy: session.actor.name,
    failure: null,
  });
  await addEvent(session, set, ChangeSetEventKind.APPLIED);
}

const z = table(ChangeSetZone, "z");

/** How long the client of an application waits for the zones. */
export interface Patience {
  readonly waitMs: number;
  /** Aborted when the client has left. */
  readonly gone?: AbortSignal | undefined;
}

/** Begins the application of a set in mode EACH_ZONE. Returns when all zones have an outcome, or after `waitMs`. */
export async function applyEach(
  session: Session,
  id: number,
  expectedFingerprint: string,
  patience: Patience,
): Promise<ChangeSetRow> {
  const set = await asLookedAt(session, id, expectedFingerprint, beginEach);
  return whenOver(session, set, patience);
}

/** Makes a locked set APPLYING, and stores the effect on each zone that was previewed. */
export async function beginEach(session: Session, set: ChangeSetRow, { zones, fingerprint }: Preview): Promise<void> {
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

async function whenOver(session: Session, begun: ChangeSetRow, { waitMs, gone }: Patience): Promise<ChangeSetRow> {
  const end = performance.now() + waitMs;
  for (let set = begun, wait = firstLookMs; ; wait = Math.min(wait * lookGrowth, maxLookMs)) {
    const left = end - performance.now();
    if (set.state !== ChangeSetState.APPLYING || left <= 0 || gone?.aborted) return set;
    await sleep(Math.min(wait, left), undefined, { signal: gone }).catch(() => {});
    set = await changeSetById(session, set.id);
  }
}
