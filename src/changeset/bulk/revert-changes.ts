/**
 * Undoes many changes at once, as a change set: in each zone the newest first, each compared with the result of the one before, by content as
 * one change is undone alone. What later changes made something else is in the way: nothing is staged then, or all but that.
 */
import { matches } from "../../account/tsig-scope.ts";
import { noSuch, type Reason, Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { inSnapshot, rolledBack, transaction } from "../../session/transaction.ts";
import { inTurn } from "../../turns/work.ts";
import { ChangeKind, type ChangeRow, changesByIds } from "../../zone/change.ts";
import { type ChangeFilter, changesOfSet, listChanges } from "../../zone/change-list.ts";
import type { Plan } from "../../zone/edit/edit-plan.ts";
import { type Prefetch, StoredZone } from "../../zone/edit/stored-zone.ts";
import { conflictsOf, linesToUndo, type Overtaken } from "../../zone/history/change-conflict.ts";
import { PastOfMany, type PastRecords, pastRecords } from "../../zone/history/past-records.ts";
import { maxReturnLines, tooManyLines, withoutFields } from "../../zone/history/return-change.ts";
import { planReturn } from "../../zone/history/return-plan.ts";
import { refuseWhole } from "../../zone/history/revert.ts";
import { type ChangeSetRow, changeSetById } from "../change-set.ts";
import { previewWithin, type ShownPreview } from "../check/preview.ts";
import { createOfParts, maxTitleLength } from "../stage/stage.ts";
import type { StagedPart } from "../stage/store-part.ts";
import { changesOf, editsOfPlan } from "../stage/zone-part.ts";
import { FoldedZone } from "./zone-without-changes.ts";

/** Which changes are undone: those of one of these. */
export interface ChangeSelection {
  readonly changeIds?: readonly number[] | undefined;
  readonly changeSetId?: number | undefined;
  readonly filter?: (ChangeFilter & { readonly zone?: string | undefined }) | undefined;
  /** Of what is selected, only the changes of these zones; `*` is any characters. */
  readonly zones?: readonly string[] | undefined;
}

/** How they are undone; a dry run stores nothing. */
export interface RevertTerms {
  readonly title?: string | undefined;
  /** Leave what later changes are in the way of, instead of refusing all. */
  readonly skipConflicts?: boolean;
  readonly dryRun?: boolean;
}

/** The result of undoing many changes. */
export interface RevertedChanges {
  /** Null in a dry run, and when nothing is left to undo. */
  readonly changeSet: ChangeSetRow | null;
  /** Of a dry run, what the change set would do. */
  readonly preview: ShownPreview | null;
  /** How many changes were selected. */
  readonly selectedCount: number;
  /** Those of them that were undone already. */
  readonly alreadyRevertedCount: number;
  /** What is left out, since later changes are in the way. */
  readonly conflicts: readonly ZoneReason[];
}

/** A reason in a zone. */
export interface ZoneReason extends Reason {
  readonly zone: string;
  /** The change that cannot be undone, or not all of it. */
  readonly changeId: number;
}

/** How many changes are undone at once. */
const maxChanges = 10_000;

/** Stages the undoing of many changes in a change set of its own. */
export async function revertChanges(
  session: Session,
  selection: ChangeSelection,
  { title, skipConflicts = false, dryRun = false }: RevertTerms = {},
): Promise<RevertedChanges> {
  mayWrite(session.actor);
  const changes = await select(session, selection);
  const undoing = await inTurn("search", () => inSnapshot(session, (inner) => undoAll(inner, changes)));
  if (undoing.conflicts.length > 0 && !skipConflicts) throw refusalOf(undoing);
  const { parts, conflicts, alreadyRevertedCount } = undoing;
  const run = async (inner: Session): Promise<RevertedChanges> => {
    const set = await createOfParts(inner, { title: title ?? titleOf(changes) }, async (staged) => {
      for (const part of parts) await staged.add(part);
    });
    const preview = set && dryRun ? await previewWithin(inner, set) : null;
    return {
      changeSet: dryRun ? null : (set ?? null),
      preview,
      selectedCount: changes.length,
      alreadyRevertedCount,
      conflicts,
    };
  };
  return dryRun ? rolledBack(session, run) : transaction(session, run);
}

function titleOf(changes: readonly ChangeRow[]): string {
  const actors = [...new Set(changes.map(({ actor }) => actor))];
  const by = actors.length === 1 ? ` by ${actors[0]}` : "";
  return `Undo ${changes.length === 1 ? "a change" : `${changes.length} changes`}${by}`.slice(0, maxTitleLength);
}

/** The changes of a selection, the newest first; refuses one that selects too many, or by nothing that bounds it. */
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
    const message = "filter: send createdSince, and actor or zone, so that nothing else is undone.";
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

/** What undoing does, zone by zone. */
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

/** Zones that are read at once. */
const zonesAtOnce = 100;

interface UndoneZone extends Omit<Undoing, "parts"> {
  readonly part?: StagedPart | undefined;
}

/** Undoes the changes of some zones, which are read together unless they have too many records; `undone` are those of all zones. */
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

/** What is wanted of a zone whose past was not read. */
const apex: Prefetch = { owners: ["@"], ids: [] };

/** What undoing does to a zone, as a plan; there is none when nothing is left to do. */
interface PlannedZone extends Omit<UndoneZone, "part" | "changeIds"> {
  readonly changes: readonly ChangeRow[];
  /** What later changes are in the way of. */
  readonly overtaken: readonly Overtaken[];
  readonly stored?: StoredZone;
  readonly plan?: Plan;
}

/** A planned zone with what is in the way in it, in the order of its changes. */
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

/** Plans to undo the changes of one zone, the newest first. */
async function planUndoing(
  session: Session,
  changes: readonly ChangeRow[],
  { past, stored }: { readonly past: PastRecords; readonly stored: StoredZone | undefined },
): Promise<PlannedZone> {
  const [{ zone, id, kind }] = changes as [ChangeRow];
  if (!stored) {
    const isDeletion = kind === ChangeKind.DELETE;
    const message = `${isDeletion ? `Change ${id} deleted` : "There is no more"} ${zone}; bring it back by restoreDomain.`;
    const gone: ZoneReason = { code: "CHANGE_CONFLICT", message, zone, changeId: id };
    return { changes, conflicts: [gone], overtaken: [], alreadyRevertedCount: 0 };
  }
  const folded = new FoldedZone((owners) => stored.at(owners));
  const conflicts: ZoneReason[] = [];
  const overtaken: Overtaken[] = [];
  let alreadyRevertedCount = 0;
  for (const change of changes) {
    const refused = await reasonsOf(async () => {
      refuseWhole(change);
      const undoing = await linesToUndo(past, folded.at, change, maxReturnLines + 1);
      if (undoing.lines.length > maxReturnLines) throw tooManyLines(zone);
      folded.apply(undoing.lines);
      if (undoing.isUndone) alreadyRevertedCount += 1;
      if (undoing.changedSince.length > 0) overtaken.push({ change, rrsets: undoing.changedSince });
    });
    conflicts.push(...refused.map((reason) => ({ ...reason, zone, changeId: change.id })));
  }
  const lines = folded.difference();
  if (lines.length === 0) return { changes, conflicts, overtaken, alreadyRevertedCount };
  const plan = await withZone(zone, () => planReturn(session.policy, stored, lines));
  return { changes, stored, plan, conflicts, overtaken, alreadyRevertedCount };
}

/** The reasons for which an operation is refused; none when it is not. */
async function reasonsOf(run: () => Promise<void>): Promise<readonly Reason[]> {
  try {
    await run();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.reasons.map((reason) => ({ ...reason, field: undefined }));
  }
}

/** Runs an operation; a refusal names the zone, and no fields of records. */
async function withZone<Result>(zone: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await withoutFields(run);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const about = (reason: Reason): Reason => ({ ...reason, message: `${zone}: ${reason.message}` });
    throw Refusal.of(error.reasons.map(about), error.details);
  }
}

/** Reasons that a refusal holds at most. */
const maxReasons = 100;

function refusalOf({ conflicts, changeIds }: Undoing): Refusal {
  const reasons = conflicts.slice(0, maxReasons).map(({ zone, changeId: _, ...reason }): Reason => {
    return { ...reason, message: `${zone}: ${reason.message}` };
  });
  const newest = [...new Set(changeIds)].toSorted((a, b) => b - a).slice(0, maxReasons);
  return Refusal.of(reasons, { changeIds: newest.map(String) });
}
