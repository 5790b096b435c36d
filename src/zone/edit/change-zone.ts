/**
 * Changes a zone: a planner makes a plan from the edits, edit-and-check.ts applies and checks it in memory, and finish-change.ts stores it.
 * A plan that changes nothing writes nothing.
 *
 * A change takes two statements. The first reads the domain and the records that the change needs. The second stores the change if the
 * domain is still as it was read. If it is not, the change starts again; after `maxReads` attempts it locks the domain first.
 */
import { Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { isExcluded, transaction } from "../../session/transaction.ts";
import { inSpan } from "../../trace/span.ts";
import type { ChangeRow } from "../change.ts";
import { type DomainRow, noSuchZone, readZone } from "../domain.ts";
import { countLost, type Loss, lossOf } from "../loss.ts";
import { type RecordRow, recordById } from "../record.ts";
import { type CheckedCopy, checkCopy, editCopy } from "./edit-and-check.ts";
import {
  type EditTerms,
  type Plan,
  type Planner,
  planEdits,
  sentField,
  withRows,
  type ZoneEdits,
} from "./edit-plan.ts";
import { type ChangeOrigin, expectAffordable, finishChange } from "./finish-change.ts";
import type { WithNotices } from "./notice.ts";
import { StaleZone, StoredZone } from "./stored-zone.ts";
import type { WorkingCopy, WorkingRecord } from "./working-copy.ts";
import { inZoneTurn } from "./zone-queue.ts";

/** The terms of a change, and the change or moment that it goes back to. A dry run stores nothing. */
export interface ChangeOptions extends EditTerms {
  readonly dryRun?: boolean;
  readonly origin?: ChangeOrigin;
}

type Making = Pick<ChangeOptions, "dryRun" | "origin">;

/**
 * The result of a change. `change` is null when nothing changed and after a dry run. `records` are the updated, then the added ones;
 * after a dry run the added records have no ids.
 */
export interface ZoneChange extends WithNotices {
  readonly change: ChangeRow | null;
  /** The serial of the zone after the change; after a dry run, the serial that the change would give it. */
  readonly serial: number;
  readonly records: readonly RecordRow[];
  readonly removed: readonly WorkingRecord[];
  readonly added: readonly WorkingRecord[];
  readonly loss: Loss;
}

/** Changes a zone by edits or by a plan, all or nothing. Joins the session's transaction if there is one. Throws a Refusal. */
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
    const change = async () =>
      (await changeUnlocked(session, name, planner, options)) ?? (await transaction(session, locked));
    const span = { attributes: { "zonesmith.zone": name } };
    const result = await inSpan("change zone", span, () => inZoneTurn(session, name, change));
    return "plan" in edits ? result : withSentFields(result, edits, options);
  } catch (error) {
    if (!(error instanceof Refusal) || "plan" in edits) throw error;
    throw withRows(error.withFieldNames((field) => sentField(edits, field, options)));
  }
}

function withSentFields(result: ZoneChange, edits: ZoneEdits, options: ChangeOptions): ZoneChange {
  if (result.notices.length === 0) return result;
  const fieldOf = (field: string | undefined) => field && sentField(edits, field, options);
  return { ...result, notices: result.notices.map((notice) => ({ ...notice, field: fieldOf(notice.field) })) };
}

/** Changes the zone of a record; throws INVALID_VALUE when `zone` is given and is another zone. */
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

const maxReads = 3;

/**
 * Changes a zone without a lock. Returns undefined, with nothing stored, when the change needs a transaction: the domain's user has a
 * quota, the session has a fence, or other changes were faster `maxReads` times.
 */
async function changeUnlocked(
  session: Session,
  zone: string,
  planner: Planner,
  making: Making,
): Promise<ZoneChange | undefined> {
  for (let reads = 0; reads < maxReads && !session.fence; reads += 1) {
    const stored = await StoredZone.read(session, zone, planner.prefetch);
    if (!stored) throw noSuchZone(zone);
    if (stored.domain.metered) return undefined;
    try {
      const result = await changeStored(session, stored, planner, making);
      // A change that was stored saw the zone as it was. A result without a change is only valid if all reads saw one state of the zone.
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

/** Changes a zone as it was read; throws StaleZone when another change was committed since. */
async function changeStored(
  session: Session,
  stored: StoredZone,
  planner: Planner,
  making: Making,
): Promise<ZoneChange> {
  const edited = await editCopy(session, stored, planner);
  return storeCopy(session, await checkCopy(session, edited, { origin: making.origin }), making.dryRun);
}

/**
 * Stores the checked copy of a zone, unless it is a dry run; throws StaleZone when another change was committed since the zone was read.
 */
async function storeCopy(
  session: Session,
  { domain, plan, copy, change, notices }: CheckedCopy,
  dryRun = false,
): Promise<ZoneChange> {
  const { removed, added } = change?.difference ?? { removed: [], added: [] };
  const loss = lossOf(domain.zone, domain.recordCount, countLost({ removed, added }));
  const common = { serial: change?.entry.serial ?? domain.serial, loss, notices };
  if (!change) return { change, records: rowsOf(domain, copy, plan), removed, added, ...common };
  if (dryRun) {
    await expectAffordable(session, change, added.length - removed.length);
    return { change: null, records: [], removed, added, ...common };
  }
  const stored = await finishChange(session, change);
  copy.setIds(stored.insertedIds);
  const records = rowsOf(domain, copy, plan);
  const shown = { removed, added: withIds(added, stored.insertedIds) };
  return { change: stored.change, records, ...shown, ...common };
}

function withIds(added: readonly WorkingRecord[], ids: readonly number[]): WorkingRecord[] {
  let inserted = 0;
  return added.map((record) => (record.id === undefined ? { ...record, id: ids[inserted++] } : record));
}

function rowsOf(domain: DomainRow, copy: WorkingCopy, plan: Plan): RecordRow[] {
  return plan.writes.map(({ record }) => {
    const { id, owner, type, ttl, rdata } = (record.type === "SOA" ? copy.soa() : copy.find(record)) as WorkingRecord;
    return { id: id as number, domainId: domain.id, zone: domain.zone, owner, type, ttl, rdata };
  });
}
