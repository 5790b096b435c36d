/**
 * The steps of an application for some zones: lock them in the order of their names, check them under the lock, store their changes, and
 * store their outcomes in the same transaction.
 */

import type { Reason } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { piecesOf } from "../../turns/long-work.ts";
import { Change, ChangeKind } from "../../zone/change.ts";
import { type DomainRow, isAsRead, type StoredDomain } from "../../zone/domain.ts";
import { rememberTemplates } from "../../zone/domain-annotations.ts";
import type { CheckedChange } from "../../zone/edit/change-statement.ts";
import { finishChanges } from "../../zone/edit/finish-change.ts";
import { lockDomains, StoredZone } from "../../zone/edit/stored-zone.ts";
import { forgetDeletion } from "../../zone/history/restore.ts";
import { deleteDomain } from "../../zone/lifecycle/domain-lifecycle.ts";
import { type ChangeSetRow, ChangeSetZone } from "../change-set.ts";
import { type CheckedZone, checkZones, type ReadZones, sessionOfSet } from "../check/check-zone.ts";
import { insertZone } from "../check/zone-to-make.ts";
import { type ChangeSetZoneRow, type StagedZone, stagedZones } from "../contents.ts";
import { makesZone, ZoneOutcome } from "../states.ts";

const c = table(Change, "c");
const z = table(ChangeSetZone, "z");

/** Zones that were checked under their locks; `session` is that of their changes. */
export interface LockedZones {
  readonly session: Session;
  readonly zones: readonly CheckedZone[];
  /** The domains by name; domains that the actor does not see are missing. */
  readonly domains: ReadonlyMap<string, StoredDomain>;
}

/** How zones are locked. `early` holds checks that were made without a lock; with `isOneMoment` all changes have the same time. */
interface LockTerms {
  readonly early?: readonly CheckedZone[];
  readonly lockTimeout: string;
  readonly isOneMoment: boolean;
}

/** Locks zones of a set and checks the effect on each. An early check is reused when its zone has not changed since. */
export async function lockAndCheck(
  outer: Session,
  set: ChangeSetRow,
  rows: readonly ChangeSetZoneRow[],
  { early = [], lockTimeout, isOneMoment }: LockTerms,
): Promise<LockedZones> {
  const session = sessionOfSet(outer, set);
  await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.run(session);
  for (const row of rows) if (makesZone(row.action)) await insertZone(session, row);
  const names = rows.map(({ zone }) => zone);
  const domains = await lockDomains(session, session.actor, names);
  const byZone = new Map(domains.map((domain) => [domain.zone, domain]));
  const at = isOneMoment ? await timeOfAll(session, domains) : session.now();
  const timed: Session = { ...session, now: () => at };
  const asLocked = early.filter((zone) => isAsLocked(zone, byZone.get(zone.staged.zone)));
  const checked = new Map(asLocked.map((zone) => [zone.staged.zone, zone]));
  const others = names.filter((zone) => !checked.has(zone));
  const parts = others.length > 0 ? await stagedZones(session, set.id, others) : [];
  const read: ReadZones = (wanted) => StoredZone.readAll(timed, wanted, { isLocked: true });
  for (const zone of await checkZones(timed, parts, read)) checked.set(zone.staged.zone, zone);
  return { session: timed, zones: names.map((zone) => checked.get(zone) as CheckedZone), domains: byZone };
}

export async function checkEarly(
  session: Session,
  set: ChangeSetRow,
  parts: readonly StagedZone[],
): Promise<CheckedZone[]> {
  const inner = sessionOfSet(session, set);
  const edited = parts.filter(({ action }) => action === ChangeKind.EDIT);
  return checkZones(inner, edited, (wanted) => StoredZone.readAll(inner, wanted, { isLocked: false }));
}

const isAsLocked = ({ checked }: CheckedZone, domain: StoredDomain | undefined) =>
  checked !== undefined && domain !== undefined && isAsRead(checked.domain, domain);

/** The time of all changes of these zones: the present, but not before the last change of any of them. */
async function timeOfAll(session: Session, domains: readonly DomainRow[]): Promise<Date> {
  const ids = domains.map(({ id }) => id);
  const query = sql<{ last: Date | null }>`
    select max(newest.at) as last from unnest(${ids}::bigint[]) as locked(id) cross join lateral (
      select ${c.createdAt} as at from ${c} where ${c.domainId} = locked.id order by ${c.id} desc limit 1
    ) newest`;
  const { last } = (await query.run(session))[0] ?? {};
  const now = session.now();
  return last && last > now ? last : now;
}

export interface ZoneResult {
  readonly zone: string;
  readonly outcome: ZoneOutcome;
  /** The id of the change; null when nothing was left to change, and for a refused zone. */
  readonly change: number | null;
  readonly reasons: readonly Reason[] | null;
}

/** The maximum zones and records of one statement; between two statements the event loop runs. */
const atOnce = { items: 100, size: 2000 };
const sizeOf = ({ difference: { removed, added } }: CheckedChange) => removed.length + added.length;

export async function storeZones(
  { session }: Pick<LockedZones, "session">,
  zones: readonly CheckedZone[],
): Promise<ZoneResult[]> {
  const checked = zones.flatMap(({ checked }) => checked?.change ?? []);
  // The change of an early check has the time of that check; here every change gets the present time.
  const at = session.now();
  const timed = checked.map((change) => ({ ...change, entry: { ...change.entry, at } }));
  const changes = new Map<string, number>();
  for (const piece of piecesOf(timed, atOnce, sizeOf))
    for (const { change } of await finishChanges(session, piece)) changes.set(change.zone, change.id);
  for (const { staged } of zones) {
    const { action, zone, domainId } = staged;
    if (action === ChangeKind.DELETE) changes.set(zone, (await deleteDomain(session, zone)).id);
    if (action === ChangeKind.RESTORE) await forgetDeletion(session, { id: domainId as number });
  }
  const applied = zones.flatMap(({ staged: { zone, template } }) => (template ? [{ zone, template }] : []));
  if (applied.length > 0) await rememberTemplates(session, applied);
  return zones.map(({ staged: { zone } }) => {
    const change = changes.get(zone) ?? null;
    return { zone, change, outcome: change ? ZoneOutcome.APPLIED : ZoneOutcome.UNCHANGED, reasons: null };
  });
}

export async function noteOutcomes(session: Session, id: number, results: readonly ZoneResult[]): Promise<void> {
  await sql`
    update ${z} set ${z.names("outcome")} = o.outcome, ${z.names("changeId")} = o.change, ${z.names("reasons")} = o.reasons
    from json_to_recordset(${JSON.stringify(results)}::json) as o(zone text, outcome text, change bigint, reasons jsonb)
    where ${z.changeSetId} = ${id} and ${z.zone} = o.zone`.run(session);
}
