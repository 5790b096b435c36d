/**
 * Applies a batch of zones of a set in the session's transaction: locks them in the order of their names, checks again those that have
 * changed since they were checked, decides which are refused, stores the changes of the others, and notes the outcome of each.
 */

import type { Reason } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { piecesOf } from "../../turns/long-work.ts";
import { Change, ChangeKind } from "../../zone/change.ts";
import { isAsRead, type StoredDomain } from "../../zone/domain.ts";
import { rememberTemplates } from "../../zone/domain-annotations.ts";
import type { CheckedChange } from "../../zone/edit/change-statement.ts";
import { finishChanges } from "../../zone/edit/finish-change.ts";
import { lockDomains } from "../../zone/edit/stored-zone.ts";
import { forgetDeletion } from "../../zone/history/restore.ts";
import { deleteDomain } from "../../zone/lifecycle/domain-lifecycle.ts";
import { type ChangeSetRow, ChangeSetZone } from "../change-set.ts";
import { insertZone } from "../check/check-new-zone.ts";
import { type CheckedZone, checkZones, isApplicable, reasonsAgainst, sessionOfSet } from "../check/check-zone.ts";
import { type ChangeSetZoneRow, stagedZones } from "../contents.ts";
import { ChangeSetMode, makesZone, ZoneOutcome } from "../states.ts";
import { withRefusals } from "./refuse-zones.ts";

const c = table(Change, "c");
const z = table(ChangeSetZone, "z");

/** A zone to apply: its row has the fingerprint of the previewed effect. `early` is a check that was made without a lock. */
export interface ZoneOfBatch {
  readonly row: ChangeSetZoneRow;
  readonly early?: CheckedZone | undefined;
}

/** How long a batch waits for a locked zone. A batch of several zones that are applied each for itself holds the others meanwhile. */
const lockTimeouts = { whole: "5s", several: "500ms" };

/** Applies a batch; returns the time of its changes. In mode ALL, and for a zone to make, it throws when a zone is refused. */
export async function applyBatch(outer: Session, set: ChangeSetRow, batch: readonly ZoneOfBatch[]): Promise<Date> {
  const isWhole = set.mode === ChangeSetMode.ALL || batch.length === 1;
  await sql`set local lock_timeout = ${sql.lit(isWhole ? lockTimeouts.whole : lockTimeouts.several)}`.run(outer);
  const session = sessionOfSet(outer, set);
  for (const { row } of batch) if (makesZone(row.action)) await insertZone(session, row);
  const names = batch.map(({ row }) => row.zone);
  const domains = await lockDomains(session, session.actor, names);
  const at = await timeOf(session, domains);
  const timed: Session = { ...session, now: () => at };
  const byZone = new Map(domains.map((domain) => [domain.zone, domain]));
  const checked = await checkLocked(timed, set, batch, byZone);
  const zones = await withRefusals(timed, set, checked, byZone);
  const stored = await storeZones(timed, zones.filter(isApplicable));
  const refused = zones.filter((zone) => !isApplicable(zone));
  const refusals = refused.map((zone) => refusedOutcome(zone.staged.zone, reasonsAgainst(zone)));
  await noteOutcomes(timed, set.id, [...stored, ...refusals]);
  return at;
}

/** The time of all changes of a batch: the present, but not before the last change of any of its zones. */
async function timeOf(session: Session, domains: readonly StoredDomain[]): Promise<Date> {
  const ids = domains.map(({ id }) => id);
  const query = sql<{ last: Date | null }>`
    select max(newest.at) as last from unnest(${ids}::bigint[]) as locked(id) cross join lateral (
      select ${c.createdAt} as at from ${c} where ${c.domainId} = locked.id order by ${c.id} desc limit 1
    ) newest`;
  const { last } = (await query.run(session))[0] ?? {};
  const now = session.now();
  return last && last > now ? last : now;
}

/** Checks locked zones. The early check of a zone that has not changed since is taken as it is. */
async function checkLocked(
  session: Session,
  set: ChangeSetRow,
  batch: readonly ZoneOfBatch[],
  domains: ReadonlyMap<string, StoredDomain>,
): Promise<CheckedZone[]> {
  const checked = new Map<string, CheckedZone>();
  for (const { row, early } of batch)
    if (early && isAsLocked(early, domains.get(row.zone))) checked.set(row.zone, { ...early, staged: row });
  const names = batch.map(({ row }) => row.zone);
  const others = names.filter((zone) => !checked.has(zone));
  const parts = others.length > 0 ? await stagedZones(session, set.id, others) : [];
  for (const zone of await checkZones(session, parts, { isLocked: true })) checked.set(zone.staged.zone, zone);
  return names.map((zone) => checked.get(zone) as CheckedZone);
}

const isAsLocked = ({ staged, checked }: CheckedZone, domain: StoredDomain | undefined) =>
  staged.action === ChangeKind.EDIT &&
  checked !== undefined &&
  domain !== undefined &&
  isAsRead(checked.domain, domain);

/** The maximum zones and records of one statement; between two statements the event loop runs. */
const atOnce = { items: 100, size: 2000 };
const sizeOf = ({ difference: { removed, added } }: CheckedChange) => removed.length + added.length;

async function storeZones(session: Session, zones: readonly CheckedZone[]): Promise<Outcome[]> {
  // The change of an early check has the time of that check; here every change gets the time of the batch.
  const at = session.now();
  const checked = zones.flatMap(({ checked }) => checked?.change ?? []);
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

interface Outcome {
  readonly zone: string;
  readonly outcome: ZoneOutcome;
  /** The id of the change; null when nothing was left to change, and for a refused zone. */
  readonly change: number | null;
  readonly reasons: readonly Reason[] | null;
}

const maxReasons = 20;

const refusedOutcome = (zone: string, reasons: readonly Reason[]): Outcome => ({
  zone,
  outcome: ZoneOutcome.REFUSED,
  change: null,
  reasons: reasons
    .slice(0, maxReasons)
    .map(({ code, owner, type, message }) => ({ code, message, ...(owner && { owner }), ...(type && { type }) })),
});

export function noteRefusal(session: Session, id: number, zone: string, reasons: readonly Reason[]): Promise<void> {
  return noteOutcomes(session, id, [refusedOutcome(zone, reasons)]);
}

async function noteOutcomes(session: Session, id: number, outcomes: readonly Outcome[]): Promise<void> {
  await sql`
    update ${z} set ${z.names("outcome")} = o.outcome, ${z.names("changeId")} = o.change, ${z.names("reasons")} = o.reasons
    from json_to_recordset(${JSON.stringify(outcomes)}::json) as o(zone text, outcome text, change bigint, reasons jsonb)
    where ${z.changeSetId} = ${id} and ${z.zone} = o.zone`.run(session);
}
