import { noSuch, onRefusal, Refusal } from "../../errors.ts";
import { mayActFor, mayReachZone } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { newZoneOf, type TemplateOfDomain } from "../../template/new-zone.ts";
import { ChangeKind } from "../../zone/change.ts";
import { type AppliedTemplate, noSuchZone, readZone } from "../../zone/domain.ts";
import { type CanonicalRecord, parseRecord, type RecordFields } from "../../zone/edit/canonical-record.ts";
import { type Plan, planEdits, sentField, withRows, type ZoneEdits } from "../../zone/edit/edit-plan.ts";
import type { Notice } from "../../zone/edit/notice.ts";
import { StoredZone } from "../../zone/edit/stored-zone.ts";
import type { MomentSelector } from "../../zone/history/moment.ts";
import { defaultRecords } from "../../zone/lifecycle/default-records.ts";
import { mayCreateZone, readNewZone } from "../../zone/lifecycle/new-zone-name.ts";
import type { ZoneFile } from "../../zone/master-file/file-difference.ts";
import { ZoneRecord } from "../../zone/record.ts";
import { type StagedEdit, stagedZones } from "../contents.ts";
import { StagedOp } from "../states.ts";

const r = table(ZoneRecord, "r");

interface ZoneToStage {
  readonly zone: string;
  readonly expectedSerial?: number | null | undefined;
}

/** Edits of a zone; `append` keeps the edits that are already staged for it. */
interface EditsToStage extends ZoneToStage, ZoneEdits {
  readonly append?: boolean;
}

/** A zone to create, with the records of a template or else the default records; a record in `add` replaces those of its RRset. */
interface ZoneToCreate extends Partial<TemplateOfDomain> {
  readonly zone: string;
  readonly userId: number;
  readonly add?: readonly RecordFields[];
}

/** A deleted domain to restore: by default the last one of the zone, for its last user. */
export interface DomainToRestore extends ZoneToStage {
  readonly id?: number | undefined;
  readonly userId?: number | undefined;
}

/** The part of a zone as a client sends it: exactly one field is present. computed-part.ts reads the last three. */
export interface ZonePart {
  readonly edit?: EditsToStage | undefined;
  readonly create?: ZoneToCreate | undefined;
  readonly delete?: ZoneToStage | undefined;
  readonly restore?: DomainToRestore | undefined;
  readonly revert?: (ZoneToStage & { readonly to: MomentSelector }) | undefined;
  readonly import?: (ZoneToStage & ZoneFile) | undefined;
}

export interface ReadEdit {
  readonly op: StagedOp;
  /** The id of the record that is edited. For an addition, the former id of a removed record that is added again, or null. */
  readonly recordId: number | null;
  readonly baseChangeId: number | null;
  readonly record: Pick<CanonicalRecord, "owner" | "type" | "ttl" | "rdata" | "wire" | "digest">;
}

/** What a set does to a zone; the columns of ChangeSetZone, with the edits. */
export interface StagedPart {
  readonly zone: string;
  readonly action: ChangeKind;
  readonly domainId: number | null;
  readonly userId?: number | null;
  readonly undoes?: number | null;
  readonly returnsTo?: number | null;
  readonly template?: AppliedTemplate | null;
  readonly edits: readonly ReadEdit[];
  /** How many of the edits, the first ones, were staged before and are kept; undefined when the part replaces a staged part. */
  readonly keptCount?: number;
  readonly notice?: Pick<Notice, "code" | "message">;
}

/** The path of a part in the input, such as `zones.0.edit.`. */
export function pathOf(part: ZonePart, at: number): string {
  const [name] = Object.entries(part).find(([, input]) => input) ?? [];
  return `zones.${at}.${name}.`;
}

/** Runs `read` for a part; a refusal gets the path of the part before its field names. */
export function atPath<T>(part: ZonePart, at: number, read: () => Promise<T>): Promise<T> {
  return onRefusal(read, (refusal) => {
    const sent = withRows(refusal.withFieldNames((field) => sentField(part.edit ?? {}, field, {})));
    throw sent.withFieldNames((field) => `${pathOf(part, at)}${field}`);
  });
}

export function readPart(
  session: Session,
  setId: number,
  { edit, create, delete: deleted }: ZonePart,
): Promise<StagedPart> {
  if (create) return readCreation(session, create);
  if (edit?.append) return readAppended(session, setId, edit);
  return readEdited(session, edit ?? (deleted as ZoneToStage), deleted ? ChangeKind.DELETE : ChangeKind.EDIT);
}

async function readCreation(session: Session, create: ZoneToCreate): Promise<StagedPart> {
  const name = readNewZone(create.zone);
  const { userId } = create;
  mayActFor(session.actor, userId, "userId");
  mayReachZone(session.actor, name);
  mayCreateZone(session.actor, name, session.policy);
  const sent = additions(session, name, create);
  const { template, records } = await recordsOfNew(session, name, create);
  // A sent record replaces the records of its RRset. A sent CNAME replaces all records of its owner.
  const isReplaced = ({ record: { owner, type } }: ReadEdit) =>
    sent.some(({ record }) => record.owner === owner && (record.type === type || type === "CNAME"));
  const edits = [...records.filter((edit) => !isReplaced(edit)), ...sent];
  return { zone: name, action: ChangeKind.CREATE, domainId: null, userId, template: template ?? null, edits };
}

