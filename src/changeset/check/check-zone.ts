/**
 * Checks the effect of a change set on one zone: the edits are made in a working copy, which the rules check; nothing is stored. The
 * preview shows the result, and the application stores it.
 */

import { hash } from "node:crypto";
import { onRefusal, type Reason, Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Pieces } from "../../turns/long-work.ts";
import { ChangeKind } from "../../zone/change.ts";
import type { CheckedChange } from "../../zone/edit/change-statement.ts";
import { type CheckedCopy, checkCopy, editCopy } from "../../zone/edit/edit-and-check.ts";
import type { Planner } from "../../zone/edit/edit-plan.ts";
import { type ChangeOrigin, chargeOf } from "../../zone/edit/finish-change.ts";
import { type Notice, withoutField } from "../../zone/edit/notice.ts";
import { type Prefetch, StoredZone } from "../../zone/edit/stored-zone.ts";
import type { ChangedRrset } from "../../zone/edit/working-copy.ts";
import { withoutFields } from "../../zone/history/return-change.ts";
import { contentOf } from "../../zone/history/return-plan.ts";
import { type ShownRrset, shownDifference } from "../../zone/history/shown-difference.ts";
import { countLost, type Loss, lossOf, lossOfDeletion } from "../../zone/loss.ts";
import { type Charge, chargeFor } from "../../zone/quota/quota.ts";
import { ZoneRecord } from "../../zone/record.ts";
import type { ChangeSetRow } from "../change-set.ts";
import type { ChangeSetZoneRow, StagedEdit, StagedZone } from "../contents.ts";
import { ChangeSetMode, makesZone } from "../states.ts";
import { type Conflict, conflictOfZone, conflictsOf } from "./conflict.ts";
import { type Findings, planRestoration, planStaged } from "./plan-of-edits.ts";

const r = table(ZoneRecord, "r");

/** The effect of a change set on a zone, and everything that prevents its application. */
export interface CheckedZone {
  readonly staged: ChangeSetZoneRow;
  /** The present serial of the zone; null if the zone does not exist. */
  readonly serial: number | null;
  readonly conflicts: readonly Conflict[];
  readonly refusals: readonly Reason[];
  readonly notices: readonly Notice[];
  readonly dropped: readonly string[];
  /** The RRsets that would change. Empty when the zone would be deleted: its records are only counted. */
  readonly rrsets: readonly ShownRrset[];
  /** True when a large preview leaves the RRsets of the zone out; `withRrsets` reads them. */
  readonly isCut?: true;
  readonly removedCount: number;
  readonly addedCount: number;
  /** The records that the zone would lose; undefined when the zone would not change, or was changed already. */
  readonly loss?: Loss;
  readonly fingerprint: string;
  /** The edited zone, ready to be stored; undefined for a deletion, and when the check failed. */
  readonly checked: Pick<CheckedCopy, "domain" | "change"> | undefined;
  /** The effect on the usage of the user; undefined when the zone would not change. */
  readonly charge: Charge | undefined;
}

/** What is known before the check about a zone that the set creates or restores. */
interface CheckTerms {
  /** Why the zone cannot be created or restored. */
  readonly refusals?: readonly Reason[];
  /** Why the zone cannot be read, if that is known before the check. */
  readonly obstacle?: string | undefined;
}

/** Checks a part of a set; `read` reads the zone with the records that its edits need, and returns undefined when there is none. */
export async function checkZone(
  session: Session,
  staged: StagedZone,
  read: (prefetch: Prefetch) => StoredZone | undefined,
  terms?: CheckTerms,
): Promise<CheckedZone> {
  const planned = planPart(session, staged);
  return checkPart(session, planned, read(planned.planner.prefetch), terms);
}

/** The session of the changes of a set: the author, the note and the TTLs are those of the set. */
export const sessionOfSet = (session: Session, { id, author, title }: ChangeSetRow): Session => ({
  ...session,
  ttlChoices: undefined,
  note: title,
  changeSet: { id, author },
});

