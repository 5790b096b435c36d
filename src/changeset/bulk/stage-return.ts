/** Stages a way back: the return of a zone to a moment, the undoing of one change, or the restoration of a deleted domain. */
import { Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { inSnapshot } from "../../session/transaction.ts";
import { changeById } from "../../zone/change.ts";
import { domainByZone, readZone } from "../../zone/domain.ts";
import { expectSerial } from "../../zone/edit/edit-plan.ts";
import type { WithNotices } from "../../zone/edit/notice.ts";
import type { DeletedSelector } from "../../zone/history/deleted-domain.ts";
import type { MomentSelector } from "../../zone/history/moment.ts";
import type { ShownRrset } from "../../zone/history/shown-difference.ts";
import type { Loss } from "../../zone/loss.ts";
import type { ChangeSetRow } from "../change-set.ts";
import type { ShownPreview } from "../check/preview.ts";
import { readRestoration, readReturn } from "../stage/computed-part.ts";
import type { StagedPart } from "../stage/read-part.ts";
import { maxTitleLength } from "../stage/stage.ts";
import { createSet } from "./create-set.ts";
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
  const ownTitle = `Return ${part.zone} to what it was`.slice(0, maxTitleLength);
  const { changeSet, preview } = await createOfPart(session, title || ownTitle, part);
  return { changeSet, ...effectOf(preview) };
}

const createOfPart = (session: Session, title: string, part: StagedPart) =>
  createSet(session, { title, withPreview: true }, (parts) => parts.add(part));

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
  const ownTitle = `Restore ${part.zone}`.slice(0, maxTitleLength);
  const { changeSet, preview } = await createOfPart(session, title || ownTitle, part);
  const zone = preview?.zones[0];
  return { changeSet: changeSet as ChangeSetRow, recordCount: zone?.addedCount ?? 0, notices: zone?.notices ?? [] };
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
  const terms = { ...(title && { title }), withPreview: true };
  const { changeSet, preview } = await revertChanges(session, { changeIds: [id] }, terms);
  return { changeSet, ...effectOf(preview) };
}