/** The records of a new zone and their template; a refusal names the field of the creation. */
function recordsOfNew(session: Session, zone: string, { template, variables = [] }: ZoneToCreate) {
  const read = async () => {
    const ofTemplate = await newZoneOf(session, zone, { template, variables });
    const all = ofTemplate.records ?? defaultRecords(zone, session.policy);
    return { ...ofTemplate, records: all.map((fields) => addition(parseRecord(fields, zone, session.policy))) };
  };
  return onRefusal(read, (refusal) => {
    throw refusal.withFieldNames((field) => (/^(templateId|variables)/.test(field) ? field : "templateId"));
  });
}

/** Edits that are appended to the staged edits of a zone. The zone may be one that the set creates. */
async function readAppended(session: Session, setId: number, edit: EditsToStage): Promise<StagedPart> {
  const zone = readZone(edit.zone);
  const [staged] = await stagedZones(session, setId, [zone]);
  if (staged?.action === ChangeKind.DELETE || staged?.action === ChangeKind.RESTORE) {
    const [does, instead] =
      staged.action === ChangeKind.DELETE
        ? ["deletes", "stage edits without append"]
        : ["restores", "edit it once it is back"];
    throw new Refusal("INVALID_VALUE", `append: the set ${does} ${zone}; ${instead}.`, { field: "append" });
  }
  const { action = ChangeKind.EDIT, userId = null, template = null } = staged ?? {};
  const part =
    action === ChangeKind.CREATE
      ? { zone, action, domainId: null, userId, edits: additions(session, zone, edit) }
      : await readEdited(session, edit);
  const edits = joined((staged?.edits ?? []).map(asRead), part.edits);
  return { ...part, template, edits, keptCount: edits.length - part.edits.length };
}

export function asRead({ op, recordId, baseChangeId, owner, type, ttl, rdata, wire, digest }: StagedEdit): ReadEdit {
  return { op, recordId, baseChangeId, record: { owner, type, ttl: ttl ?? undefined, rdata, wire, digest } };
}

/** Joins two lists of edits. A later edit replaces an earlier edit of the same record, or an equal addition. */
function joined(earlier: readonly ReadEdit[], later: readonly ReadEdit[]): readonly ReadEdit[] {
  const keys = new Set(later.map(keyOf));
  return [...earlier.filter((edit) => !keys.has(keyOf(edit))), ...later];
}

const keyOf = ({ op, recordId, record: { owner, type, digest } }: ReadEdit) =>
  op === StagedOp.ADD ? `${owner} ${type} ${digest}` : String(recordId);

function additions({ policy }: Session, zone: string, { add = [], update = [], remove = [] }: ZoneEdits): ReadEdit[] {
  if (update.length + remove.length > 0) {
    const field = update.length > 0 ? "update" : "remove";
    throw new Refusal("INVALID_VALUE", `${field}: ${zone} is yet to be created; send add alone.`, { field });
  }
  return add.map((fields: RecordFields, at) => addition(parseRecord(fields, zone, policy, `add.${at}.`)));
}

export const addition = (record: CanonicalRecord): ReadEdit => ({
  op: StagedOp.ADD,
  recordId: null,
  baseChangeId: null,
  record,
});

/** Reads the edits, or the deletion, of an existing zone. */
async function readEdited(
  session: Session,
  { zone: sent, expectedSerial, ...edits }: ZoneToStage & ZoneEdits,
  action: ChangeKind = ChangeKind.EDIT,
): Promise<StagedPart> {
  const zone = readZone(sent);
  const planner = planEdits(session, zone, edits, { expectedSerial });
  // The changes are read before the records. Then a change by somebody else between the two reads becomes a conflict, and is not
  // overwritten.
  const bases = await changesOf(session, planner.prefetch.ids);
  const stored = await StoredZone.read(session, zone, planner.prefetch);
  if (!stored) throw noSuchZone(zone);
  const { id: domainId } = stored.domain;
  const plan = await planner.plan(stored);
  return { zone, action, domainId, edits: await editsOfPlan(stored, plan, bases) };
}

/** A plan as edits to be staged; `bases` are the results of `changesOf` for its records. */
export async function editsOfPlan(
  stored: StoredZone,
  plan: Plan,
  bases: ReadonlyMap<number, number>,
): Promise<ReadEdit[]> {
  const removed = await stored.byId(plan.remove.map(({ id }) => id));
  const records = new Map(removed.map((record) => [record.id, record]));
  const removals = plan.remove.map(({ id, field }): ReadEdit => {
    const record = records.get(id);
    const baseChangeId = bases.get(id);
    if (!record || baseChangeId === undefined) throw noSuch("record", id, field);
    return { op: StagedOp.REMOVE, recordId: id, baseChangeId, record };
  });
  const writes = plan.writes.map(({ id, formerId, record }): ReadEdit => {
    if (id === undefined) return { ...addition(record), recordId: formerId ?? null };
    return { op: StagedOp.UPDATE, recordId: id, baseChangeId: bases.get(id) ?? null, record };
  });
  return [...removals, ...writes];
}

/** For each of these records, the change that wrote its present version. */
export async function changesOf(session: Session, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const query = sql<{ id: number; changeId: number }>`
    select ${r.columns("id", "changeId")} from ${r} where ${r.id} = any(${ids})`;
  const rows = await query.run(session);
  return new Map(rows.map(({ id, changeId }) => [id, changeId]));
}
