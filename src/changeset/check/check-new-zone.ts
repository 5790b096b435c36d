/** The parts of a change set that create or restore a zone. The application inserts the domain before the check, the preview does not. */
import { ReviewPolicy } from "../../account/review-policy.ts";
import { onRefusal, type Reason, Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { ChangeKind } from "../../zone/change.ts";
import { StoredZone } from "../../zone/edit/stored-zone.ts";
import { type DeletedDomainRow, deletedDomain } from "../../zone/history/deleted-domain.ts";
import { insertDeleted, nameInUse } from "../../zone/history/restore.ts";
import { checkNewDomain, insertDomain } from "../../zone/lifecycle/domain-lifecycle.ts";
import { noticesOfFormer, readName } from "../../zone/lifecycle/name-history.ts";
import { checkNeighbours } from "../../zone/lifecycle/names-of-others.ts";
import type { ChangeSetZoneRow, StagedZone } from "../contents.ts";
import { type CheckedZone, checkZone } from "./check-zone.ts";

const unreviewed = { recordCount: 0, metered: false, review: null, demands: ReviewPolicy.NONE };

export async function checkZoneToMake(session: Session, staged: StagedZone): Promise<CheckedZone> {
  const { zone, userId, domainId } = staged;
  const obstacle = await obstacleOf(session, staged);
  const domain = { id: domainId ?? 0, zone, serial: 0, userId, createdAt: session.now(), ...unreviewed };
  const checked = await checkZone(
    session,
    staged,
    (prefetch) => (obstacle === undefined ? StoredZone.none(session, domain, prefetch) : undefined),
    { obstacle, refusals: await reasonsAgainstCreation(session, staged) },
  );
  if (staged.action !== ChangeKind.CREATE || obstacle !== undefined) return checked;
  const former = await noticesOfFormer(session, zone);
  return { ...checked, notices: [...former, ...checked.notices] };
}

/** Inserts the domain of such a part, without its records. Throws CHANGE_CONFLICT when a domain to restore is no longer deleted. */
export async function insertZone(session: Session, staged: ChangeSetZoneRow): Promise<void> {
  const { zone, userId } = staged;
  if (staged.action === ChangeKind.CREATE) return insertDomain(session, userId as number, zone);
  const deleted = await stillDeleted(session, staged);
  if (!deleted) throw new Refusal("CHANGE_CONFLICT", notDeleted(zone));
  return insertDeleted(session, deleted, userId as number);
}

/** A sentence that says why a zone cannot be created or restored; undefined when it can. */
async function obstacleOf(session: Session, staged: ChangeSetZoneRow): Promise<string | undefined> {
  const { zone, userId, action } = staged;
  const { isTaken } = await readName(session, zone, userId as number);
  if (action === ChangeKind.CREATE)
    return isTaken ? `The zone ${zone} exists by now; leave it out, or stage edits of it.` : undefined;
  const deleted = await stillDeleted(session, staged);
  if (!deleted) return notDeleted(zone);
  return isTaken ? (await nameInUse(session, deleted)).message : undefined;
}

const notDeleted = (zone: string) => `The deleted domain ${zone} was already restored; leave it out.`;

function stillDeleted(session: Session, { domainId }: ChangeSetZoneRow): Promise<DeletedDomainRow | undefined> {
  return onRefusal(
    () => deletedDomain(session, { id: domainId as number }),
    (refusal) => {
      if (refusal.code !== "NOT_FOUND") throw refusal;
      return undefined;
    },
  );
}

function reasonsAgainstCreation(session: Session, { zone, userId }: ChangeSetZoneRow): Promise<readonly Reason[]> {
  const check = async () => {
    await checkNewDomain(session, userId as number, zone);
    if (session.actor.role === "user") await checkNeighbours(session, userId as number, zone);
    return [];
  };
  return onRefusal(check, ({ reasons }) => reasons);
}
