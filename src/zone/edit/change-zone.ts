/**
 * Changes a zone by edits of single records: has a plan made, takes the owners that it touches into a working copy,
 * applies the plan there, and hands the edited zone to finish-change.ts. A plan that changes nothing writes nothing.
 *
 * A change is two statements: one reads the domain and what the change looks at, one stores the change if the domain is
 * still as it was read. When others were faster it begins again, and after some times it locks the domain first.
 */
import { ReviewPolicy } from "../../account/review-policy.ts";
import { type Reason, Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import { defaultTtl } from "../../session/operator-policy.ts";
import { connection, type Session } from "../../session/session.ts";
import { isExcluded, transaction } from "../../sql/transaction.ts";
import type { ChangeRow } from "../change.ts";
import { type DomainRow, noSuchZone, readZone } from "../domain.ts";
import { type RecordRow, recordById } from "../record.ts";
import type { CanonicalRecord, RecordFields } from "./canonical-record.ts";
import type { StoredDomain } from "./demanded-review.ts";
import {
  type EditTerms,
  ownersAround,
  type Plan,
  type Planner,
  planEdits,
  sentField,
  withRows,
  type ZoneEdits,
} from "./edit-plan.ts";
import { type ChangeOrigin, type EditedZone, finishChange } from "./finish-change.ts";
import { noteMoves } from "./note-moves.ts";
import { type Notice, type Warned, warned } from "./notice.ts";
import { serialOf } from "./soa-serial.ts";
import { lastSerialOfName, type NameHistory, StaleZone, StoredZone } from "./stored-zone.ts";
import { collectReasons, WorkingCopy, type WorkingRecord } from "./working-copy.ts";
import { inZoneTurn } from "./zone-queue.ts";

/** How to change a zone: on which terms, and going back to what; a dry run stores nothing. */
export interface ChangeOptions extends EditTerms {
  readonly dryRun?: boolean;
  readonly origin?: ChangeOrigin;
}

/** The options that a change keeps while it is made. */
type Making = Pick<ChangeOptions, "dryRun" | "origin">;

/**
 * The result of a change: `change` is null when nothing changed or nothing was to be stored; `records` are the updated,
 * then the added ones. After a dry run the added records have no ids.
 */
export interface ZoneChange extends Warned {
  readonly change: ChangeRow | null;
  readonly records: readonly RecordRow[];
  readonly removed: readonly WorkingRecord[];
  readonly added: readonly WorkingRecord[];
}

/** Changes a zone, all or nothing, by edits or by a plan; joins the session's transaction when there is one. */
export async function changeZone(
  session: Session,
  zone: string,
  edits: ZoneEdits | Planner,
  options: ChangeOptions = {},
): Promise<ZoneChange> {
  mayWrite(session.actor);
  const name = readZone(zone);
  const planner = "plan" in edits ? edits : planEdits(session, name, edits, options);
  const locked = (inner: Session) => changeLocked(inner, name, planner, options);
  try {
    if (session.em.isInTransaction()) return await locked(session);
    const result = await inZoneTurn(
      session,
      name,
      async () => (await changeUnlocked(session, name, planner, options)) ?? (await transaction(session, locked)),
    );
    return "plan" in edits ? result : withSentFields(result, edits, options);
  } catch (error) {
    if (!(error instanceof Refusal) || "plan" in edits) throw error;
    throw withRows(error.withFieldNames((field) => sentField(edits, field, options)));
  }
}

/** The same result with the fields of its notices as the client sent them. */
function withSentFields(result: ZoneChange, edits: ZoneEdits, options: ChangeOptions): ZoneChange {
  if (result.notices.length === 0) return result;
  const fieldOf = (field: string | undefined) => field && sentField(edits, field, options);
  return { ...result, ...warned(result.notices.map((notice) => ({ ...notice, field: fieldOf(notice.field) }))) };
}

/** Changes the zone of a record; `zone`, when given, must be that one (INVALID_VALUE). */
export async function changeRecord(
  session: Session,
  id: number,
  edits: ZoneEdits,
  { zone, ...terms }: Pick<EditTerms, "expectedSerial" | "force"> & { zone?: string | null | undefined },
): Promise<ZoneChange> {
  mayWrite(session.actor);
  const record = await recordById(session, id);
  if (zone !== undefined && zone !== null && readZone(zone) !== record.zone) {
    throw new Refusal(
      "INVALID_VALUE",
      `zone is not ${record.zone}, to which record ${id} belongs; a record does not change its zone.`,
      { field: "zone" },
    );
  }
  return changeZone(session, record.zone, edits, { ...terms, single: true });
}

/** How often a zone is read without a lock, while others change it. */
const maxReads = 3;

/** Changes a zone without a lock; undefined when it takes one, and nothing was stored. */
async function changeUnlocked(
  session: Session,
  zone: string,
  planner: Planner,
  making: Making,
): Promise<ZoneChange | undefined> {
  for (let reads = 0; reads < maxReads; reads += 1) {
    const stored = await StoredZone.read(session, zone, planner.prefetch);
    if (!stored) throw noSuchZone(zone);
    try {
      const result = await changeStored(session, stored, planner, making);
      // What was stored was still as it was read; anything else holds of one state of the zone.
      return result.change || stored.isConsistent ? result : undefined;
    } catch (error) {
      if (error instanceof StaleZone) continue;
      if (isExcluded(error) || (error instanceof Refusal && !stored.isConsistent)) return undefined;
      throw error;
    }
  }
  return undefined;
}

async function changeLocked(session: Session, zone: string, planner: Planner, making: Making): Promise<ZoneChange> {
  const stored = await StoredZone.lock(session, zone, planner.prefetch);
  if (!stored) throw noSuchZone(zone);
  return changeStored(session, stored, planner, making);
}

/** Changes a zone as it was read; throws StaleZone when it is another by then. */
async function changeStored(
  session: Session,
  stored: StoredZone,
  planner: Planner,
  making: Making,
): Promise<ZoneChange> {
  return storeCopy(session, await editCopy(session, stored, planner), making);
}

/** A zone with edits that were made in memory; nothing of them is checked by the rules or stored. */
export interface EditedCopy {
  readonly domain: StoredDomain;
  readonly plan: Plan;
  readonly copy: WorkingCopy;
}

/** Makes the edits of a plan in a working copy of a zone. */
export async function editCopy(session: Session, stored: StoredZone, planner: Planner): Promise<EditedCopy> {
  const plan = await planner.plan(stored);
  const copy = await openCopy(stored, plan);
  applyPlan(session, copy, plan);
  return { domain: stored.domain, plan, copy };
}

/** Checks the edited copy of a zone and stores it; throws StaleZone when the zone is not as it was read any more. */
export async function storeCopy(
  session: Session,
  { domain, plan, copy }: EditedCopy,
  making: Making,
): Promise<ZoneChange> {
  const notices = plan.writes.flatMap(({ record }) => record.notices);
  if (copy.isUnchanged())
    return { change: null, records: rowsOf(domain, copy, plan), removed: [], added: [], ...warned(notices) };
  const lastSerial = copy.storedSoa() ? undefined : await lastSerialOfName(connection(session), domain.zone);
  const edited = editedZone(session, domain, copy, lastSerial, (more) => notices.push(...more));
  const going = { ...edited, origin: making.origin };
  const { stored: change, difference } = await finishChange(session, going, making.dryRun);
  const { removed, added } = difference;
  if (!change) return { change: null, records: [], removed, added, ...warned(notices) };
  copy.setIds(change.insertedIds);
  const records = rowsOf(domain, copy, plan);
  const shown = { removed, added: withIds(added, change.insertedIds) };
  return { change: change.change, records, ...shown, ...warned(notices) };
}

/**
 * Creates a zone with its first records by one statement, the domain too; throws StaleZone when there is one of the name
 * by then, or when one was deleted after the history of the name was read.
 */
export async function createZone(
  session: Session,
  { zone, userId, history }: { zone: string; userId: number; history: NameHistory },
  add: readonly RecordFields[],
): Promise<Warned & { readonly domain: DomainRow; readonly change: ChangeRow }> {
  const { domain, edited, notices } = await newZone(session, { zone, userId, add }, history);
  const { stored } = await finishChange(session, { ...edited, created: history });
  const change = stored?.change as ChangeRow;
  return {
    domain: { ...domain, id: change.domainId, serial: change.serial, createdAt: change.createdAt },
    change,
    ...warned(notices),
  };
}

/** Checks the first records of a zone as createZone does; nothing is stored. */
export async function checkZone(session: Session, zone: string, add: readonly RecordFields[]): Promise<Warned> {
  const { edited, notices } = await newZone(
    session,
    { zone, userId: null, add },
    { lastSerial: null, demands: ReviewPolicy.NONE },
  );
  await finishChange(session, { ...edited, created: { formerId: null } }, true);
  return warned(notices);
}

/** A zone that is not stored yet, with its first records. */
async function newZone(
  session: Session,
  { zone, userId, add }: { zone: string; userId: number | null; add: readonly RecordFields[] },
  { lastSerial, demands }: Pick<NameHistory, "lastSerial" | "demands">,
): Promise<{ domain: DomainRow; edited: EditedZone; notices: Notice[] }> {
  const domain = { id: 0, zone, serial: 0, userId, createdAt: session.now(), review: null, demands };
  const planner = planEdits(session, zone, { add }, {});
  const plan = await planner.plan(StoredZone.none(connection(session), domain, planner.prefetch));
  const copy = new WorkingCopy([]);
  applyPlan(session, copy, plan);
  const notices = plan.writes.flatMap(({ record }) => record.notices);
  const edited = editedZone(session, domain, copy, lastSerial ?? undefined, (more) => notices.push(...more));
  return { domain, edited, notices };
}

/** A working copy as finish-change.ts takes it. */
function editedZone(
  session: Session,
  domain: StoredDomain,
  copy: WorkingCopy,
  lastSerial: number | undefined,
  warn: (notices: readonly Notice[]) => void,
): EditedZone {
  const { zone } = domain;
  const [storedSoa, soa] = [copy.storedSoa(), copy.soa()];
  const view = { zone, limits: session.policy.ownerLimits, at: copy.at, below: copy.below };
  const fieldOf = (owner: string) => copy.touched.get(owner);
  const isRequested = soa && storedSoa && serialOf(soa) !== serialOf(storedSoa);
  return {
    domain,
    storedSoa,
    soa,
    lastSerial,
    requestedSerial: isRequested ? serialOf(soa) : undefined,
    touched: () => [
      {
        view,
        owners: copy.touched.keys(),
        fieldOf,
        editsOf: copy.editsOf,
        pathOf: copy.pathOf,
        written: copy.difference().added,
      },
    ],
    warn,
    difference: (next) => {
      copy.setSoa(next);
      const { removed, added } = copy.difference();
      return { removed, added, isStaged: false, moves: noteMoves(removed, added, copy.at) };
    },
  };
}

/** Takes the part of the zone that the plan touches or its rules look at. */
async function openCopy(stored: StoredZone, plan: Plan): Promise<WorkingCopy> {
  const written = plan.writes.map(({ record }) => record);
  const records = await stored.at(ownersAround(stored.domain.zone, plan.owners, written));
  const enough = plan.remove.length + plan.writes.length + 1;
  for (const dname of written.filter(({ type }) => type === "DNAME"))
    records.push(...(await stored.below(dname.owner, enough)));
  return new WorkingCopy(records);
}

/** Applies the plan to the working copy and reports all that fails together. */
function applyPlan(session: Session, copy: WorkingCopy, plan: Plan): void {
  const reasons: Reason[] = [];
  const isNew = copy.storedSoa() === undefined;
  for (const { id, field } of plan.remove) collectReasons(reasons, () => copy.remove(id, field));
  copy.expectUpdates(plan.writes.flatMap(({ id }) => id ?? []));
  for (const { id, record, path, serialDemand, formerId } of plan.writes) {
    collectReasons(reasons, () => {
      if (!isNew) checkTtlChoice(session.ttlChoices, copy, record, path);
      if (id === undefined) copy.add(record, defaultTtl(session.policy), path, formerId);
      else copy.update(id, record, path, serialDemand);
    });
  }
  if (reasons.length > 0) throw Refusal.of(reasons);
  copy.settleTtls();
}

/** Refuses a TTL that is neither one of the choices, when there are any, nor the RRset's present one. */
function checkTtlChoice(
  choices: readonly number[] | undefined,
  copy: WorkingCopy,
  record: CanonicalRecord,
  path: string,
): void {
  const { ttl } = record;
  if (!choices || ttl === undefined || choices.includes(ttl) || copy.ttlOf(record) === ttl) return;
  throw new Refusal("INVALID_TTL", `${path}ttl is ${ttl}; write one of ${choices.join(", ")}.`, {
    field: `${path}ttl`,
    details: { choices },
  });
}

/** The added records with the ids that those without one were stored under, in their order. */
function withIds(added: readonly WorkingRecord[], ids: readonly number[]): WorkingRecord[] {
  let inserted = 0;
  return added.map((record) => (record.id === undefined ? { ...record, id: ids[inserted++] } : record));
}

/** The written records as they are stored; the serial of an SOA may have been given by the change. */
function rowsOf(domain: DomainRow, copy: WorkingCopy, plan: Plan): RecordRow[] {
  return plan.writes.map(({ record }) => {
    const { id, owner, type, ttl, rdata } = (record.type === "SOA" ? copy.soa() : copy.find(record)) as WorkingRecord;
    return { id: id as number, domainId: domain.id, zone: domain.zone, owner, type, ttl, rdata };
  });
}
