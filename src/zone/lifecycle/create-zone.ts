/**
 * Creates a zone with its first records, which are checked as any change of a zone is.
 */
import { ReviewPolicy } from "../../account/review-policy.ts";
import type { Session } from "../../session/session.ts";
import type { ChangeRow } from "../change.ts";
import type { DomainRow, StoredDomain } from "../domain.ts";
import type { RecordFields } from "../edit/canonical-record.ts";
import { planEdits } from "../edit/edit-plan.ts";
import { applyPlan, editedZone } from "../edit/edited-copy.ts";
import { checkChange, type EditedZone, finishChange } from "../edit/finish-change.ts";
import type { Notice, WithNotices } from "../edit/notice.ts";
import { StoredZone } from "../edit/stored-zone.ts";
import { WorkingCopy } from "../edit/working-copy.ts";
import type { NameHistory } from "./name-history.ts";

/**
 * Creates a zone with its first records by one statement, the domain too; throws StaleZone when there is one of the name
 * by then, or when one was deleted after the history of the name was read.
 */
export async function createZone(
  session: Session,
  { zone, userId, history }: { zone: string; userId: number; history: NameHistory },
  add: readonly RecordFields[],
): Promise<WithNotices & { readonly domain: DomainRow; readonly change: ChangeRow }> {
  const { domain, edited, notices } = await newZone(session, { zone, userId, add }, history);
  const { change, recordCount } = await finishChange(
    session,
    await checkChange(session, { ...edited, created: history }),
  );
  return {
    domain: { ...domain, id: change.domainId, serial: change.serial, recordCount, createdAt: change.createdAt },
    change,
    notices,
  };
}

/** Checks the first records of a zone as createZone does; nothing is stored. */
export async function checkZone(session: Session, zone: string, add: readonly RecordFields[]): Promise<WithNotices> {
  const { edited, notices } = await newZone(
    session,
    { zone, userId: null, add },
    { lastSerial: null, demands: ReviewPolicy.NONE },
  );
  await checkChange(session, { ...edited, created: { formerId: null } });
  return { notices };
}

/** A zone that is not stored yet, with its first records. */
async function newZone(
  session: Session,
  { zone, userId, add }: { zone: string; userId: number | null; add: readonly RecordFields[] },
  { lastSerial, demands }: Pick<NameHistory, "lastSerial" | "demands">,
): Promise<{ domain: DomainRow; edited: EditedZone; notices: Notice[] }> {
  const domain: StoredDomain = {
    ...{ id: 0, zone, serial: 0, userId, recordCount: 0, metered: false },
    ...{ createdAt: session.now(), review: null, demands },
  };
  const planner = planEdits(session, zone, { add }, {});
  const plan = await planner.plan(StoredZone.none(session, domain, planner.prefetch));
  const copy = new WorkingCopy([]);
  applyPlan(session, copy, plan);
  const notices = plan.writes.flatMap(({ record }) => record.notices);
  const edited = editedZone(session, domain, copy, lastSerial ?? undefined, (more) => notices.push(...more));
  return { domain, edited, notices };
}
