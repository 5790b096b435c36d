/**
 * The part of a change set that brings a deleted domain back. It names the domain and its owner alone: the records are those that the deletion
 * ended, which the journal keeps.
 */
import { noSuch } from "../errors.ts";
import { mayActFor } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { ChangeKind } from "../zone/change.ts";
import { expectSerial, type Planner } from "../zone/edit/edit-plan.ts";
import { readName } from "../zone/edit/name-history.ts";
import { type DeletedSelector, deletedDomain } from "../zone/history/deleted-domain.ts";
import { lastRecords } from "../zone/history/restore.ts";
import { maxReturnLines, tooManyLines } from "../zone/history/return-change.ts";
import { planReturn } from "../zone/history/return-plan.ts";
import type { ChangeSetZoneRow } from "./contents.ts";
import type { StagedPart } from "./insert-edits.ts";

/** For whom a domain comes back, its last user when it is undefined. */
export interface RestorationTerms {
  readonly userId?: number | undefined;
  readonly expectedSerial?: number | null | undefined;
}

/** Reads the part by which a deleted domain comes back; HISTORY_GONE when nothing of it is kept. */
export async function readRestoration(
  session: Session,
  selector: DeletedSelector,
  { userId, expectedSerial }: RestorationTerms = {},
): Promise<StagedPart> {
  const deleted = await deletedDomain(session, selector);
  const { id, zone } = deleted;
  expectSerial(deleted, expectedSerial);
  const owner = userId ?? (deleted.userId as number);
  mayActFor(session.actor, owner, "userId");
  if (!(await readName(session, zone, owner)).isUser) throw noSuch("user", owner, "userId");
  if ((await lastRecords(session, deleted)).length > maxReturnLines) throw tooManyLines(zone);
  return { zone, action: ChangeKind.RESTORE, domainId: id, userId: owner, edits: [] };
}

/** Plans the records of a deleted domain that comes back. */
export function planRestoration(session: Session, { zone, domainId }: ChangeSetZoneRow): Planner {
  return {
    prefetch: { owners: ["@"], ids: [] },
    plan: async (stored) => {
      const lines = await lastRecords(session, { id: domainId as number, zone });
      if (lines.length > maxReturnLines) throw tooManyLines(zone);
      return planReturn(session.policy, stored, lines);
    },
  };
}
