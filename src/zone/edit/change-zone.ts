/**
 * The one door: every change of a zone's records or serial goes through changeZone. In one transaction it locks the domain, has a plan
 * made, reads the touched owners, applies the plan, judges the zone as it would be, gives the serial, and stores records and journal
 * together. A plan that changes nothing writes nothing.
 */
import { nextSerial } from "../../dns/serial.ts";
import { type Reason, Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import { defaultTtl } from "../../session/policy.ts";
import { connection, type Session, today } from "../../session/session.ts";
import { ChangeKind, type ChangeRow } from "../change.ts";
import { type DomainRow, noSuchZone, readZone } from "../domain.ts";
import { type RecordRow, recordById } from "../record.ts";
import type { CanonicalRecord } from "./canonical-record.ts";
import { type EditTerms, type Plan, type Planner, planEdits, type ZoneEdits } from "./plan.ts";
import { ancestors, targets, violations, warnings, type ZoneView } from "./rules.ts";
import { lockDomain, readBelow, readById, readOwners, storeJournal, storeRecords } from "./store.ts";
import { collectReasons, serialOf, WorkingCopy, type WorkingRecord, withSerial } from "./working-copy.ts";

/** How to do it: on which terms, and whether only to tell. */
export interface ChangeOptions extends EditTerms {
  readonly dryRun?: boolean;
}

/** What came of it: `change` is null when nothing changed or nothing was to be stored; `records` are the updated, then the added ones. */
export interface ZoneChange {
  readonly change: ChangeRow | null;
  readonly records: readonly RecordRow[];
  readonly removed: readonly WorkingRecord[];
  readonly added: readonly WorkingRecord[];
  readonly warnings: readonly string[];
}

/** Changes a zone, all or nothing, by edits or by a plan that is made under its lock; joins the session's transaction when there is one. */
export async function changeZone(
  session: Session,
  zone: string,
  edits: ZoneEdits | Planner,
  options: ChangeOptions = {},
): Promise<ZoneChange> {
  mayWrite(session.actor);
  const name = readZone(zone);
  const planner = typeof edits === "function" ? edits : planEdits(session, edits, options);
  const { dryRun = false } = options;
  if (session.em.isInTransaction()) return changeLocked(session, name, planner, dryRun);
  return session.em.transactional((em) => changeLocked({ ...session, em }, name, planner, dryRun));
}

/** Changes the zone that a record stands in; `zone`, when given, must be that one (INVALID_VALUE). */
export async function changeRecord(
  session: Session,
  id: number,
  edits: ZoneEdits,
  { zone, expectedSerial }: { zone?: string | null | undefined; expectedSerial?: number | null | undefined },
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
  return changeZone(session, record.zone, edits, { expectedSerial, single: true });
}

async function changeLocked(session: Session, zone: string, planner: Planner, dryRun: boolean): Promise<ZoneChange> {
  const db = connection(session);
  const domain = await lockDomain(db, session.actor, zone);
  if (!domain) throw noSuchZone(zone);
  const plan = await planner({
    domain,
    at: (owners) => readOwners(db, domain.id, owners),
    byId: (ids) => readById(db, domain.id, ids),
  });
  const draft = await openDraft(session, domain, plan);
  apply(session, draft, plan);
  const touched = draft.difference();
  const view = viewOf(session, zone, draft);
  const written = [...touched.inserted, ...touched.edited.map(({ to }) => to)];
  const result = {
    warnings: [...plan.writes.flatMap(({ record }) => record.warnings), ...warnings(view, written)],
  };
  if (written.length + touched.deleted.length === 0) {
    return { ...result, change: null, records: rowsOf(domain, draft, plan), removed: [], added: [] };
  }
  const reasons = violations(view, draft.touched);
  if (reasons.length > 0) throw Refusal.of(reasons);
  const previous = draft.storedSoa();
  giveSerial(session, draft, previous);
  return { ...result, ...(await commit(session, domain, draft, plan, dryRun)) };
}

/** Reads the part of the zone that the plan touches or its rules look at. */
async function openDraft(session: Session, domain: DomainRow, plan: Plan): Promise<WorkingCopy> {
  const db = connection(session);
  const written = plan.writes.map(({ record }) => record);
  const owners = new Set(["@", ...plan.owners, ...written.map(({ owner }) => owner)]);
  for (const owner of [...owners]) for (const ancestor of ancestors(owner)) owners.add(ancestor);
  for (const record of written) for (const target of targets(record, domain.zone)) owners.add(target);
  const stored = await readOwners(db, domain.id, [...owners]);
  const enough = plan.remove.length + plan.writes.length + 1;
  for (const dname of written.filter(({ type }) => type === "DNAME"))
    stored.push(...(await readBelow(db, domain.id, dname.owner, enough)));
  return new WorkingCopy(stored);
}

/** Applies the plan to the draft and reports all that fails together. */
function apply(session: Session, draft: WorkingCopy, plan: Plan): void {
  const reasons: Reason[] = [];
  const born = draft.storedSoa() === undefined;
  for (const { id, field } of plan.remove) collectReasons(reasons, () => draft.remove(id, field));
  draft.expectUpdates(plan.writes.flatMap(({ id }) => id ?? []));
  for (const { id, record, path } of plan.writes) {
    collectReasons(reasons, () => {
      if (!born) checkTtlChoice(session.ttlChoices, draft, record, path);
      if (id === undefined) draft.add(record, defaultTtl(session.policy), path);
      else draft.update(id, record, path);
    });
  }
  if (reasons.length > 0) throw Refusal.of(reasons);
  draft.settleTtls();
}

/** Refuses a TTL that is none of the choices, when there are any, nor the one the RRset has. */
function checkTtlChoice(
  choices: readonly number[] | undefined,
  draft: WorkingCopy,
  record: CanonicalRecord,
  path: string,
): void {
  const { ttl } = record;
  if (!choices || ttl === undefined || choices.includes(ttl) || draft.ttlOf(record) === ttl) return;
  throw new Refusal("INVALID_TTL", `${path}ttl is ${ttl}; write one of ${choices.join(", ")}.`, {
    field: `${path}ttl`,
    details: { choices },
  });
}

function viewOf(session: Session, zone: string, draft: WorkingCopy): ZoneView {
  const isBelow = (owner: string, top: string) => (top === "@" ? owner !== "@" : owner.endsWith(`.${top}`));
  return {
    zone,
    limits: session.policy.ownerLimits,
    at: (owner) => draft.at(owner),
    below: (top) => [...draft.records()].find(({ owner }) => isBelow(owner, top)),
  };
}

/** The serial of a change: the caller's, when the SOA itself was edited; otherwise the next one. */
function giveSerial(session: Session, draft: WorkingCopy, previous: WorkingRecord | undefined): void {
  const soa = draft.soa();
  if (!soa) throw new Error("a zone without an SOA has passed the rules");
  if (!previous || serialOf(soa) !== serialOf(previous)) return;
  draft.setSoa(withSerial(soa, nextSerial(serialOf(previous), today(session))));
}

/** Stores the draft and its journal row; a dry run only tells. */
async function commit(
  session: Session,
  domain: DomainRow,
  draft: WorkingCopy,
  plan: Plan,
  dryRun: boolean,
): Promise<Omit<ZoneChange, "warnings">> {
  const db = connection(session);
  const difference = draft.difference();
  const removed = soaFirst([...difference.deleted, ...difference.edited.map(({ from }) => from)]);
  const added = soaFirst([...difference.inserted, ...difference.edited.map(({ to }) => to)]);
  if (dryRun) return { change: null, records: [], removed, added };
  const ids = await storeRecords(db, domain.id, difference);
  const previous = draft.storedSoa();
  const change = await storeJournal(db, domain, {
    kind: previous ? ChangeKind.EDIT : ChangeKind.CREATE,
    previousSerial: previous ? serialOf(previous) : null,
    serial: serialOf(draft.soa() as WorkingRecord),
    actor: session.actor.name,
    door: session.door,
    at: session.now(),
    removed,
    added,
  });
  draft.setIds(difference.inserted, ids);
  return { change, records: rowsOf(domain, draft, plan), removed, added };
}

/** An IXFR sequence begins with the SOA (RFC 1995 §4). */
function soaFirst(records: WorkingRecord[]): WorkingRecord[] {
  return records.toSorted((a, b) => Number(b.type === "SOA") - Number(a.type === "SOA"));
}

function rowsOf(domain: DomainRow, draft: WorkingCopy, plan: Plan): RecordRow[] {
  return plan.writes.map(({ record }) => {
    const { id, owner, type, ttl, rdata } = draft.find(record) as WorkingRecord;
    return { id: id as number, domainId: domain.id, zone: domain.zone, owner, type, ttl, rdata };
  });
}
