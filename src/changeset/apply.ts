/**
 * Applies a change set: in one transaction every zone is locked, in the order of their names, and stored by the one door. So all zones
 * change or none, whenever the service is killed, and only as it was looked at: the fingerprint says as what. The zones are checked before they
 * are locked, as in the preview, and those that changed meanwhile again under the lock, so that others wait for the storing alone.
 */
import { sql } from "kysely";
import type { Refusal } from "../errors.ts";
import { mayWrite } from "../session/authorization.ts";
import { connection, type Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { transaction } from "../sql/transaction.ts";
import { Change } from "../zone/change.ts";
import type { DomainRow } from "../zone/domain.ts";
import { finishChanges } from "../zone/edit/finish-change.ts";
import { deleteDomain, insertDomain } from "../zone/edit/lifecycle.ts";
import { lockDomains, type Prefetch, StoredZone } from "../zone/edit/stored-zone.ts";
import { ChangeSet, type ChangeSetRow, ChangeSetZone, changeSetById } from "./change-set.ts";
import { type CheckedZone, checkZone, fingerprintOf, refuseWhatIsInTheWay } from "./check-zone.ts";
import { stagedZones } from "./contents.ts";
import {
  addEvent,
  emptySet,
  expectState,
  isEditable,
  lockOwnSet,
  staleEffect,
  updateSet,
  withoutSchedule,
} from "./events.ts";
import { needsOf } from "./needs.ts";
import { appliableStates, reviewOf } from "./review.ts";
import { sendBack } from "./send-back.ts";
import { ChangeSetAction, ChangeSetEventKind, ChangeSetState, OnMissed, ZoneOutcome } from "./states.ts";

const c = table(Change, "c");
const s = table(ChangeSet, "s");
const z = table(ChangeSetZone, "z");

/** Applies a set, if its effect is the one of this fingerprint, and has the approvals that the set wants. */
export async function applyChangeSet(session: Session, id: number, expectedFingerprint: string): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  let unapproved: ChangeSetRow | undefined;
  let early = await checkEarly(session, id, appliableStates(0));
  try {
    return await transaction(session, async (outer) => {
      unapproved = undefined;
      // The copies of a run that failed have what it stored.
      const before = early;
      early = undefined;
      const set = await lockOwnSet(outer, id);
      expectState(set, appliableStates((await needsOf(outer, set)).approvals));
      const checked = await lockAndCheck(outer, set, before);
      const fingerprint = fingerprintOf(checked.zones);
      if (!(await isApproved(outer, set, fingerprint))) {
        unapproved = set;
        throw staleEffect(set, fingerprint, "id");
      }
      if (fingerprint !== expectedFingerprint) throw staleEffect(set, fingerprint, "expectedFingerprint");
      await storeAll(outer, set, checked);
      return changeSetById(outer, id);
    });
  } catch (error) {
    // It waits for approvals of what it does now.
    if (unapproved?.state === ChangeSetState.APPROVED) await sendBack(session, unapproved, error as Refusal);
    throw error;
  }
}

/**
 * Applies a set at its time, by the right of the key that scheduled it, which the session is of. One that is not as it was read, since it was
 * applied, staged or scheduled again, is left alone; one that is later than the grace is left out where its schedule says so.
 */
export async function applyScheduled(session: Session, due: ChangeSetRow): Promise<void> {
  mayWrite(session.actor);
  let early = await checkEarly(session, due.id, [ChangeSetState.SCHEDULED]);
  await transaction(session, async (outer) => {
    const before = early;
    early = undefined;
    const set = await lockOwnSet(outer, due.id);
    const lateBy = await latenessOf(outer, set);
    if (set.state !== ChangeSetState.SCHEDULED || set.scheduledByKeyId !== due.scheduledByKeyId || lateBy < 0) return;
    const isLate = lateBy > session.policy.changeSetLimits.graceSeconds;
    if (isLate && set.onMissed === OnMissed.SKIP) {
      await updateSet(outer, set, { state: ChangeSetState.APPROVED, ...withoutSchedule });
      return addEvent(outer, set, ChangeSetEventKind.MISSED);
    }
    const checked = await lockAndCheck(outer, set, before);
    const fingerprint = fingerprintOf(checked.zones);
    const isAsScheduled = fingerprint === set.scheduledFingerprint;
    if (!isAsScheduled || !(await isApproved(outer, set, fingerprint))) throw staleEffect(set, fingerprint, "id");
    await storeAll(outer, set, checked);
    if (isLate) await updateSet(outer, set, { lateBySeconds: Math.floor(lateBy) });
  });
}

