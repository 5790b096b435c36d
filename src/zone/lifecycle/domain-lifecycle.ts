/** Creates, transfers and deletes domains, and deletes users with their domains. */

import { LockMode } from "@mikro-orm/core";
import { forgetKeys } from "../../account/key-cache.ts";
import { ReviewPolicy } from "../../account/review-policy.ts";
import { holdUser, User } from "../../account/user.ts";
import { noSuch, onRefusal, Refusal } from "../../errors.ts";
import { type NewEvent, noteEvents } from "../../outbox/outbox.ts";
import { mayActFor, mayAdminister, mayReachZone, mayWrite, seesZoneOf } from "../../session/authorization.ts";
import { lameZonesWarning } from "../../session/operator-policy.ts";
import type { Session } from "../../session/session.ts";
import { isExcluded, transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Change, type ChangeRow } from "../change.ts";
import {
  type AppliedTemplate,
  Domain,
  type DomainRow,
  domainByZone,
  noSuchZone,
  readZone,
  type StoredDomain,
} from "../domain.ts";
import type { RecordFields } from "../edit/canonical-record.ts";
import type { CheckedChange } from "../edit/change-statement.ts";
import { changeZone } from "../edit/change-zone.ts";
import { type CheckedCopy, checkCopy, editCopy } from "../edit/edit-and-check.ts";
import { planEdits } from "../edit/edit-plan.ts";
import { closeZone, finishChange } from "../edit/finish-change.ts";
import type { Notice, WithNotices } from "../edit/notice.ts";
import { lockDomain, StaleZone, StoredZone } from "../edit/stored-zone.ts";
import { inZoneTurn } from "../edit/zone-queue.ts";
import type { Labels } from "../label.ts";
import { setMetered } from "../quota/metering.ts";
import { charge } from "../quota/quota.ts";
import { defaultRecords } from "./default-records.ts";
import { type NameHistory, neverUsed, noticesOfFormer, readName } from "./name-history.ts";
import { refuseNeighbours } from "./names-of-others.ts";
import { mayCreateZone, readNewZone } from "./new-zone-name.ts";

type InTransaction = Session;

const foreignKeyViolation = "23503";

const domain = table(Domain);
const change = table(Change, "c");

/** The content of a new domain; without `records` it gets the default records. */
export interface NewDomain {
  readonly labels?: Labels;
  readonly template?: AppliedTemplate | undefined;
  readonly records?: readonly RecordFields[];
}

export interface Created extends WithNotices {
  readonly domain: DomainRow;
  readonly change: ChangeRow;
  /** Whether a deleted zone had the name; undefined when that was not read. */
  readonly hasFormer?: boolean;
}

/** Creates a domain with its first records. Its first serial is greater than the last serial of the name. */
export async function createDomain(
  session: Session,
  userId: number,
  zone: string,
  { labels = {}, template, records }: NewDomain = {},
): Promise<Created> {
  const name = readNewZone(zone);
  mayCreateDomain(session, userId, name);
  const isPlain = Object.keys(labels).length === 0 && !records;
  const first = records ?? defaultRecords(name, session.policy);
  const created: Created =
    (isPlain ? await createUnlocked(session, userId, name) : undefined) ??
    (await transaction(session, async (inner) => {
      await insertDomain(inner, userId, name, { labels, template });
      const { change, notices } = await ofTemplate(changeZone(inner, name, { add: first }));
      return { change: change as ChangeRow, notices, domain: await domainByZone(inner, name) };
    }));
  const servers = first.flatMap(({ type, rdata }) => (type === "NS" && typeof rdata === "string" ? [rdata] : []));
  const lame = lameZonesWarning(servers);
  const notices: Notice[] = created.notices.map((notice) => ({ ...notice, field: undefined }));
  if (created.hasFormer !== false) notices.unshift(...(await noticesOfFormer(session, name)));
  if (lame !== undefined) notices.unshift({ code: "LAME_NAME_SERVERS", message: lame, owner: "@", type: "NS" });
  return { ...created, notices };
}