/**
 * Checks the parts of some zones, in their order. One query reads the zones, which the session's transaction may have locked; other requests
 * may run between two checks.
 */
export async function checkZones(
  session: Session,
  parts: readonly StagedZone[],
  terms: { readonly isLocked: boolean },
): Promise<CheckedZone[]> {
  if (parts.length === 0) return [];
  const planned = parts.map((part) => planPart(session, part));
  const wanted = new Map(planned.map(({ staged: { zone }, planner }) => [zone, planner.prefetch]));
  const stored = await StoredZone.readAll(session, wanted, terms);
  const pieces = new Pieces();
  const checked: CheckedZone[] = [];
  for (const part of planned) {
    checked.push(await checkPart(session, part, stored.get(part.staged.zone)));
    await pieces.next();
  }
  return checked;
}

interface PlannedPart {
  readonly staged: ChangeSetZoneRow;
  readonly edits: readonly StagedEdit[];
  readonly planner: Planner;
  readonly findings: Findings;
}

const noFindings = (): Findings => ({ disputes: [], dropped: [] });

function planPart(session: Session, { edits, ...staged }: StagedZone): PlannedPart {
  const findings = noFindings();
  const isRestoration = staged.action === ChangeKind.RESTORE;
  const planner = isRestoration ? planRestoration(session, staged) : planStaged({ ...staged, edits }, findings);
  return { staged, edits, planner, findings };
}

async function checkPart(
  session: Session,
  { staged, edits, planner, findings }: PlannedPart,
  stored: StoredZone | undefined,
  { refusals = [], obstacle }: CheckTerms = {},
): Promise<CheckedZone> {
  const serial = stored && !makesZone(staged.action) ? stored.domain.serial : null;
  const nothing = { notices: [], rrsets: [], removedCount: 0, addedCount: 0, checked: undefined, charge: undefined };
  const common = { staged, serial, refusals, conflicts: [], dropped: findings.dropped };
  if (!stored || (staged.domainId !== null && stored.domain.id !== staged.domainId)) {
    const conflicts = [conflictOfZone(obstacle ?? otherZone(staged, stored !== undefined))];
    return { ...common, ...nothing, conflicts, fingerprint: zoneFingerprint(staged, [], serial) };
  }
  if (staged.action === ChangeKind.DELETE) {
    const removedCount = await countRecords(session, stored.domain.id);
    const charge = chargeFor(session, stored.domain, chargeOf(session, stored.domain, ChangeKind.DELETE, 0));
    const loss = lossOfDeletion(staged.zone, removedCount);
    return { ...common, ...nothing, removedCount, loss, charge, fingerprint: zoneFingerprint(staged, [], serial) };
  }
  const reasons: Reason[] = [...refusals];
  const edited = await collected(reasons, () => editCopy(session, stored, planner));
  const { disputes } = findings;
  const planOf = (others: readonly StagedEdit[]) => planStaged({ ...staged, edits: others }, noFindings());
  const conflicts = await conflictsOf(session, stored, { edits, disputes }, planOf);
  const obstacles = { ...common, conflicts, refusals: reasons };
  if (!edited) return { ...obstacles, ...nothing, fingerprint: zoneFingerprint(staged, [], null) };
  const changed = edited.copy.changedRrsets();
  const checked = await collected(reasons, () => checkCopy(session, edited, { origin: originOf(staged) }));
  // Read after the check, which gives the SOA of a new zone its serial.
  const difference = edited.copy.difference();
  const rrsets = shownDifference({ change: null, ...difference });
  const lines = rrsets.flatMap((rrset) => rrset.lines);
  return {
    ...obstacles,
    notices: checked?.notices.map(withoutField) ?? [],
    rrsets,
    removedCount: lines.filter(({ removed }) => removed).length,
    addedCount: lines.filter(({ removed }) => !removed).length,
    loss: lossOf(staged.zone, stored.domain.recordCount, countLost(difference)),
    fingerprint: zoneFingerprint(staged, changed, null),
    checked: checked && { domain: checked.domain, change: checked.change },
    charge: checked?.change ? chargeOfEdits(session, checked.change) : undefined,
  };
}

