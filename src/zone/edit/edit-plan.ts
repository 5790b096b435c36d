/**
 * Plans: what a change does to a zone, made canonical while the zone is locked, so that a plan may depend on the stored records.
 * Edits by id are one way to make a plan; a dynamic update (RFC 2136) is another.
 */
import { noSuch, type Reason, Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import type { DomainRow } from "../domain.ts";
import { type CanonicalRecord, parseRecord, type RecordFields } from "./canonical-record.ts";
import { expectAll, type PreconditionFields, readPreconditions } from "./precondition.ts";
import { collectReasons, type SerialDemand, type WorkingRecord } from "./working-copy.ts";

/** New content for the record of this id; a field that is left out stays as it is. */
export interface RecordEdit extends Partial<RecordFields> {
  readonly id: number;
}

/** What to do to a zone, in this order: remove records by id, update records, add records. */
export interface ZoneEdits {
  readonly remove?: readonly number[];
  readonly update?: readonly RecordEdit[];
  readonly add?: readonly RecordFields[];
}

/**
 * The conditions of edits. `force`: an SOA serial may leap. `single`: there is one edit, so that the field names of refusals have no
 * index.
 */
export interface EditTerms {
  readonly force?: boolean | null | undefined;
  readonly expectedSerial?: number | null | undefined;
  readonly preconditions?: readonly PreconditionFields[] | null | undefined;
  readonly single?: boolean;
}

/** A zone that nobody else changes until the transaction ends. */
export interface LockedZone {
  readonly domain: DomainRow;
  /** The records of these owners. */
  at(owners: readonly string[]): Promise<readonly WorkingRecord[]>;
  /** The records of these ids. */
  byId(ids: readonly number[]): Promise<readonly WorkingRecord[]>;
}

/** One edit that writes a record: the record, the id it updates (undefined when it is new), and the path of its fields in the request. */
export interface PlannedWrite {
  readonly id: number | undefined;
  readonly record: CanonicalRecord;
  readonly path: string;
  /** Of an edited SOA. */
  readonly serialDemand?: SerialDemand;
}

/** All that a change does, in the order of ZoneEdits. */
export interface Plan {
  readonly remove: readonly { readonly id: number; readonly field: string }[];
  readonly writes: readonly PlannedWrite[];
  /** The present owners of removed and updated records. */
  readonly owners: readonly string[];
}

/** Makes a plan for a locked zone, or refuses. */
export type Planner = (zone: LockedZone) => Promise<Plan>;

/** Plans edits by id; reports all that are malformed together. */
export function planEdits(session: Session, edits: ZoneEdits, terms: EditTerms): Planner {
  return async (zone) => {
    expectSerial(zone.domain, terms.expectedSerial);
    await expectPreconditions(zone, terms.preconditions ?? []);
    return readPlan(session, zone, edits, terms);
  };
}

function expectSerial(domain: DomainRow, expected: number | null | undefined): void {
  if (expected === undefined || expected === null || expected === domain.serial) return;
  const message = `The zone is at serial ${domain.serial}, not at the expected ${expected}; read it again.`;
  throw new Refusal("STALE_SERIAL", message, { field: "expectedSerial", details: { serial: domain.serial } });
}

async function expectPreconditions(zone: LockedZone, fields: readonly PreconditionFields[]): Promise<void> {
  if (fields.length === 0) return;
  const list = readPreconditions(fields, zone.domain.zone);
  const stored = Map.groupBy(await zone.at([...new Set(list.map(({ owner }) => owner))]), ({ owner }) => owner);
  expectAll(list, (owner) => stored.get(owner) ?? []);
}

/** Makes every edit canonical and reports all that are malformed together. */
async function readPlan(
  session: Session,
  zone: LockedZone,
  edits: ZoneEdits,
  { single = false, force }: EditTerms,
): Promise<Plan> {
  const { domain } = zone;
  const { remove = [], update = [], add = [] } = edits;
  const path = (list: "update" | "add", at: number) => (single ? "" : `${list}.${at}.`);
  const stored = await zone.byId([...remove, ...update.map(({ id }) => id)]);
  const byId = new Map(stored.map((record) => [record.id, record]));
  const updated = new Set<number>();
  const reasons: Reason[] = [];
  const writes: PlannedWrite[] = [];
  const write = (fields: RecordFields, about: Omit<PlannedWrite, "record">) =>
    collectReasons(reasons, () =>
      writes.push({ ...about, record: parseRecord(fields, domain.zone, session.policy, about.path) }),
    );
  const sent = force ? "greater" : "near";
  for (const [at, { id, ...edit }] of update.entries()) {
    const old = byId.get(id);
    const field = `${path("update", at)}id`;
    if (!old) reasons.push(...noSuch("record", id, field).reasons);
    else if (updated.has(id))
      reasons.push({ code: "INVALID_VALUE", message: `Record ${id} is updated twice; send it once.`, field });
    else
      write(merge(old, edit, domain.zone), {
        id,
        path: path("update", at),
        serialDemand: edit.rdata === undefined || edit.rdata === null ? "present" : sent,
      });
    updated.add(id);
  }
  for (const [at, fields] of add.entries()) write(fields, { id: undefined, path: path("add", at) });
  if (reasons.length > 0) throw Refusal.of(reasons);
  return {
    remove: remove.map((id, at) => ({ id, field: single ? "id" : `remove.${at}` })),
    writes,
    owners: stored.map(({ owner }) => owner),
  };
}

const recordFields = ["type", "owner", "rdata", "ttl"] as const;

/**
 * A field of a refusal as the client sent it: what an update leaves as it is is named by a field that it has, and data that was sent as
 * typed fields is `data`.
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
  return `${path}${recordFields.find(isSent) ?? "id"}`;
}

/** The same refusal with the row of a list, such as `add.3`, before each sentence that does not begin with it. */
export function withRows(refusal: Refusal): Refusal {
  const reasons = refusal.reasons.map((reason) => {
    const row = /^[a-z]+\.\d+/i.exec(reason.field ?? "")?.[0] ?? "";
    return reason.message.startsWith(row) ? reason : { ...reason, message: `${row}: ${reason.message}` };
  });
  return Refusal.of(reasons, refusal.details);
}

/**
 * Completes an edit from the stored record. The owner is made absolute, so that it is not taken for a relative name that
 * ends in the zone's own.
 */
function merge(old: WorkingRecord, edit: Partial<RecordFields>, zone: string): RecordFields {
  const owner = old.owner === "@" ? "@" : `${old.owner}.${zone}.`;
  return { owner: edit.owner ?? owner, type: edit.type ?? old.type, ttl: edit.ttl, rdata: edit.rdata ?? old.rdata };
}
