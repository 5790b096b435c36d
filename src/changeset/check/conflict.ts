/**
 * Conflicts of a change set: RRsets, or whole zones, that somebody else changed after edits of them were staged. Each side is shown as the
 * records that its resolution would leave, so that a resolution does exactly what was shown.
 */

import { sameOctets } from "../../dns/wire.ts";
import { onRefusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { type ChangeRow, changesByIds } from "../../zone/change.ts";
import { ChangeRecord } from "../../zone/change-record.ts";
import { editCopy } from "../../zone/edit/edit-and-check.ts";
import type { Planner } from "../../zone/edit/edit-plan.ts";
import type { StoredRecord, StoredZone } from "../../zone/edit/stored-zone.ts";
import { ZoneRecord } from "../../zone/record.ts";
import type { StagedEdit } from "../contents.ts";
import { Resolution, StagedOp } from "../states.ts";

/** A staged edit that no longer fits its record, or the RRset of a record to add. */
export interface Dispute {
  readonly edit: StagedEdit;
  readonly happened: "changed" | "removed" | "added with another TTL";
  /** The present record, or null. */
  readonly present: StoredRecord | null;
  /** The other records of the RRset that somebody gave another TTL than the edit writes. */
  readonly others: readonly StoredRecord[];
}

/** A conflict of an RRset, or of a whole zone when owner and type are null. The three versions are lines of a master file. */
export interface Conflict {
  readonly message: string;
  readonly owner: string | null;
  readonly type: string | null;
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  /** The disputed edits of the RRset; empty for a whole zone. */
  readonly disputes: readonly Dispute[];
  readonly domainId: number | null;
}

const h = table(ChangeRecord, "h");
const r = table(ZoneRecord, "r");

type Line = Pick<StoredRecord, "owner" | "type" | "rdata"> & { readonly ttl?: number | null | undefined };

export const lineOf = ({ owner, ttl, type, rdata }: Line) =>
  `${owner} ${typeof ttl === "number" ? `${ttl} ` : ""}IN ${type} ${rdata}`;

export const rrsetOf = ({ owner, type }: Pick<Line, "owner" | "type">) => `${owner} ${type}`;

/** The former record of an edit, or the new record. */
const subjectOf = (edit: StagedEdit) => edit.base ?? edit;

export function conflictOfZone(message: string): Conflict {
  return { message, owner: null, type: null, base: [], mine: [], theirs: [], disputes: [], domainId: null };
}

/**
 * Returns the edits of a zone after a resolution. MINE: the disputed edits are rewritten to apply to the present records. THEIRS: the
 * disputed edits and all other edits of their RRsets are left out.
 */
export function resolved(
  edits: readonly StagedEdit[],
  disputes: readonly Dispute[],
  resolution: Resolution,
): readonly StagedEdit[] {
  const byOrdinal = new Map(disputes.map((dispute) => [dispute.edit.ordinal, dispute]));
  if (resolution === Resolution.MINE)
    return edits.flatMap((edit) => {
      const dispute = byOrdinal.get(edit.ordinal);
      return dispute ? forPresentRecords(dispute) : edit;
    });
  // A replacement consists of several edits of one RRset, which belong together.
  const left = new Set(disputes.map(({ edit }) => rrsetOf(subjectOf(edit))));
  return edits.filter(
    (edit) => !byOrdinal.has(edit.ordinal) && !left.has(rrsetOf(edit)) && !left.has(rrsetOf(subjectOf(edit))),
  );
}

/** The edits that do to the present records what a disputed edit does. */
function forPresentRecords({ edit, present, others }: Dispute): readonly StagedEdit[] {
  if (!present) {
    if (edit.op === StagedOp.REMOVE) return [];
    const added: StagedEdit = { ...edit, op: StagedOp.ADD, recordId: null, baseChangeId: null, base: null };
    return [added, ...others.map((record) => onPresent({ ...edit, ...record, ttl: edit.ttl }, record))];
  }
  // A REMOVE edit holds the content of the removed record, and an edit of the TTL the content that stays.
  if (edit.op === StagedOp.REMOVE) return [{ ...onPresent({ ...edit, ...present }, present), op: StagedOp.REMOVE }];
  return [onPresent(isOfTtl(edit) ? { ...edit, ...present, ttl: edit.ttl } : edit, present)];
}

const onPresent = (edit: Omit<StagedEdit, "wire"> & { wire: Uint8Array }, present: StoredRecord): StagedEdit => ({
  ...edit,
  wire: Buffer.from(edit.wire),
  op: StagedOp.UPDATE,
  recordId: present.id,
  base: present,
});

/** Whether an edit changes the TTL of a record and nothing else. */
export const isOfTtl = ({ op, base, ...edit }: StagedEdit): boolean =>
  typeof edit.ttl === "number" &&
  op === StagedOp.UPDATE &&
  base !== null &&
  rrsetOf(edit) === rrsetOf(base) &&
  sameOctets(edit.wire, base.wire);

interface DisputedEdits {
  readonly edits: readonly StagedEdit[];
  readonly disputes: readonly Dispute[];
}

export async function conflictsOf(
  session: Session,
  stored: StoredZone,
  { edits, disputes }: DisputedEdits,
  plan: (edits: readonly StagedEdit[]) => Planner,
): Promise<Conflict[]> {
  if (disputes.length === 0) return [];
  const mine = resolved(edits, disputes, Resolution.MINE);
  // Undefined when the plan is refused.
  const edited = await onRefusal(
    () => editCopy(session, stored, plan(mine)),
    () => undefined,
  );
  const copy = edited?.copy;
  const recordsAfter = (owner: string): readonly Line[] =>
    copy?.at(owner) ?? mine.filter(({ op }) => op !== StagedOp.REMOVE);
  const conflicts: Conflict[] = [];
  for (const [rrset, ofRrset] of Map.groupBy(disputes, ({ edit }) => rrsetOf(subjectOf(edit)))) {
    const { owner, type } = subjectOf((ofRrset[0] as Dispute).edit);
    const linesOf = (records: readonly Line[]) => records.filter((each) => rrsetOf(each) === rrset).map(lineOf);
    const before = linesOf([...edits.flatMap(({ base }) => base ?? []), ...(await formerOf(session, stored, ofRrset))]);
    const now = linesOf(await stored.at([owner]));
    // The edit moves the record to another RRset.
    const moved = ofRrset.filter(({ edit }) => edit.op !== StagedOp.REMOVE && rrsetOf(edit) !== rrset);
    const after = [...linesOf(recordsAfter(owner)), ...moved.map(({ edit }) => lineOf(copy?.find(edit) ?? edit))];
    conflicts.push({
      message: `${rrset} was ${happenedTo(ofRrset)} after it was staged; keep the edits of the set, or keep the records as they are now.`,
      owner,
      type,
      base: before,
      // A line that both sides have and the set does not edit is not in dispute.
      mine: after.filter((line) => before.includes(line) || !now.includes(line)),
      theirs: now.filter((line) => before.includes(line) || !after.includes(line)),
      disputes: ofRrset,
      domainId: stored.domain.id,
    });
  }
  return conflicts;
}

/** The other records of disputed additions, as they were when the additions were staged. */
async function formerOf(session: Session, { domain }: StoredZone, disputes: readonly Dispute[]): Promise<Line[]> {
  const [first] = disputes.filter(({ edit }) => edit.op === StagedOp.ADD && edit.baseChangeId !== null);
  const ids = first?.others.map(({ id }) => id) ?? [];
  if (!first || ids.length === 0) return [];
  const query = sql<Line>`
    select ${h.columns("owner", "type", "ttl", "rdata")} from ${h} where ${h.domainId} = ${domain.id} and ${h.recordId} = any(${ids})
      and ${h.owner} = ${first.edit.owner} and ${h.type} = ${first.edit.type}
      and ${h.since} <= ${first.edit.baseChangeId} and ${h.changeId} > ${first.edit.baseChangeId}`;
  return query.run(session);
}

/** The change that last touched the RRset of a conflict; null for a whole zone, and when the session does not see it. */
export async function changeBehind(
  session: Session,
  { domainId, owner, type }: Pick<Conflict, "domainId" | "owner" | "type">,
): Promise<ChangeRow | null> {
  if (domainId === null) return null;
  const query = sql<{ id: number | null }>`
    select greatest(
      (select max(${r.changeId}) from ${r} where ${r.domainId} = ${domainId} and ${r.owner} = ${owner} and ${r.type} = ${type}),
      (select max(${h.changeId}) from ${h} where ${h.domainId} = ${domainId} and ${h.owner} = ${owner} and ${h.type} = ${type})
    ) as id`;
  const [last] = await query.run(session);
  return (await changesByIds(session, last?.id ? [last.id] : []))[0] ?? null;
}

function happenedTo(disputes: readonly Dispute[]): Dispute["happened"] {
  const [first, ...others] = new Set(disputes.map(({ happened }) => happened));
  return first !== undefined && others.length === 0 ? first : "changed";
}
