/**
 * Conflicts of a change set: RRsets, or a zone as a whole, that somebody else changed since edits of them were staged. The lines of each side
 * are the result of the edits as that resolution leaves them, so that who resolves a conflict gets what was shown.
 */
import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { Planner } from "../../zone/edit/edit-plan.ts";
import { editCopy } from "../../zone/edit/edited-copy.ts";
import type { StoredRecord, StoredZone } from "../../zone/edit/stored-zone.ts";
import type { WorkingCopy } from "../../zone/edit/working-copy.ts";
import type { StagedEdit } from "../contents.ts";
import { Resolution, StagedOp } from "../states.ts";

/** A staged edit that cannot be made as it was staged, what happened to its record, and that as it is now; null when there is none. */
export interface Dispute {
  readonly edit: StagedEdit;
  readonly happened: "changed" | "removed" | "added with another TTL";
  readonly present: StoredRecord | null;
}

/** What is in the way of staged edits of an RRset, or of a zone's whole part: what it was, would be, and is, as lines of a master file. */
export interface Conflict {
  readonly message: string;
  readonly owner: string | null;
  readonly type: string | null;
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  /** The edits that it is about; none when it is about the zone. */
  readonly disputes: readonly Dispute[];
}

/** What a record is named by, and written with. */
type Line = Pick<StoredRecord, "owner" | "type" | "rdata"> & { readonly ttl?: number | null | undefined };

/** A record as a line of a master file. */
export const lineOf = ({ owner, ttl, type, rdata }: Line) =>
  `${owner} ${typeof ttl === "number" ? `${ttl} ` : ""}IN ${type} ${rdata}`;

/** The name of an RRset. */
export const rrsetOf = ({ owner, type }: Pick<Line, "owner" | "type">) => `${owner} ${type}`;

/** What an edit is about: the record as it was, or the new one. */
const subjectOf = (edit: StagedEdit) => edit.base ?? edit;

/** A conflict of a zone's whole part. */
export function conflictOfZone(message: string): Conflict {
  return { message, owner: null, type: null, base: [], mine: [], theirs: [], disputes: [] };
}

/** The edits of a zone without these disputes: kept for the records as they are now, or left out with all edits of the same RRsets. */
export function resolved(
  edits: readonly StagedEdit[],
  disputes: readonly Dispute[],
  resolution: Resolution,
): readonly StagedEdit[] {
  const byOrdinal = new Map(disputes.map((dispute) => [dispute.edit.ordinal, dispute]));
  if (resolution === Resolution.MINE)
    return edits.map((edit) => {
      const dispute = byOrdinal.get(edit.ordinal);
      return dispute ? kept(dispute) : edit;
    });
  // What replaces a record is several edits of its RRset, which belong together.
  const left = new Set(disputes.map(({ edit }) => rrsetOf(subjectOf(edit))));
  return edits.filter(
    (edit) => !byOrdinal.has(edit.ordinal) && !left.has(rrsetOf(edit)) && !left.has(rrsetOf(subjectOf(edit))),
  );
}

/** An edit for the record as it is now. */
function kept({ edit, present }: Dispute): StagedEdit {
  if (!present) return { ...edit, op: StagedOp.ADD, recordId: null, baseChangeId: null, base: null };
  const { id: recordId, ...record } = present;
  // An edit that removes a record holds what the record was.
  if (edit.op === StagedOp.REMOVE)
    return { ...edit, ...record, wire: Buffer.from(record.wire), recordId, base: present };
  return { ...edit, op: StagedOp.UPDATE, recordId, base: present };
}

/** The edits of a zone, and those of them that are in dispute. */
interface DisputedEdits {
  readonly edits: readonly StagedEdit[];
  readonly disputes: readonly Dispute[];
}

/** The conflicts of a zone's edits, RRset by RRset; `plan` plans edits. */
export async function conflictsOf(
  session: Session,
  stored: StoredZone,
  { edits, disputes }: DisputedEdits,
  plan: (edits: readonly StagedEdit[]) => Planner,
): Promise<Conflict[]> {
  if (disputes.length === 0) return [];
  const mine = resolved(edits, disputes, Resolution.MINE);
  const copy = await madeBy(session, stored, plan(mine));
  const recordsAfter = (owner: string): readonly Line[] =>
    copy?.at(owner) ?? mine.filter(({ op }) => op !== StagedOp.REMOVE);
  const conflicts: Conflict[] = [];
  for (const [rrset, ofRrset] of Map.groupBy(disputes, ({ edit }) => rrsetOf(subjectOf(edit)))) {
    const { owner, type } = subjectOf((ofRrset[0] as Dispute).edit);
    const linesOf = (records: readonly Line[]) => records.filter((each) => rrsetOf(each) === rrset).map(lineOf);
    const before = linesOf(edits.flatMap(({ base }) => base ?? []));
    const now = linesOf(await stored.at([owner]));
    // A record that moves is in another RRset then.
    const moved = ofRrset.filter(({ edit }) => edit.op !== StagedOp.REMOVE && rrsetOf(edit) !== rrset);
    const after = [...linesOf(recordsAfter(owner)), ...moved.map(({ edit }) => lineOf(copy?.find(edit) ?? edit))];
    conflicts.push({
      message: `${rrset} was ${happenedTo(ofRrset)} since it was staged; keep what the set makes of it, or leave it as it is now.`,
      owner,
      type,
      base: before,
      // Lines that both sides have, and that the set does not edit, are in dispute on neither.
      mine: after.filter((line) => before.includes(line) || !now.includes(line)),
      theirs: now.filter((line) => before.includes(line) || !after.includes(line)),
      disputes: ofRrset,
    });
  }
  return conflicts;
}

/** The zone as a plan makes it; undefined when that is refused. */
async function madeBy(session: Session, stored: StoredZone, planner: Planner): Promise<WorkingCopy | undefined> {
  try {
    return (await editCopy(session, stored, planner)).copy;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** What happened to an RRset. */
function happenedTo(disputes: readonly Dispute[]): Dispute["happened"] {
  const [first, ...others] = new Set(disputes.map(({ happened }) => happened));
  return first !== undefined && others.length === 0 ? first : "changed";
}
