/**
 * Plans: what a change does to the stored records of a zone. One planner makes plans from edits by id, another from dynamic updates (RFC
 * 2136).
 */
import { collectReasons, noSuch, type Reason, Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { DomainRow } from "../domain.ts";
import { type CanonicalRecord, parseRecord, type RecordFields } from "./canonical-record.ts";
import { expectAll, type PreconditionFields, readPreconditions } from "./precondition.ts";
import { ancestors, targets } from "./rules.ts";
import type { SerialDemand } from "./soa-serial.ts";
import type { Prefetch, StoredZone } from "./stored-zone.ts";
import type { WorkingRecord } from "./working-copy.ts";

/** New content for the record of this id; a field that is left out keeps its value. */
interface RecordEdit extends Partial<RecordFields> {
  readonly id: number;
}

/** Edits of a zone, made in this order: remove records by id, update records, add records. */
export interface ZoneEdits {
  readonly remove?: readonly number[];
  readonly update?: readonly RecordEdit[];
  readonly add?: readonly RecordFields[];
}

/**
 * The terms of edits. `force`: the SOA serial may leap. `single`: the request is one edit, so the field names of refusals have no index.
 */
export interface EditTerms {
  readonly force?: boolean | null | undefined;
  readonly expectedSerial?: number | null | undefined;
  readonly preconditions?: readonly PreconditionFields[] | null | undefined;
  readonly single?: boolean;
}

/** An edit that writes a record. `id` is undefined for a new record; `path` is the path of its fields in the request. */
export interface PlannedWrite {
  readonly id: number | undefined;
  readonly record: CanonicalRecord;
  readonly path: string;
  readonly serialDemand?: SerialDemand;
  /** The former id of a record that was removed; the record is stored under it again. */
  readonly formerId?: number | undefined;
}

export interface Plan {
  readonly remove: readonly { readonly id: number; readonly field: string }[];
  readonly writes: readonly PlannedWrite[];
  readonly owners: readonly string[];
}

export interface Planner {
  /** The records that the plan and its rules probably need. */
  readonly prefetch: Prefetch;
  /** Returns the plan for a zone as it is stored, or throws a Refusal. Called again when the zone was changed meanwhile. */
  plan(zone: StoredZone): Promise<Plan>;
}

/**
 * The owners that a change touches and the owners that its rules look at: the apex, all owners above, and the targets of written records.
 */
export function ownersAround(zone: string, touched: Iterable<string>, written: readonly CanonicalRecord[]): string[] {
  const owners = new Set(["@", ...touched, ...written.map(({ owner }) => owner)]);
  for (const owner of [...owners]) for (const ancestor of ancestors(owner)) owners.add(ancestor);
  for (const record of written) for (const target of targets(record, zone)) owners.add(target);
  return [...owners];
}

/** A planner of edits by id; `zone` is canonical. All malformed edits are reported in one Refusal. */
export function planEdits(session: Session, zone: string, edits: ZoneEdits, terms: EditTerms): Planner {
  const { remove = [], update = [], add = [] } = edits;
  const added = add.map((fields, at) =>
    attempt(() => parseRecord(fields, zone, session.policy, pathOf(terms, "add", at))),
  );
  const written = added.flatMap(({ record }) => record ?? []);
  const ids = [...remove, ...update.map(({ id }) => id)];
  return {
    prefetch: { owners: ownersAround(zone, [], written), ids },
    plan: async (stored) => {
      expectSerial(stored.domain, terms.expectedSerial);
      await expectPreconditions(stored, terms.preconditions ?? []);
      return readPlan(session, stored, { remove, update, added }, terms);
    },
  };
}

interface Attempt {
  readonly record: CanonicalRecord | undefined;
  readonly reasons: readonly Reason[];
}

function attempt(read: () => CanonicalRecord): Attempt {
  const reasons: Reason[] = [];
  return { record: collectReasons(reasons, read), reasons };
}

function pathOf({ single = false }: EditTerms, list: "update" | "add", at: number): string {
  return single ? "" : `${list}.${at}.`;
}

export function expectSerial(domain: Pick<DomainRow, "serial">, expected: number | null | undefined): void {
  if (expected === undefined || expected === null || expected === domain.serial) return;
  const message = `The zone is at serial ${domain.serial}, not at the expected ${expected}; read it again.`;
  throw new Refusal("STALE_SERIAL", message, { field: "expectedSerial", details: { serial: domain.serial } });
}

async function expectPreconditions(stored: StoredZone, fields: readonly PreconditionFields[]): Promise<void> {
  if (fields.length === 0) return;
  const list = readPreconditions(fields, stored.domain.zone);
  const records = Map.groupBy(await stored.at([...new Set(list.map(({ owner }) => owner))]), ({ owner }) => owner);
  expectAll(list, (owner) => records.get(owner) ?? []);
}

interface ReadEdits extends Required<Pick<ZoneEdits, "remove" | "update">> {
  readonly added: readonly Attempt[];
}

/** Parses the updates; throws one Refusal with all malformed edits. */
async function readPlan(session: Session, zone: StoredZone, edits: ReadEdits, terms: EditTerms): Promise<Plan> {
  const { remove, update, added } = edits;
  const stored = await zone.byId([...remove, ...update.map(({ id }) => id)]);
  const byId = new Map(stored.map((record) => [record.id, record]));
  const updated = new Set<number>();
  const reasons: Reason[] = [];
  const writes: PlannedWrite[] = [];
  const sent = terms.force ? "greater" : "near";
  for (const [at, { id, ...edit }] of update.entries()) {
    const old = byId.get(id);
    const path = pathOf(terms, "update", at);
    const field = `${path}recordId`;
    if (!old) reasons.push(...noSuch("record", id, field).reasons);
    else if (updated.has(id))
      reasons.push({
        code: "INVALID_VALUE",
        message: `Record ${id} is updated already in this request; send it once.`,
        field,
      });
    else
      collectReasons(reasons, () => {
        const kept = edit.owner === undefined || edit.owner === null ? old.owner : undefined;
        const record = parseRecord(merge(old, edit), zone.domain.zone, session.policy, path, kept);
        const serialDemand = edit.rdata === undefined || edit.rdata === null ? "present" : sent;
        writes.push({ id, record, path, serialDemand });
      });
    updated.add(id);
  }
  for (const [at, { record, reasons: refused }] of added.entries()) {
    if (record) writes.push({ id: undefined, record, path: pathOf(terms, "add", at) });
    reasons.push(...refused);
  }
  if (reasons.length > 0) throw Refusal.of(reasons);
  return {
    remove: remove.map((id, at) => ({ id, field: terms.single ? "recordId" : `remove.${at}` })),
    writes,
    owners: stored.map(({ owner }) => owner),
  };
}

const recordFields = ["type", "owner", "rdata", "ttl"] as const;

/**
 * The field of a refusal as the client sent it. When an update does not send the field, the result is a field that it does send. Data
 * sent as typed fields is `data`.
 */
export function sentField({ update = [], add = [] }: ZoneEdits, field: string, { single = false }: EditTerms): string {
  const [, path = "", list, at = "0", name] = /^((update|add)\.(\d+)\.)?(\w+)$/.exec(field) ?? [];
  const isUpdate = list === "update" || (single && update.length > 0);
  const edit: Partial<RecordFields> | undefined =
    single || path !== "" ? (isUpdate ? update : add)[Number(at)] : undefined;
  const isSent = (column: keyof RecordFields) => edit?.[column] !== undefined && edit[column] !== null;
  if (!edit || !recordFields.some((column) => column === name)) return field;
  if (typeof edit.rdata === "object" && (name === "rdata" || name === "type")) return `${path}data`;
  if (!isUpdate || isSent(name as keyof RecordFields)) return field;
  return `${path}${recordFields.find(isSent) ?? "recordId"}`;
}

/** The refusal with the row of a list, such as `add.3`, at the beginning of each sentence. */
export function withRows(refusal: Refusal): Refusal {
  const reasons = refusal.reasons.map((reason) => {
    const row = /^[a-z]+\.\d+/i.exec(reason.field ?? "")?.[0] ?? "";
    return reason.message.startsWith(row) ? reason : { ...reason, message: `${row}: ${reason.message}` };
  });
  return Refusal.of(reasons, refusal.details);
}

function merge(old: WorkingRecord, edit: Partial<RecordFields>): RecordFields {
  return {
    owner: edit.owner ?? old.owner,
    type: edit.type ?? old.type,
    ttl: edit.ttl,
    rdata: edit.rdata ?? old.rdata,
  };
}