function chargeOfEdits(session: Session, { domain, entry, difference }: CheckedChange): Charge | undefined {
  const recordCount = domain.recordCount + difference.added.length - difference.removed.length;
  return chargeFor(session, domain, chargeOf(session, domain, entry.kind, recordCount));
}

function originOf({ action, undoes, returnsTo }: ChangeSetZoneRow): ChangeOrigin {
  if (action === ChangeKind.RESTORE) return { kind: ChangeKind.RESTORE };
  return { ...(undoes !== null && { undoes }), ...(returnsTo !== null && { returnsTo }) };
}

/** The fingerprint of a set from its zones, in the order of their names. */
export const fingerprintOf = (zones: readonly CheckedZone[]) =>
  hash("sha256", zones.map(({ fingerprint }) => fingerprint).join("\n"), "hex");

export const isApplicable = ({ conflicts, refusals }: CheckedZone) => conflicts.length + refusals.length === 0;

/** Runs a check. On a refusal it adds the reasons to `reasons` and returns undefined. */
function collected<Result>(reasons: Reason[], run: () => Promise<Result>): Promise<Result | undefined> {
  return onRefusal(
    () => withoutFields(run),
    (refusal) => {
      reasons.push(...refusal.reasons);
      return undefined;
    },
  );
}

const otherZone = ({ zone }: ChangeSetZoneRow, exists: boolean) =>
  exists
    ? `${zone} was deleted and created again after it was staged; stage it again.`
    : `The zone ${zone} no longer exists; leave it out.`;

async function countRecords(session: Session, domainId: number): Promise<number> {
  const query = sql<{ count: number }>`select count(*) from ${r} where ${r.domainId} = ${domainId}`;
  return (await query.run(session))[0]?.count ?? 0;
}

/** Whether a set can be applied: all its zones, or in mode EACH_ZONE at least one zone. */
export const isAnyApplicable = (zones: readonly CheckedZone[], mode: ChangeSetMode) =>
  mode === ChangeSetMode.EACH_ZONE ? zones.some(isApplicable) : zones.length > 0 && zones.every(isApplicable);

export const reasonsAgainst = ({ conflicts, refusals }: CheckedZone): Reason[] => [
  ...conflicts.map(
    ({ message, owner, type }): Reason => ({
      code: "CHANGE_CONFLICT",
      message,
      ...(owner !== null && { owner }),
      ...(type !== null && { type }),
    }),
  ),
  ...refusals,
];

export function expectApplicable(zones: readonly CheckedZone[], mode: ChangeSetMode = ChangeSetMode.ALL): void {
  if (isAnyApplicable(zones, mode)) return;
  const reasons = zones.flatMap((zone) =>
    reasonsAgainst(zone).map((reason) => ({
      ...reason,
      message: `${zone.staged.zone}: ${reason.message}`,
    })),
  );
  if (reasons.length > 0) throw Refusal.of(reasons.slice(0, maxReasons));
}

const maxReasons = 100;

const contents = (records: ChangedRrset["before"]) => records.map(contentOf).toSorted().join("\n");

/** The fingerprint of the effect on one zone. A null `serial` means that the fingerprint does not depend on the serial. */
function zoneFingerprint(
  { zone, action, userId }: Pick<ChangeSetZoneRow, "zone" | "action" | "userId">,
  rrsets: readonly ChangedRrset[],
  serial: number | null,
): string {
  const head = [zone, action, makesZone(action) ? userId : null, serial];
  const body = rrsets
    .map(({ owner, type, before, after }) => [owner, type, contents(before), contents(after)])
    .toSorted(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1));
  return hash("sha256", JSON.stringify([head, body]), "hex");
}
