/** Resolves conflicts: a disputed edit is kept for the present record, or is left out with all other edits of its RRset. */

import { recordType } from "../../dns/rdata/record-type-registry.ts";
import { noSuch, Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import { parseField } from "../../session/parse-field.ts";
import type { Session } from "../../session/session.ts";
import { readZone } from "../../zone/domain.ts";
import { lockDomain } from "../../zone/edit/stored-zone.ts";
import { readOwner } from "../../zone/record.ts";
import type { ChangeSetRow } from "../change-set.ts";
import { checkZoneToMake } from "../check/check-new-zone.ts";
import { checkZones } from "../check/check-zone.ts";
import { type Conflict, type Dispute, resolved } from "../check/conflict.ts";
import { type StagedZone, stagedZones } from "../contents.ts";
import { ChangeSetEventKind, makesZone, openStates, Resolution } from "../states.ts";
import { addEvent, takeStep } from "../steps.ts";
import { asRead, changesOf, type ReadEdit } from "./read-part.ts";
import { toStaged } from "./stage.ts";
import { dropParts, PartWriter, refuseTwoTtls } from "./store-parts.ts";

/** Which conflicts of a zone are resolved, and how. Without an owner and a type: all conflicts of the zone. */
export interface Choice {
  readonly zone: string;
  readonly owner?: string | undefined;
  readonly type?: string | undefined;
  readonly resolution: Resolution;
  readonly expectedRevision?: number | null | undefined;
}

/** Resolves conflicts of a zone; the set loses its approvals and its schedule. Throws INVALID_VALUE when there is no such conflict. */
export async function resolveConflicts(session: Session, id: number, choice: Choice): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  const zone = readZone(choice.zone);
  const terms = { allowed: openStates, expectedRevision: choice.expectedRevision };
  return takeStep(session, id, terms, async (inner, set) => {
    const staged = (await stagedZones(inner, id)).find((each) => each.zone === zone);
    if (!staged) throw noSuch("staged zone", zone, "zone");
    const wanted = {
      owner: choice.owner === undefined ? undefined : readOwner(choice.owner, zone),
      type: choice.type === undefined ? undefined : typeOf(choice.type),
    };
    const conflicts = (await conflictsOf(inner, staged)).filter(
      ({ owner, type }) => (wanted.owner ?? owner) === owner && (wanted.type ?? type) === type,
    );
    if (conflicts.length === 0) {
      const message = `zone: ${zone} has no such conflict; look at the preview of the change set again.`;
      throw new Refusal("INVALID_VALUE", message, { field: "zone" });
    }
    const disputes = conflicts.flatMap((conflict) => conflict.disputes);
    if (disputes.length === 0) await resolveWhole(inner, staged, choice.resolution);
    else await resolveEdits(inner, staged, disputes, choice.resolution);
    await toStaged(inner, set);
    const text = `${zone}: ${choice.resolution === Resolution.MINE ? "kept" : "left out"} the edits in conflict`;
    await addEvent(inner, { id, revision: set.revision + 1 }, ChangeSetEventKind.STAGED, { text });
  });
}

const typeOf = (text: string) => parseField("type", () => recordType(text)).mnemonic;

/** The conflicts of a zone. The zone is locked, so that they cannot change. */
async function conflictsOf(session: Session, staged: StagedZone): Promise<readonly Conflict[]> {
  if (makesZone(staged.action)) return (await checkZoneToMake(session, staged)).conflicts;
  await lockDomain(session, session.actor, staged.zone);
  const [checked] = await checkZones(session, [staged], { isLocked: true });
  return checked?.conflicts ?? [];
}

/** Resolves the conflict of a whole zone: its part can only be left out. */
async function resolveWhole(session: Session, staged: StagedZone, resolution: Resolution): Promise<void> {
  if (resolution === Resolution.THEIRS) return void (await dropParts(session, staged.changeSetId, [staged.zone]));
  const message = `resolution: the whole part of ${staged.zone} is in conflict; stage it again, or leave it out by THEIRS.`;
  throw new Refusal("INVALID_VALUE", message, { field: "resolution" });
}

async function resolveEdits(
  session: Session,
  staged: StagedZone,
  disputes: readonly Dispute[],
  resolution: Resolution,
): Promise<void> {
  const changes = await changesOf(
    session,
    disputes.flatMap(({ present, others }) => [...(present ? [present] : []), ...others].map(({ id }) => id)),
  );
  const edits = resolved(staged.edits, disputes, resolution).map((edit): ReadEdit => {
    const baseChangeId = changes.get(edit.recordId as number) ?? edit.baseChangeId;
    return { ...asRead(edit), baseChangeId };
  });
  const { changeSetId, zone, action, domainId, userId, template } = staged;
  refuseTwoTtls(edits);
  await dropParts(session, changeSetId, [zone]);
  const writer = new PartWriter(session, changeSetId);
  await writer.add({ zone, action, domainId, userId, template, edits });
  await writer.flush();
}