/**
 * Awaits a change that adds the records of a template. A refusal of the change then names the field `templateId`, since the request has no
 * fields for the single records.
 */
function ofTemplate<Result>(change: Promise<Result>): Promise<Result> {
  return onRefusal(
    () => change,
    (refusal) => {
      if (refusal.code === "REVIEW_REQUIRED") throw refusal;
      const reasons = refusal.reasons.map(({ edits: _, ...reason }) => ({ ...reason, field: "templateId" }));
      throw Refusal.of(reasons, refusal.details);
    },
  );
}

function mayCreateDomain(session: Session, userId: number, name: string): void {
  mayActFor(session.actor, userId, "userId");
  mayReachZone(session.actor, name);
  mayCreateZone(session.actor, name, session.policy);
}

/**
 * Creates a domain without a transaction. One statement is enough if the name was never used and the user has neither a quota nor a review;
 * otherwise the history of the name is read first. Returns undefined, with nothing stored, when a transaction is needed: when the zone is
 * to be refused, when the user has a quota, or when the actor is a user's key, since its zones are compared with those of other users under
 * a lock.
 */
async function createUnlocked(session: Session, userId: number, zone: string): Promise<Created | undefined> {
  if (session.actor.role === "user" || session.em.isInTransaction()) return undefined;
  const created = await createOfHistory(session, userId, zone, neverUsed);
  if (created) return created;
  const { isTaken, isUser, metered, ...history } = await readName(session, zone, userId);
  return isTaken || !isUser || metered ? undefined : createOfHistory(session, userId, zone, history);
}

/** Creates a domain if `history` is the history of its name; returns undefined, with nothing stored, if it is not. */
async function createOfHistory(
  session: Session,
  userId: number,
  zone: string,
  history: NameHistory,
): Promise<Created | undefined> {
  try {
    const created = await createZone(session, { zone, userId, history }, defaultRecords(zone, session.policy));
    return { ...created, hasFormer: history.formerId !== null };
  } catch (error) {
    const isUserGone = (error as { readonly code?: unknown }).code === foreignKeyViolation;
    // A zone that exists is refused with DUPLICATE_ZONE, even if its default records are invalid too.
    const isGuess = error instanceof Refusal && history === neverUsed;
    if (error instanceof StaleZone || isUserGone || isGuess || isExcluded(error)) return undefined;
    throw error;
  }
}

/** Checks a new domain before its master file is read: throws what `insertDomain` would throw. Does nothing when the zone exists. */
export async function checkNewDomain(session: Session, userId: number, zone: string): Promise<void> {
  const { isTaken, isUser } = await readName(session, zone, userId);
  if (isTaken) return;
  mayCreateDomain(session, userId, readNewZone(zone));
  if (!isUser) throw noSuch("user", userId, "userId");
}

/**
 * Inserts a new or a restored domain, without records and with serial 0. The caller adds its records by a change in the same transaction.
 * Throws DUPLICATE_ZONE when the zone exists.
 */
export async function insertDomain(
  session: InTransaction,
  userId: number,
  name: string,
  inserted?: InsertedDomain,
): Promise<void> {
  mayCreateDomain(session, userId, name);
  const { metered, review } = await holdUser(session, userId);
  const demands = inserted?.review ?? review;
  if (!(await insertDomainRow(session, name, userId, { ...inserted, metered, demands }))) throw duplicateZone(name);
  if (session.actor.role === "user") await refuseNeighbours(session, userId, name);
}

/** The columns of an inserted domain; a restored domain has its former values. */
interface InsertedDomain extends Partial<Pick<DomainRow, "id" | "createdAt">> {
  readonly labels?: Labels;
  readonly template?: AppliedTemplate | null | undefined;
  readonly review?: DomainRow["review"];
  readonly metered?: boolean;
  readonly demands?: ReviewPolicy;
}

/**
 * Inserts the row of a domain with serial 0, which its first change raises; returns false when the zone exists. The catalog has no user.
 */
