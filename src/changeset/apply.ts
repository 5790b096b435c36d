/**
 * Applies a change set: in one transaction every zone is locked, in the order of their names, and stored by the one door. So all zones
 * change or none, whenever the service is killed, and only as it was looked at: the fingerprint says as what. The zones are checked before they
 * are locked, as in the preview, and those that changed meanwhile again under the lock, so that others wait for the storing alone.
 */
import { sql } from "kysely";
import { mayWrite } from "../session/authorization.ts";
import { connection, type Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { transaction } from "../sql/transaction.ts";
import { Change, type ChangeRow } from "../zone/change.ts";
import type { DomainRow } from "../zone/domain.ts";
import { storeCopy } from "../zone/edit/change-zone.ts";
import { deleteDomain, insertDomain } from "../zone/edit/lifecycle.ts";
import { lockDomains, type Prefetch, StoredZone } from "../zone/edit/stored-zone.ts";
import { type ChangeSetRow, ChangeSetZone, changeSetById, lockChangeSet } from "./change-set.ts";
import { type CheckedZone, checkZone, fingerprintOf, refuseWhatIsInTheWay } from "./check-zone.ts";
import { type StagedZone, stagedZones } from "./contents.ts";
import { addEvent, emptySet, expectState, staleEffect, updateSet } from "./events.ts";
import { appliableStates, reviewOf } from "./review.ts";
import { ChangeSetAction, ChangeSetEventKind, ChangeSetState, ZoneOutcome } from "./states.ts";

const c = table(Change, "c");
const z = table(ChangeSetZone, "z");

/** Applies a set, if its effect is the one of this fingerprint, and has the approvals that the set wants. */
export async function applyChangeSet(session: Session, id: number, expectedFingerprint: string): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  let isUnapproved = false;
  let early = await checkEarly(session, id);
  try {
    return await transaction(session, async (outer) => {
      isUnapproved = false;
      // The copies of a run that failed have what it stored.
      const before = early;
      early = undefined;
      const set = await lockChangeSet(outer, id);
      expectState(set, appliableStates(set.approvalsWanted));
      const staged = await stagedZones(outer, id);
      if (staged.length === 0) throw emptySet(id);
      const checked = await lockAndCheck(outer, set, staged, before?.revision === set.revision ? before.zones : []);
      refuseWhatIsInTheWay(checked.zones);
      const fingerprint = fingerprintOf(checked.zones);
      isUnapproved = !(await reviewOf(outer, set)).approvalOf(fingerprint).isEnough;
      if (isUnapproved) throw staleEffect(set, fingerprint, "id");
      if (fingerprint !== expectedFingerprint) throw staleEffect(set, fingerprint, "expectedFingerprint");
      await storeAll(outer, set, checked);
      return changeSetById(outer, id);
    });
  } catch (error) {
    if (isUnapproved) await reviewAgain(session, id);
    throw error;
  }
}

/** Zones that were checked without a lock, at a revision of the set. */
interface EarlyCheck {
  readonly revision: number;
  readonly zones: readonly CheckedZone[];
}

/** Checks the zones that a set edits, before they are locked; undefined when it is not one to apply. */
async function checkEarly(session: Session, id: number): Promise<EarlyCheck | undefined> {
  const set = await changeSetById(session, id);
  if (!appliableStates(set.approvalsWanted).includes(set.state)) return undefined;
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

/** Brings a set back to review, since what was approved is not what it would do. */
function reviewAgain(session: Session, id: number): Promise<void> {
  return transaction(session, async (inner) => {
    const set = await lockChangeSet(inner, id);
    if (set.state === ChangeSetState.APPROVED) await updateSet(inner, set, { state: ChangeSetState.IN_REVIEW });
  });
}

/** Stores what was checked, and notes it in the set. */
async function storeAll(session: Session, set: ChangeSetRow, checked: LockedZones): Promise<void> {
  const results: ZoneResult[] = [];
  for (const zone of checked.zones)
    results.push({ zone: zone.staged.zone, change: await storeZone(checked.session, zone) });
  await noteOutcomes(session, set.id, results);
  const appliedAt = checked.session.now();
  await updateSet(session, set, { state: ChangeSetState.APPLIED, appliedAt, appliedBy: session.actor.name });
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
  readonly change: ChangeRow | null;
}

/** Locks the zones of a set and checks what it would do to each. */
async function lockAndCheck(
  outer: Session,
  set: ChangeSetRow,
  staged: readonly StagedZone[],
  early: readonly CheckedZone[],
): Promise<LockedZones> {
  const session = changing(outer, set);
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
  return { session: timed, zones };
}

/** Whether a zone that was checked before it was locked is still as it was read then: every change raises the serial. */
function isAsLocked({ edited }: CheckedZone, domain: DomainRow | undefined): boolean {
  if (!edited || !domain) return false;
  const { id, serial, userId } = edited.domain;
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

/** Stores the part of a zone; null when there is nothing to change. */
async function storeZone(session: Session, { staged, edited }: CheckedZone): Promise<ChangeRow | null> {
  if (staged.action === ChangeSetAction.DELETE) return deleteDomain(session, staged.zone);
  if (!edited) return null;
  const { undoes, returnsTo } = staged;
  const origin = { ...(undoes !== null && { undoes }), ...(returnsTo !== null && { returnsTo }) };
  return (await storeCopy(session, edited, { origin })).change;
}

async function noteOutcomes(session: Session, id: number, results: readonly ZoneResult[]): Promise<void> {
  const rows = results.map(({ zone, change }) => ({
    zone,
    outcome: change ? ZoneOutcome.APPLIED : ZoneOutcome.UNCHANGED,
    change: change?.id ?? null,
  }));
  await sql`
    update ${z} set ${z.names("outcome")} = o.outcome, ${z.names("changeId")} = o.change
    from json_to_recordset(${JSON.stringify(rows)}::json) as o(zone text, outcome text, change bigint)
    where ${z.changeSetId} = ${id} and ${z.zone} = o.zone`.execute(connection(session));
}
