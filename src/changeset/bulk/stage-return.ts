/** Stages a way back: the return of a zone to a moment, the undoing of one change, or the restoration of a deleted domain. */
import { Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { inSnapshot, transaction } from "../../session/transaction.ts";
import { changeById } from "../../zone/change.ts";
import { domainByZone, readZone } from "../../zone/domain.ts";
import { expectSerial } from "../../zone/edit/edit-plan.ts";
import type { WithNotices } from "../../zone/edit/notice.ts";
import type { DeletedSelector } from "../../zone/history/deleted-domain.ts";
import type { MomentSelector } from "../../zone/history/moment.ts";
import type { ShownRrset } from "../../zone/history/shown-difference.ts";
import type { Loss } from "../../zone/loss.ts";
import type { ChangeSetRow } from "../change-set.ts";
import { previewWithin, type ShownPreview } from "../check/preview.ts";
import { readRestoration, readReturn } from "../stage/prepared-part.ts";
import { createOfParts, maxTitleLength } from "../stage/stage.ts";
import { revertChanges } from "./revert-changes.ts";

interface StagedReturnTerms {
  readonly title?: string | null | undefined;
  readonly expectedSerial?: number | null | undefined;
}

/** A staged return; the change set is null when nothing would change. */
interface StagedReturn {
  readonly changeSet: ChangeSetRow | null;
  readonly rrsets: readonly ShownRrset[];
  /** The records that the zone would lose; null when nothing would change. */
  readonly loss: Loss | null;
}

const effectOf = (preview: ShownPreview | null) => {
  const zone = preview?.zones[0];
  return { rrsets: zone?.rrsets ?? [], loss: zone?.loss ?? null };
};

export async function stageReturn(
  session: Session,
  zone: string,
  to: MomentSelector,
  { title, expectedSerial }: StagedReturnTerms = {},
): Promise<StagedReturn> {
  mayWrite(session.actor);
  const part = await inSnapshot(session, (inner) => readReturn(inner, readZone(zone), to, { expectedSerial }));
  if (part.edits.length === 0) return { changeSet: null, ...effectOf(null) };
  return transaction(session, async (inner) => {
    const changeSet = await createOfParts(
      inner,
      { title: title || `Return ${part.zone} to what it was`.slice(0, maxTitleLength) },
      (parts) => parts.add(part),
    );
    const preview = changeSet && (await previewWithin(inner, changeSet));
    return { changeSet, ...effectOf(preview) };
  });
}

interface StagedRestoration extends WithNotices {
  readonly changeSet: ChangeSetRow;
  readonly recordCount: number;
}

/** Stages the restoration of a deleted domain, by default for its last user. */
export async function stageRestoration(
  session: Session,
  selector: DeletedSelector,
  { title, userId }: Pick<StagedReturnTerms, "title"> & { readonly userId?: number | undefined } = {},
): Promise<StagedRestoration> {
  mayWrite(session.actor);
  const part = await inSnapshot(session, (inner) => readRestoration(inner, selector, { userId }));
  return transaction(session, async (inner) => {
    const set = { title: title || `Restore ${part.zone}`.slice(0, maxTitleLength) };
    const changeSet = (await createOfParts(inner, set, (parts) => parts.add(part))) as ChangeSetRow;
    const zone = (await previewWithin(inner, changeSet)).zones[0];
    return { changeSet, recordCount: zone?.addedCount ?? 0, notices: zone?.notices ?? [] };
  });
}

/** Stages the undoing of one change. Throws NOT_FOUND when its zone was deleted since. */
export async function stageUndoing(
  session: Session,
  id: number,
  { title, expectedSerial }: StagedReturnTerms = {},
): Promise<StagedReturn> {
  mayWrite(session.actor);
  const { zone, domainId } = await changeById(session, id);
  const domain = await domainByZone(session, zone);
  if (domain.id !== domainId)
    throw new Refusal("NOT_FOUND", `${zone} was deleted since change ${id}.`, { field: "id" });
  expectSerial(domain, expectedSerial);
  const { changeSet } = await revertChanges(session, { changeIds: [id] }, title ? { title } : {});
  const preview = changeSet && (await inSnapshot(session, (inner) => previewWithin(inner, changeSet)));
  return { changeSet, ...effectOf(preview) };
}