export async function insertDomainRow(
  session: InTransaction,
  zone: string,
  userId: number | null,
  inserted: InsertedDomain = {},
): Promise<boolean> {
  const { id, createdAt = session.now(), labels = {}, template, review = null } = inserted;
  const { metered = false, demands = ReviewPolicy.NONE } = inserted;
  const names = domain.names(
    ...(["id", "zone", "userId", "serial", "createdAt", "labels", "template"] as const),
    ...(["review", "metered", "demands"] as const),
  );
  const insert = sql`
    insert into ${domain} (${names})
    values (${id ?? sql`default`}, ${zone}, ${userId}, 0, ${createdAt}, ${JSON.stringify(labels)}::jsonb,
      ${template ? JSON.stringify(template) : null}::jsonb, ${review}, ${metered}, ${demands}) on conflict do nothing returning ${domain.id}`;
  return (await insert.run(session)).length > 0;
}

function duplicateZone(zone: string): Refusal {
  return new Refusal("DUPLICATE_ZONE", `The zone ${zone} exists already; choose another name, or ask its owner.`, {
    field: "zone",
  });
}

/**
 * Deletes a domain with all its records in one transaction. The journal keeps the records, and the deleted domain keeps the last serial.
 */
export async function deleteDomain(session: Session, zone: string): Promise<ChangeRow> {
  mayWrite(session.actor);
  const name = readZone(zone);
  return inZoneTurn(session, name, () =>
    transaction(session, async (inner) => {
      const locked = await lockDomain(inner, session.actor, name);
      if (!locked) throw noSuchZone(name);
      return closeZone(inner, locked);
    }),
  );
}

export async function transferDomain(session: Session, zone: string, userId: number): Promise<DomainRow> {
  mayAdminister(session.actor);
  const name = readZone(zone);
  return inZoneTurn(session, name, () =>
    transaction(session, async (inner) => {
      const { metered, review } = await holdUser(inner, userId);
      const moved = await inner.em.findOne(Domain, { zone: name }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!moved || !seesZoneOf(session.actor, moved.user?.id ?? null, name)) throw noSuchZone(name);
      const { recordCount, user: giver } = moved;
      const gained = { domains: 1, records: recordCount, changes: 0, recordCount };
      const lost = { domains: -1, records: -recordCount, changes: 0, recordCount };
      charge(inner, { zone: name, userId: giver?.id ?? null, metered: moved.metered }, lost);
      charge(inner, { zone: name, userId, metered }, gained);
      const demands = moved.review ?? review;
      Object.assign(moved, { user: inner.em.getReference(User, userId), metered, demands });
      await inner.em.flush();
      if (giver && giver.id !== userId) await noteTransfers(inner, [{ id: moved.id, zone: name }], giver.id, userId);
      return domainByZone(inner, name);
    }),
  );
}

/** What happens to the domains of a deleted user: they prevent the deletion, are deleted, or go to another user. */
export type DomainsOfDeletedUser =
  | { readonly fate: "REFUSE" }
  | { readonly fate: "DELETE" }
  | { readonly fate: "TRANSFER"; readonly to: number };

/** Deletes a user with the user's keys, all or nothing; throws USER_HAS_DOMAINS when domains prevent it. */
export async function deleteUser(session: Session, id: number, domains: DomainsOfDeletedUser): Promise<void> {
  mayAdminister(session.actor);
  await transaction(session, async (inner) => {
    const deleted = await inner.em.findOne(User, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!deleted) throw noSuch("user", id);
    // No quota applies to what the deletion does to the user's domains.
    if (deleted.metered) await setMetered(inner, [id], false);
    if (domains.fate === "TRANSFER") await giveAway(inner, id, domains.to);
    const zones = await zonesOf(inner, id);
    if (zones.length > 0 && domains.fate === "REFUSE") throw userHasDomains(inner, id, zones.length);
    for (const zone of zones) {
      const locked = await lockDomain(inner, session.actor, zone);
      if (locked) await closeZone(inner, locked);
    }
    inner.em.remove(deleted);
    return { id };
  });
  forgetKeys(session.em);
}

