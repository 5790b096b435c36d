/**
 * Applies a change set: in one transaction every zone is locked, in the order of their names, checked as in the preview, and stored by the one
 * door. So all zones change or none, whenever the service is killed, and only as it was looked at: the fingerprint says as what.
 */
import { sql } from "kysely";
import { type Reason, Refusal } from "../errors.ts";
import { mayWrite } from "../session/authorization.ts";
import { connection, type Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { transaction } from "../sql/transaction.ts";
import { Change, type ChangeRow } from "../zone/change.ts";
import type { DomainRow } from "../zone/domain.ts";
import { storeCopy } from "../zone/edit/change-zone.ts";
import { deleteDomain, insertDomain } from "../zone/edit/lifecycle.ts";
import { lockDomains, StoredZone } from "../zone/edit/stored-zone.ts";
import { type ChangeSetRow, ChangeSetZone, changeSetById, lockChangeSet } from "./change-set.ts";
import { type CheckedZone, checkZone, fingerprintOf, isApplicable } from "./check-zone.ts";
import { type StagedZone, stagedZones } from "./contents.ts";
import { addEvent, expectState, updateSet } from "./events.ts";
import { ChangeSetAction, ChangeSetEventKind, ChangeSetState, ZoneOutcome } from "./states.ts";

const c = table(Change, "c");
const z = table(ChangeSetZone, "z");

/** Applies a set, if its effect is the one of this fingerprint. */
export async function applyChangeSet(session: Session, id: number, expectedFingerprint: string): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  return transaction(session, async (outer) => {
    const set = await lockChangeSet(outer, id);
    expectState(set, [ChangeSetState.DRAFT]);
    const staged = await stagedZones(outer, id);
    if (staged.length === 0)
      throw new Refusal("INVALID_VALUE", `Change set ${id} has no edits; stage some first.`, { field: "id" });
    const checked = await lockAndCheck(outer, set, staged);
    refuseWhatIsInTheWay(checked.zones);
    const fingerprint = fingerprintOf(checked.zones);
    if (fingerprint !== expectedFingerprint) throw staleEffect(set, fingerprint);
    const results: { zone: string; change: ChangeRow | null }[] = [];
    for (const zone of checked.zones)
      results.push({ zone: zone.staged.zone, change: await storeZone(checked.session, zone) });
    await noteOutcomes(outer, id, results);
    const appliedAt = checked.session.now();
    await updateSet(outer, set, { state: ChangeSetState.APPLIED, appliedAt, appliedBy: outer.actor.name });
    await addEvent(outer, set, ChangeSetEventKind.APPLIED);
    return changeSetById(outer, id);
  });
}

/** Locks the zones of a set and checks what it would do to each; `session` is that of its changes. */
async function lockAndCheck(
  outer: Session,
  set: ChangeSetRow,
  staged: readonly StagedZone[],
): Promise<{ readonly session: Session; readonly zones: readonly CheckedZone[] }> {
  const { id, author, title, strictSerials } = set;
  const changeSet = { id, author };
  const session: Session = { ...outer, ttlChoices: undefined, note: title, changeSet };
  for (const { action, userId, zone } of staged)
    if (action === ChangeSetAction.CREATE) await insertDomain(session, userId as number, zone);
  const names = staged.map(({ zone }) => zone);
  const domains = await lockDomains(connection(session), session.actor, names);
  const byZone = new Map(domains.map((domain) => [domain.zone, domain]));
  const at = await timeOfAll(session, domains);
  const timed: Session = { ...session, now: () => at };
  const zones: CheckedZone[] = [];
  for (const each of staged) {
    const domain = byZone.get(each.zone);
    const read = async (prefetch: StoredZonePrefetch) => domain && StoredZone.ofLocked(timed, domain, prefetch);
    zones.push(await checkZone(timed, each, read, { strictSerials }));
  }
  return { session: timed, zones };
}

type StoredZonePrefetch = Parameters<typeof StoredZone.ofLocked>[2];

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

/** Refuses a set that cannot be applied, with what is in its way in each zone. */
function refuseWhatIsInTheWay(zones: readonly CheckedZone[]): void {
  const reasons = zones
    .filter((zone) => !isApplicable(zone))
    .flatMap(({ staged: { zone }, conflicts, refusals }): Reason[] => [
      ...conflicts.map(
        ({ message, owner, type }): Reason => ({
          code: "CHANGE_CONFLICT",
          message: `${zone}: ${message}`,
          ...(owner !== null && { owner }),
          ...(type !== null && { type }),
        }),
      ),
      ...refusals.map((reason) => ({ ...reason, message: `${zone}: ${reason.message}` })),
    ]);
  if (reasons.length > 0) throw Refusal.of(reasons.slice(0, maxReasons));
}

/** Reasons that a refusal holds at most. */
const maxReasons = 100;

function staleEffect({ id }: ChangeSetRow, fingerprint: string): Refusal {
  const message = `expectedFingerprint: change set ${id} would do something else now, since a record that it touches was changed; look at its preview again.`;
  return new Refusal("STALE_CHANGE_SET", message, { field: "expectedFingerprint", details: { fingerprint } });
}

/** Stores the part of a zone; null when there is nothing to change. */
async function storeZone(session: Session, { staged, edited }: CheckedZone): Promise<ChangeRow | null> {
  if (staged.action === ChangeSetAction.DELETE) return deleteDomain(session, staged.zone);
  return edited ? (await storeCopy(session, edited, {})).change : null;
}

async function noteOutcomes(
  session: Session,
  id: number,
  results: readonly { readonly zone: string; readonly change: ChangeRow | null }[],
): Promise<void> {
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
