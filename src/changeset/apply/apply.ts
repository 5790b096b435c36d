/**
 * Applies a change set: in one transaction every zone is locked, in the order of their names, and stored by the one door. So all zones
 * change or none, whenever the service is killed, and only as it was looked at: the fingerprint says as what. The zones are checked before they
 * are locked, as in the preview, and those that changed meanwhile again under the lock, so that others wait for the storing alone.
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

/** How long an application waits for a lock. */
const lockTimeout = "5s";

/**
 * Applies a set, if its effect is the one of this fingerprint, and has the approvals that the set wants. One whose zones change each for itself
 * is answered when it is applied, or after `waitMs`.
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
    // The copies of a run that failed have what it stored.
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
 * Applies a set at its time, by the right of the key that scheduled it, which the session is of. One that is not as it was read, since it was
 * applied, staged or scheduled again, is left alone; one that is later than the grace is left out where its schedule says so.
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

/** How long ago the time of a set was, by the clock of the database, seconds. */
async function latenessOf(session: Session, { id }: ChangeSetRow): Promise<number> {
  const query = sql<{ lateBy: number | null }>`
    select extract(epoch from clock_timestamp() - ${s.applyAt})::float8 as "lateBy" from ${s} where ${s.id} = ${id}`;
  return (await query.run(session))[0]?.lateBy ?? -1;
}

/** Whether enough have approved what a set does. Its zones are locked, so that none demands more by then. */
async function isApproved(session: Session, set: ChangeSetRow, fingerprint: string): Promise<boolean> {
  return (await reviewOf(session, set)).approvalOf(fingerprint).isEnough;
}

/** Zones that were checked without a lock, at a revision of the set. */
interface EarlyCheck {
  readonly revision: number;
  readonly zones: readonly CheckedZone[];
}

/** Checks the zones that a set edits, in one snapshot, before they are locked; undefined when it is not one to apply. */
async function checkAllEarly(
  session: Session,
  id: number,
  states: readonly ChangeSetState[],
): Promise<EarlyCheck | undefined> {
  const set = await changeSetById(session, id);
  if (!isEditable(session.actor, set) || !states.includes(set.state)) return undefined;
  return inSnapshot(session, async (inner) => {
    const zones: CheckedZone[] = [];
    // Nobody is shown the lines of what is applied.
    for await (const parts of zonesInPieces(inner, id))
      for (const zone of await checkEarly(inner, set, parts)) zones.push({ ...zone, rrsets: [] });
    return { revision: set.revision, zones };
  });
}

/** Locks the zones of a set and checks what it would do to each; refuses the set with what is in the way. */
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

/** Stores what was checked, and notes it in the set. */
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

/** How long who applies a set waits for its zones. */
export interface Patience {
  readonly waitMs: number;
  /** Aborted when the client has left. */
  readonly gone?: AbortSignal | undefined;
}

/** Begins the application of a set, if it would do what was looked at; answers when it is over, or not in time. */
export async function applyEach(
  session: Session,
  id: number,
  expectedFingerprint: string,
  patience: Patience,
): Promise<ChangeSetRow> {
  const set = await asLookedAt(session, id, expectedFingerprint, beginEach);
  return whenOver(session, set, patience);
}

/** Begins to apply a locked set as it was looked at. */
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

/** Between two looks at a set that is being applied: at first, then growing to the maximum, ms. */
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