async function giveAway(session: InTransaction, from: number, to: number): Promise<void> {
  if (to === from)
    throw new Refusal("INVALID_VALUE", "transferToUserId is the deleted user; name another user.", {
      field: "transferToUserId",
    });
  const { metered, review } = await holdUser(session, to, "transferToUserId");
  const query = sql<MovedDomain>`
    update ${domain} set (${domain.names("userId", "metered", "demands")}) = (${to}, ${metered}, coalesce(${domain.review}, ${review}))
    where ${domain.userId} = ${from}
    returning ${domain.columns("id", "zone", "recordCount")}`;
  const rows = await query.run(session);
  for (const { zone, recordCount } of rows)
    charge(session, { zone, userId: to, metered }, { domains: 1, records: recordCount, changes: 0, recordCount });
  await noteTransfers(session, rows, from, to);
}

type MovedDomain = Pick<DomainRow, "id" | "zone" | "recordCount">;

async function noteTransfers(
  session: InTransaction,
  moved: readonly Pick<DomainRow, "id" | "zone">[],
  from: number,
  to: number,
): Promise<void> {
  const query = sql<{ domainId: number; last: number }>`
    select ${change.domainId} as "domainId", max(${change.id}) as last from ${change}
    where ${change.domainId} = any(${moved.map(({ id }) => id)}) group by ${change.domainId}`;
  const last = new Map((await query.run(session)).map((row) => [row.domainId, row.last]));
  const eventOf = ({ id, zone }: Pick<DomainRow, "id" | "zone">): NewEvent => ({
    ...{ event: "domain.transferred", userId: to, formerUserId: from, zone, domainId: id },
    afterChangeId: last.get(id) ?? null,
    data: {
      ...{ zone, domainId: String(id), userId: String(to), formerUserId: String(from), actor: session.actor.name },
    },
  });
  await noteEvents(session, moved.map(eventOf));
}

async function zonesOf(session: InTransaction, userId: number): Promise<string[]> {
  const query = sql<{ zone: string }>`
    select ${domain.zone} from ${domain} where ${domain.userId} = ${userId} order by ${domain.zone}`;
  return (await query.run(session)).map(({ zone }) => zone);
}

function userHasDomains({ source }: Session, id: number, count: number): Refusal {
  const choices = source === "rest" ? "domains=delete" : "onDomains: DELETE or TRANSFER";
  const message = `User ${id} still owns ${count} domain${count === 1 ? "" : "s"}; delete or transfer them first, or send ${choices}.`;
  return new Refusal("USER_HAS_DOMAINS", message, { field: "by" });
}

/**
 * Creates a domain with its first records by one statement. Throws StaleZone when the zone exists, or when a zone of the name was deleted
 * after `history` was read.
 */
export async function createZone(
  session: Session,
  { zone, userId, history }: { zone: string; userId: number; history: NameHistory },
  add: readonly RecordFields[],
): Promise<WithNotices & { readonly domain: DomainRow; readonly change: ChangeRow }> {
  const { domain, change: checked, notices } = await checkedZone(session, { zone, userId, add }, history);
  const { change, recordCount } = await finishChange(session, checked as CheckedChange);
  return {
    domain: { ...domain, id: change.domainId, serial: change.serial, recordCount, createdAt: change.createdAt },
    change,
    notices,
  };
}

/** Checks the first records of a zone as `createZone` does; nothing is stored. */
export async function checkZone(session: Session, zone: string, add: readonly RecordFields[]): Promise<WithNotices> {
  const { notices } = await checkedZone(session, { zone, userId: null, add }, neverUsed);
  return { notices };
}

async function checkedZone(
  session: Session,
  { zone, userId, add }: { zone: string; userId: number | null; add: readonly RecordFields[] },
  history: NameHistory,
): Promise<CheckedCopy> {
  const domain: StoredDomain = {
    ...{ id: 0, zone, serial: 0, userId, recordCount: 0, metered: false },
    ...{ createdAt: session.now(), review: null, demands: history.demands },
  };
  const planner = planEdits(session, zone, { add }, {});
  const edited = await editCopy(session, StoredZone.none(session, domain, planner.prefetch), planner);
  return checkCopy(session, edited, { created: history });
}