/** How long ago the time of a set was, by the clock of the database, seconds. */
async function latenessOf(session: Session, { id }: ChangeSetRow): Promise<number> {
  const query = sql<{ lateBy: number | null }>`
    select extract(epoch from clock_timestamp() - ${s.applyAt})::float8 as "lateBy" from ${s} where ${s.id} = ${id}`;
  return (await query.execute(connection(session))).rows[0]?.lateBy ?? -1;
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

/** Checks the zones that a set edits, before they are locked; undefined when it is not one to apply. */
async function checkEarly(
  session: Session,
  id: number,
  states: readonly ChangeSetState[],
): Promise<EarlyCheck | undefined> {
  const set = await changeSetById(session, id);
  if (!isEditable(session.actor, set) || !states.includes(set.state)) return undefined;
  const inner = changing(session, set);
  const zones: CheckedZone[] = [];
  for (const staged of await stagedZones(session, id)) {
    if (staged.action !== ChangeSetAction.EDIT) continue;
    zones.push(await checkZone(inner, staged, (prefetch) => StoredZone.read(inner, staged.zone, prefetch), set));
  }
  return { revision: set.revision, zones };
}

/** The session of the changes of a set. */
function changing(session: Session, { id, author, title }: ChangeSetRow): Session {
  return { ...session, ttlChoices: undefined, note: title, changeSet: { id, author } };
}

/** Stores what was checked, and notes it in the set. */
async function storeAll(session: Session, set: ChangeSetRow, { session: changing, zones }: LockedZones): Promise<void> {
  const checked = zones.flatMap(({ checked }) => checked?.change ?? []);
  // They may have been checked before they were locked.
  const at = changing.now();
  const timed = checked.map((change) => ({ ...change, entry: { ...change.entry, at } }));
  const stored = await finishChanges(changing, timed);
  const changes = new Map(stored.map(({ change }) => [change.zone, change.id]));
  for (const { staged } of zones)
    if (staged.action === ChangeSetAction.DELETE)
      changes.set(staged.zone, (await deleteDomain(changing, staged.zone)).id);
  await noteOutcomes(
    session,
    set.id,
    zones.map(({ staged: { zone } }) => ({ zone, change: changes.get(zone) ?? null })),
  );
  await updateSet(session, set, {
    state: ChangeSetState.APPLIED,
    appliedAt: at,
    appliedBy: session.actor.name,
    failure: null,
  });
  await addEvent(session, set, ChangeSetEventKind.APPLIED);
}

/** The zones of a set as they were checked under their locks; `session` is that of its changes. */
interface LockedZones {
  readonly session: Session;
  readonly zones: readonly CheckedZone[];
}

/** A zone with the change that was made of it, if any. */
interface ZoneResult {
  readonly zone: string;
  /** Its id; null where there was nothing to change. */
  readonly change: number | null;
}

/** How long an application waits for a lock. */
const lockTimeout = "5s";

/** Locks the zones of a set and checks what it would do to each; refuses the set with what is in the way. */
async function lockAndCheck(outer: Session, set: ChangeSetRow, before: EarlyCheck | undefined): Promise<LockedZones> {
  const session = changing(outer, set);
  const staged = await stagedZones(outer, set.id);
  if (staged.length === 0) throw emptySet(set.id);
  const early = before?.revision === set.revision ? before.zones : [];
  await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(connection(session));
  for (const { action, userId, zone } of staged)
    if (action === ChangeSetAction.CREATE) await insertDomain(session, userId as number, zone);
  const names = staged.map(({ zone }) => zone);
  const domains = await lockDomains(connection(session), session.actor, names);
  const byZone = new Map(domains.map((domain) => [domain.zone, domain]));
  const at = await timeOfAll(session, domains);
  const timed: Session = { ...session, now: () => at };
  const checked = new Map(early.map((zone) => [zone.staged.zone, zone]));
  const zones: CheckedZone[] = [];
  for (const each of staged) {
    const domain = byZone.get(each.zone);
    const before = checked.get(each.zone);
    const read = async (prefetch: Prefetch) => domain && StoredZone.ofLocked(timed, domain, prefetch);
    zones.push(before && isAsLocked(before, domain) ? before : await checkZone(timed, each, read, set));
  }
  refuseWhatIsInTheWay(zones);
  return { session: timed, zones };
}

/** Whether a zone that was checked before it was locked is still as it was read then: every change raises the serial. */
function isAsLocked({ checked }: CheckedZone, domain: DomainRow | undefined): boolean {
  if (!checked || !domain) return false;
  const { id, serial, userId } = checked.domain;
  return id === domain.id && serial === domain.serial && userId === domain.userId;
}

/** The time of all changes of a set: none of them is before the last change of any of its zones. */
async function timeOfAll(session: Session, domains: readonly DomainRow[]): Promise<Date> {
  const ids = domains.map(({ id }) => id);
  const query = sql<{ last: Date | null }>`
    select max(newest.at) as last from unnest(${ids}::bigint[]) as locked(id) cross join lateral (
      select ${c.createdAt} as at from ${c} where ${c.domainId} = locked.id order by ${c.id} desc limit 1
    ) newest`;
  const { last } = (await query.execute(connection(session))).rows[0] ?? {};
  const now = session.now();
  return last && last > now ? last : now;
}

async function noteOutcomes(session: Session, id: number, results: readonly ZoneResult[]): Promise<void> {
  const rows = results.map(({ zone, change }) => ({
    zone,
    outcome: change ? ZoneOutcome.APPLIED : ZoneOutcome.UNCHANGED,
    change,
  }));
  await sql`
    update ${z} set ${z.names("outcome")} = o.outcome, ${z.names("changeId")} = o.change
    from json_to_recordset(${JSON.stringify(rows)}::json) as o(zone text, outcome text, change bigint)
    where ${z.changeSetId} = ${id} and ${z.zone} = o.zone`.execute(connection(session));
}
