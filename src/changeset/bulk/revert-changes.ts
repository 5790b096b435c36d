/**
 * Undoes many changes by one change set. In each zone the newest change is undone first, each by the same comparison as when a single
 * change is undone. Records that were changed again later are conflicts. If there are conflicts, nothing is staged; with `skipConflicts`,
 * everything except the conflicts is staged.
 */
import { matches } from "../../account/tsig-scope.ts";
import { noSuch, onRefusal, type Reason, Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { inSnapshot } from "../../session/transaction.ts";
import { inTurn } from "../../turns/queues.ts";
import { ChangeKind, type ChangeRow, changesByIds } from "../../zone/change.ts";
import { type ChangeFilter, changesOfSet, listChanges } from "../../zone/change-list.ts";
import type { Plan } from "../../zone/edit/edit-plan.ts";
import { type Prefetch, StoredZone } from "../../zone/edit/stored-zone.ts";
import {
  type Undoing as ChangeUndoing,
  conflictsOf,
  type EditedRrset,
  isEqual,
  linesToUndo,
  nameOf,
  type Overtaken,
} from "../../zone/history/change-conflict.ts";
import { PastOfMany, type PastRecords, pastRecords } from "../../zone/history/past-records.ts";
import { maxReturnLines, tooManyLines, withoutFields } from "../../zone/history/return-change.ts";
import { planReturn } from "../../zone/history/return-plan.ts";
import { refuseWhole } from "../../zone/history/revert.ts";
import { ZoneWithoutChanges } from "../../zone/history/zone-without-changes.ts";
import { changeSetById } from "../change-set.ts";
import { changesOf, editsOfPlan, type StagedPart } from "../stage/read-part.ts";
import { maxTitleLength } from "../stage/stage.ts";
import { type CreatedSet, createSet } from "./create-set.ts";

/** Selects the changes to undo: exactly one of changeIds, changeSetId and filter. */
export interface ChangeSelection {
  readonly changeIds?: readonly number[] | undefined;
  readonly changeSetId?: number | undefined;
  readonly filter?: (ChangeFilter & { readonly zone?: string | undefined }) | undefined;
  /** Only the changes of these zones; `*` matches any characters. */
  readonly zones?: readonly string[] | undefined;
}

export interface RevertTerms {
  readonly title?: string | undefined;
  /** Stage the rest when there are conflicts, instead of refusing everything. */
  readonly skipConflicts?: boolean;
  readonly dryRun?: boolean;
  readonly withPreview?: boolean;
}

export interface RevertedChanges extends CreatedSet {
  readonly selectedCount: number;
  readonly alreadyRevertedCount: number;
  /** The records that cannot be restored to their earlier content, because later changes changed them again. */
  readonly conflicts: readonly ZoneReason[];
}

export interface ZoneReason extends Reason {
  readonly zone: string;
  readonly changeId: number;
}

const maxChanges = 10_000;

export async function revertChanges(
  session: Session,
  selection: ChangeSelection,
  { title, skipConflicts = false, ...how }: RevertTerms = {},
): Promise<RevertedChanges> {
  mayWrite(session.actor);
  const changes = await select(session, selection);
  const undoing = await inTurn("search", () => inSnapshot(session, (inner) => undoAll(inner, changes)));
  if (undoing.conflicts.length > 0 && !skipConflicts) throw refusalOf(undoing);
  const { parts, conflicts, alreadyRevertedCount } = undoing;
  const created = await createSet(session, { title: title ?? titleOf(changes), ...how }, async (staged) => {
    for (const part of parts) await staged.add(part);
  });
  return { ...created, selectedCount: changes.length, alreadyRevertedCount, conflicts };
}

function titleOf(changes: readonly ChangeRow[]): string {
  const actors = [...new Set(changes.map(({ actor }) => actor))];
  const by = actors.length === 1 ? ` by ${actors[0]}` : "";
  return `Undo ${changes.length === 1 ? "a change" : `${changes.length} changes`}${by}`.slice(0, maxTitleLength);
}

/** The selected changes, newest first. Throws TOO_LARGE for too many, and MISSING_FIELD for a filter without bounds. */
async function select(session: Session, selection: ChangeSelection): Promise<readonly ChangeRow[]> {
  const { changeIds, changeSetId, filter, zones } = selection;
  const candidates = changeIds
    ? await byIds(session, changeIds)
    : changeSetId !== undefined
      ? await ofSet(session, changeSetId)
      : await byFilter(session, filter as ChangeFilter);
  const patterns = zones?.map((zone) => zone.toLowerCase().replace(/\.$/, ""));
  const isSelected = ({ zone }: ChangeRow) => !patterns || patterns.some((pattern) => matches(pattern, zone));
  const selected = candidates.filter(isSelected).toSorted((a, b) => b.id - a.id);
  if (selected.length > maxChanges) throw tooMany("by");
  return selected;
}

const tooMany = (field: string) =>
  new Refusal("TOO_LARGE", `More than ${maxChanges} changes are selected; select fewer at a time.`, { field });

async function byIds(session: Session, ids: readonly number[]): Promise<readonly ChangeRow[]> {
  const changes = await changesByIds(session, [...new Set(ids)]);
  const visible = new Set(changes.map(({ id }) => id));
  for (const [at, id] of ids.entries()) if (!visible.has(id)) throw noSuch("change", id, `changeIds.${at}`);
  return changes;
}

async function ofSet(session: Session, id: number): Promise<readonly ChangeRow[]> {
  await changeSetById(session, id);
  return changesOfSet(session, id);
}

async function byFilter(
  session: Session,
  filter: NonNullable<ChangeSelection["filter"]>,
): Promise<readonly ChangeRow[]> {
  if (filter.createdSince === undefined || (filter.actor === undefined && filter.zone === undefined)) {
    const message = "filter: send createdSince, and actor or zone, to limit what is undone.";
    throw new Refusal("MISSING_FIELD", message, { field: "filter" });
  }
  const changes: ChangeRow[] = [];
  for (let after: string | undefined; ; ) {
    const page = await listChanges(session, filter, { first: 1000, order: "CREATED_DESC", ...(after && { after }) });
    changes.push(...page.rows);
    if (changes.length > maxChanges) throw tooMany("filter");
    const last = page.rows.at(-1);
    if (!page.hasNextPage || !last) return changes;
    after = page.cursor(last);
  }
}

/** The effect of undoing on all zones; `changeIds` are the later changes that conflict. */
interface Undoing {
  readonly parts: readonly StagedPart[];
  readonly conflicts: readonly ZoneReason[];
  readonly changeIds: readonly number[];
  readonly alreadyRevertedCount: number;
}

async function undoAll(session: Session, changes: readonly ChangeRow[]): Promise<Undoing> {
  const undone = new Set(changes.map(({ id }) => id));
  const byDomain = Map.groupBy(changes, ({ domainId }) => domainId);
  const inOrder = [...byDomain.values()].toSorted(([a], [b]) => ((a?.zone ?? "") < (b?.zone ?? "") ? -1 : 1));
  const zones: UndoneZone[] = [];
  for (let at = 0; at < inOrder.length; at += zonesAtOnce)
    zones.push(...(await undoZones(session, inOrder.slice(at, at + zonesAtOnce), undone)));
  return {
    parts: zones.flatMap(({ part }) => part ?? []),
    conflicts: zones.flatMap((each) => each.conflicts),
    changeIds: zones.flatMap((each) => each.changeIds),
    alreadyRevertedCount: zones.reduce((sum, each) => sum + each.alreadyRevertedCount, 0),
  };
}

const zonesAtOnce = 100;

interface UndoneZone extends Omit<Undoing, "parts"> {
  readonly part?: StagedPart | undefined;
}

/**
 * Plans to undo the changes of some zones. One query reads the zones, unless they have too many records; then each half is read on its own.
 * `undone` holds the changes of all zones.
 */
async function undoZones(
  session: Session,
  zones: readonly (readonly ChangeRow[])[],
  undone: ReadonlySet<number>,
): Promise<UndoneZone[]> {
  const past = await PastOfMany.read(session, zones.flat());
  if (!past && zones.length > 1) {
    const half = Math.ceil(zones.length / 2);
    return [
      ...(await undoZones(session, zones.slice(0, half), undone)),
      ...(await undoZones(session, zones.slice(half), undone)),
    ];
  }
  const held = past?.held;
  const wanted = zones.map(([change]) => {
    const { zone, domainId } = change as ChangeRow;
    return [zone, held?.get(domainId) ?? apex] as const;
  });
  const stored = await StoredZone.readAll(session, new Map(wanted), { isLocked: false });
  const planned: PlannedZone[] = [];
  for (const changes of zones) {
    const [{ zone, domainId }] = changes as [ChangeRow];
    const present = stored.get(zone);
    const reads = { past: past ?? pastRecords(session), stored: present?.domain.id === domainId ? present : undefined };
    planned.push(await planUndoing(session, changes, reads));
  }
  const overtaken = planned.flatMap((zone) => zone.overtaken);
  const refusals = await conflictsOf(session, overtaken, undone);
  const byChange = new Map(overtaken.map(({ change }, at) => [change.id, refusals[at] as Refusal]));
  const ids = planned.flatMap(({ plan }) =>
    plan ? [...plan.remove.map(({ id }) => id), ...plan.writes.flatMap(({ id }) => id ?? [])] : [],
  );
  const bases = await changesOf(session, ids);
  return Promise.all(planned.map((zone) => partOf(withConflicts(zone, byChange), bases)));
}

/** The records to read of a zone whose past was not read ahead: only the apex. */
const apex: Prefetch = { owners: ["@"], ids: [] };

/** The effect of undoing on one zone; without a plan nothing is left to undo. */
interface PlannedZone extends Omit<UndoneZone, "part" | "changeIds"> {
  readonly changes: readonly ChangeRow[];
  /** The changes that later changes conflict with. */
  readonly overtaken: readonly Overtaken[];
  readonly stored?: StoredZone;
  readonly plan?: Plan;
}

function withConflicts(
  { overtaken, conflicts, ...planned }: PlannedZone,
  byChange: ReadonlyMap<number, Refusal>,
): Omit<PlannedZone, "overtaken"> & Pick<UndoneZone, "changeIds"> {
  const refused = overtaken.map(({ change: { id, zone } }) => ({ id, zone, refusal: byChange.get(id) as Refusal }));
  const changedSince = refused.flatMap(({ id, zone, refusal }) =>
    refusal.reasons.map((reason): ZoneReason => ({ ...reason, zone, changeId: id })),
  );
  return {
    ...planned,
    conflicts: [...conflicts, ...changedSince].toSorted((a, b) => b.changeId - a.changeId),
    changeIds: refused.flatMap(({ refusal: { details } }) =>
      (details as { changeIds: string[] }).changeIds.map(Number),
    ),
  };
}

async function partOf(
  { changes, stored, plan, ...result }: ReturnType<typeof withConflicts>,
  bases: ReadonlyMap<number, number>,
): Promise<UndoneZone> {
  if (!plan || !stored) return result;
  const [{ zone, domainId, id }] = changes as [ChangeRow];
  const edits = await editsOfPlan(stored, plan, bases);
  const undoes = changes.length === 1 ? id : null;
  return { ...result, part: { zone, domainId, action: ChangeKind.EDIT, undoes, edits } };
}

async function planUndoing(
  session: Session,
  changes: readonly ChangeRow[],
  { past, stored }: { readonly past: PastRecords; readonly stored: StoredZone | undefined },
): Promise<PlannedZone> {
  const [{ zone, id, kind }] = changes as [ChangeRow];
  if (!stored) {
    const isDeletion = kind === ChangeKind.DELETE;
    const message = `${isDeletion ? `Change ${id} deleted` : "There is no longer a zone"} ${zone}; restore it by restoreDomain.`;
    const gone: ZoneReason = { code: "CHANGE_CONFLICT", message, zone, changeId: id };
    return { changes, conflicts: [gone], overtaken: [], alreadyRevertedCount: 0 };
  }
  const folded = new ZoneWithoutChanges((owners) => stored.at(owners));
  const conflicts: ZoneReason[] = [];
  const steps: UndoneChange[] = [];
  for (const change of changes) {
    const refused = await reasonsOf(async () => {
      refuseWhole(change);
      const undoing = await linesToUndo(past, folded.at, change, maxReturnLines + 1);
      if (undoing.lines.length > maxReturnLines) throw tooManyLines(zone);
      folded.apply(undoing.lines);
      steps.push({ change, ...undoing });
    });
    conflicts.push(...refused.map((reason) => ({ ...reason, zone, changeId: change.id })));
  }
  const changedSince = rrsetsInTheWay(steps);
  const overtaken = steps.flatMap(({ change }, at) =>
    changedSince[at]?.length ? [{ change, rrsets: changedSince[at] }] : [],
  );
  const isReverted = ({ lines }: UndoneChange, at: number) => lines.length === 0 && changedSince[at]?.length === 0;
  const alreadyRevertedCount = steps.filter(isReverted).length;
  const lines = folded.difference();
  if (lines.length === 0) return { changes, conflicts, overtaken, alreadyRevertedCount };
  const plan = await withZone(zone, () => planReturn(session.policy, stored, lines));
  return { changes, stored, plan, conflicts, overtaken, alreadyRevertedCount };
}

type UndoneChange = ChangeUndoing & Pick<Overtaken, "change">;

/**
 * For each change, newest first, the RRsets that later changes changed again. An RRset that successive changes edited, and that is as it was
 * before the oldest of them, is undone already.
 */
function rrsetsInTheWay(steps: readonly UndoneChange[]): readonly (readonly EditedRrset[])[] {
  const chains = new Map<string, EditedRrset[]>();
  const undone = new Set<EditedRrset>();
  const continuing = (rrset: EditedRrset) => {
    const chain = chains.get(nameOf(rrset)) ?? [];
    const newer = chain.at(-1);
    return newer && isEqual(newer.before, rrset.after) ? chain : [];
  };
  for (const step of steps) {
    for (const rrset of step.undone) for (const newer of continuing(rrset)) undone.add(newer);
    for (const rrset of step.changedSince) chains.set(nameOf(rrset), [...continuing(rrset), rrset]);
  }
  return steps.map((step) => step.changedSince.filter((rrset) => !undone.has(rrset)));
}

function reasonsOf(run: () => Promise<void>): Promise<readonly Reason[]> {
  return onRefusal(
    () => run().then(() => []),
    ({ reasons }) => reasons.map((reason) => ({ ...reason, field: undefined })),
  );
}

function withZone<Result>(zone: string, run: () => Promise<Result>): Promise<Result> {
  const about = (reason: Reason): Reason => ({ ...reason, message: `${zone}: ${reason.message}` });
  return onRefusal(
    () => withoutFields(run),
    ({ reasons, details }) => {
      throw Refusal.of(reasons.map(about), details);
    },
  );
}

const maxReasons = 100;

function refusalOf({ conflicts, changeIds }: Undoing): Refusal {
  const reasons = conflicts.slice(0, maxReasons).map(({ zone, changeId: _, ...reason }): Reason => {
    return { ...reason, message: `${zone}: ${reason.message}` };
  });
  const newest = [...new Set(changeIds)].toSorted((a, b) => b - a).slice(0, maxReasons);
  return Refusal.of(reasons, { changeIds: newest.map(String) });
}
