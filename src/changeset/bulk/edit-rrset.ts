/** Applies an edit of many records to one RRset: which records match, and their new content. Records that become equal are merged. */
import { recordType } from "../../dns/rdata/record-type-registry.ts";
import { collectReasons, type Reason } from "../../errors.ts";
import type { Policy } from "../../session/operator-policy.ts";
import { parseField } from "../../session/parse-field.ts";
import { type CanonicalRecord, parseWireRecord } from "../../zone/edit/canonical-record.ts";
import { addition, type ReadEdit } from "../stage/read-part.ts";
import { StagedOp } from "../states.ts";
import type { Matcher, Replacer } from "./replace-rdata.ts";

export interface EditableRecord extends Required<CanonicalRecord> {
  readonly id: number;
  readonly domainId: number;
  readonly zone: string;
  readonly changeId: number;
  readonly ttl: number;
}

export interface RecordEditing {
  readonly matches: Matcher;
  readonly ttl: number | undefined;
  readonly isRemoval: boolean;
  readonly replace: Replacer | undefined;
  /** Returns the records to add to an RRset that the edits change; `record` is one of the RRset's records. */
  readonly additions?: (record: EditableRecord) => readonly CanonicalRecord[];
}

/** A record that cannot be edited, and stays as it is. */
export interface RefusedEdit extends Reason {
  readonly zone: string;
  readonly owner: string;
  readonly type: string;
  readonly recordId: number;
}

export interface EditedRrset {
  readonly edits: readonly ReadEdit[];
  readonly matched: number;
  /** How many records are removed because they would become equal to others. */
  readonly merged: number;
  readonly refusals: readonly RefusedEdit[];
  readonly changed: number;
}

export function editRrset(records: readonly EditableRecord[], editing: RecordEditing, policy: Policy): EditedRrset {
  const refusals: RefusedEdit[] = [];
  const results = records.flatMap((record): Result[] => {
    const result = resultOf(record, editing, policy);
    if (result === undefined) return [];
    if (!("reasons" in result)) return [{ record, ...result }];
    const { zone, owner, type, id: recordId } = record;
    refusals.push(...result.reasons.map(({ code, message }) => ({ code, message, zone, owner, type, recordId })));
    return [{ record, to: undefined }];
  });
  const edited = results.filter(isEdit);
  const ids = new Set(edited.map(({ record }) => record.id));
  const taken = new Set(records.filter(({ id }) => !ids.has(id)).map(({ digest }) => digest));
  const edits: ReadEdit[] = [];
  let merged = 0;
  for (const { record, to } of edited) {
    const isMerged = to !== null && taken.has(to.digest);
    if (isMerged) merged += 1;
    else if (to) taken.add(to.digest);
    edits.push(editOf(record, isMerged ? null : to));
  }
  const [first] = records;
  const additions = first && edits.length > 0 ? (editing.additions?.(first) ?? []) : [];
  edits.push(...additions.filter(({ digest }) => !taken.has(digest)).map(addition));
  return { edits, matched: results.length, merged, refusals, changed: edited.length };
}

/** A matched record: `to` is null when it is removed, undefined when it stays as it is. */
interface Result {
  readonly record: EditableRecord;
  readonly to: CanonicalRecord | null | undefined;
}

const isEdit = (result: Result): result is Result & { readonly to: CanonicalRecord | null } => result.to !== undefined;

function resultOf(
  record: EditableRecord,
  { matches, ttl, isRemoval, replace }: RecordEditing,
  policy: Policy,
): Pick<Result, "to"> | { readonly reasons: readonly Reason[] } | undefined {
  if (!matches(record)) return undefined;
  if (isRemoval) return { to: null };
  const reasons: Reason[] = [];
  const result = collectReasons(reasons, () => {
    const wire = replace ? parseField("rdata", () => replace(record)) : record.wire;
    if (!wire) return undefined;
    const { owner, type } = record;
    const fields = { owner, type: recordType(type).code, ttl: ttl ?? record.ttl, rdata: wire };
    const to = parseWireRecord(fields, policy, "");
    if (to.rdata === record.rdata && to.ttl === record.ttl) return { to: undefined };
    // Without a TTL the record keeps the TTL that its RRset has at the application.
    return { to: { ...to, ttl } };
  });
  return reasons.length > 0 ? { reasons } : result;
}

function editOf(from: EditableRecord, to: CanonicalRecord | null): ReadEdit {
  const common = { recordId: from.id, baseChangeId: from.changeId };
  return to ? { op: StagedOp.UPDATE, ...common, record: to } : { op: StagedOp.REMOVE, ...common, record: from };
}
