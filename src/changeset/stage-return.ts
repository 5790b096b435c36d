/**
 * Going back as a change set: a zone to a moment, or one change undone, is staged instead of made, so that it is looked at and approved as
 * any other.
 */
import { Refusal } from "../errors.ts";
import { mayWrite } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { inSnapshot, transaction } from "../sql/transaction.ts";
import { changeById } from "../zone/change.ts";
import { domainByZone, readZone } from "../zone/domain.ts";
import { expectSerial } from "../zone/edit/edit-plan.ts";
import { StoredZone } from "../zone/edit/stored-zone.ts";
import { allLines } from "../zone/history/difference.ts";
import { type MomentSelector, momentOf } from "../zone/history/moment.ts";
import { maxReturnLines, tooManyLines, withoutFields } from "../zone/history/return-change.ts";
import { planReturn } from "../zone/history/return-plan.ts";
import type { ShownRrset } from "../zone/history/shown-difference.ts";
import { instantAfter, present } from "../zone/history/versions.ts";
import type { ChangeSetRow } from "./change-set.ts";
import type { StagedPart } from "./insert-edits.ts";
import { previewWithin } from "./preview.ts";
import { revertChanges } from "./revert-changes.ts";
import { createOfParts } from "./stage.ts";
import { ChangeSetAction } from "./states.ts";
import { changesOf, editsOfPlan } from "./zone-part.ts";

/** The title of the set, and the serial that the zone must be at. */
export interface StagedReturnTerms {
  readonly title?: string | null | undefined;
  readonly expectedSerial?: number | null | undefined;
}

/** A return that was staged; the change set is null when nothing would change. */
export interface StagedReturn {
  readonly changeSet: ChangeSetRow | null;
  readonly rrsets: readonly ShownRrset[];
}

/** Stages the return of a zone to a moment. */
export async function stageReturn(
  session: Session,
  zone: string,
  to: MomentSelector,
  { title, expectedSerial }: StagedReturnTerms = {},
): Promise<StagedReturn> {
  mayWrite(session.actor);
  const part = await inSnapshot(session, (inner) => readReturn(inner, readZone(zone), to, expectedSerial));
  if (part.edits.length === 0) return { changeSet: null, rrsets: [] };
  return transaction(session, async (inner) => {
    const changeSet = await createOfParts(inner, { title: title || `Return ${part.zone} to what it was` }, (parts) =>
      parts.add(part),
    );
    const preview = changeSet && (await previewWithin(inner, changeSet));
    return { changeSet: changeSet ?? null, rrsets: preview?.zones[0]?.rrsets ?? [] };
  });
}

/** The edits that make a zone what it was; the session reads one snapshot. */
async function readReturn(
  session: Session,
  zone: string,
  to: MomentSelector,
  expectedSerial: number | null | undefined,
): Promise<StagedPart> {
  const domain = await domainByZone(session, zone);
  expectSerial(domain, expectedSerial);
  const { change } = await momentOf(session, domain, to, "to.");
  const lines = await allLines(session, [present(domain.id), instantAfter(change)], maxReturnLines + 1);
  if (lines.length > maxReturnLines) throw tooManyLines(zone);
  const stored = await StoredZone.read(session, zone, { owners: ["@"], ids: [] });
  if (!stored) throw new Error(`${zone} is not in the snapshot that it was just read in`);
  const plan = await withoutFields(() => planReturn(session.policy, stored, lines));
  const ids = [...plan.remove.map(({ id }) => id), ...plan.writes.flatMap(({ id }) => id ?? [])];
  const edits = await editsOfPlan(stored, plan, await changesOf(session, ids));
  return { zone, domainId: domain.id, action: ChangeSetAction.EDIT, returnsTo: change.id, edits };
}

/** Stages the undoing of one change. */
export async function stageUndoing(
  session: Session,
  id: number,
  { title, expectedSerial }: StagedReturnTerms = {},
): Promise<StagedReturn & { readonly alreadyUndone: boolean }> {
  mayWrite(session.actor);
  const { zone, domainId } = await changeById(session, id);
  const domain = await domainByZone(session, zone);
  if (domain.id !== domainId)
    throw new Refusal("NOT_FOUND", `${zone} was deleted since change ${id}.`, { field: "id" });
  expectSerial(domain, expectedSerial);
  const { changeSet, alreadyUndone } = await revertChanges(session, { ids: [id] }, title ? { title } : {});
  const preview = changeSet && (await inSnapshot(session, (inner) => previewWithin(inner, changeSet)));
  return { changeSet, rrsets: preview?.zones[0]?.rrsets ?? [], alreadyUndone: alreadyUndone > 0 };
}
