/**
 * Resync: publishes a zone again with a later serial, because a secondary serves a copy that is not proven to be ours. A secondary accepts
 * only newer serials (RFC 1982, RFC 1996 §4.7), so the serial is raised past the observed one; the secondary then gets the whole zone.
 */

import {
  compareSerial,
  nextSerial,
  type Serial,
  serial,
  serialAfter,
  serialDistance,
  serialIsGreater,
} from "../dns/serial.ts";
import { Refusal } from "../errors.ts";
import { mayAdminister } from "../session/authorization.ts";
import { type Session, today } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain, type DomainRow, domainByZone, noSuchZone, readZone } from "../zone/domain.ts";
import { changeZone, type ZoneChange } from "../zone/edit/change-zone.ts";
import { maxLeap } from "../zone/edit/soa-serial.ts";
import { lockDomain, readSoa, type StoredRecord } from "../zone/edit/stored-zone.ts";
import { isCatalogName, renewMember } from "./catalog-zone.ts";
import { Sighting } from "./secondary.ts";
import { requireWholeTransfers } from "./transferred-zone.ts";

/**
 * Raises a zone's serial past every unproven serial, or by an ordinary step; every secondary transfers the whole zone. A user raises it
 * only past serials that are near; throws FORBIDDEN when others alone are ahead. A serial past half the circle takes ordinary steps: resync
 * again then. A secondary that takes the raised serial for an earlier one gets a new member of the catalog.
 */
export async function resyncDomain(session: Session, zone: string): Promise<ZoneChange> {
  const { actor } = session;
  if (actor.role === "administrator" && isCatalogName(session, readZone(zone))) {
    mayAdminister(actor);
    return resync({ ...session, actor: { ...actor, role: "system" } }, zone);
  }
  return resync(session, zone);
}

function resync(session: Session, zone: string): Promise<ZoneChange> {
  return transaction(session, async (inner) => {
    const { zone: name } = await domainByZone(inner, zone);
    // The publisher may raise it at the same time.
    const domain = await lockDomain(inner, inner.actor, name);
    if (!domain) throw noSuchZone(name);
    const observed = await unprovenSerials(inner, domain);
    const raisable = inner.actor.role === "user" ? nearForUser(inner, domain, observed) : observed;
    await requireWholeTransfers(inner, domain.id);
    const raised = await raiseSerial(inner, domain, raisable);
    const isMember = domain.userId !== null;
    if (isMember && raised.change && (await isRefusedAnywhere(inner, domain.id, serial(raised.change.serial))))
      await renewMember(inner, domain.id);
    return raised;
  });
}

const d = table(Domain, "d");

/** `isWhole`: every secondary transfers the whole zone. */
export interface RaiseOptions {
  readonly past: Serial;
  readonly isWhole: boolean;
}

/** `leap`: by how many steps the raise exceeded an ordinary change. */
interface Raised {
  readonly serial: Serial;
  readonly leap: number;
}

/**
 * Raises a zone's serial past `past` and past the other unproven serials that are near. Unless `isWhole`, does nothing when the serial is
 * past it already, or when `past` is not near. Undefined when the domain is deleted. `spent`: see isNear.
 */
export async function raisePast(
  session: Session,
  domainId: number,
  { past, isWhole }: RaiseOptions,
  spent = 0,
): Promise<Raised | undefined> {
  return transaction(session, async (inner) => {
    const [row] = await sql<{ zone: string }>`select ${d.zone} from ${d} where ${d.id} = ${domainId}`.run(inner);
    const domain = row && (await lockDomain(inner, session.actor, row.zone));
    if (domain?.id !== domainId) return undefined;
    const current = serial(domain.serial);
    const near = nearOf(inner, domain, [past, ...(await unprovenSerials(inner, domain))], spent);
    if ((serialIsGreater(current, past) || !near.includes(past)) && !isWhole) return { serial: current, leap: 0 };
    if (isWhole) await requireWholeTransfers(inner, domainId);
    const { change } = await raiseSerial(inner, domain, near);
    const raised = change ? serial(change.serial) : current;
    return { serial: raised, leap: leapTo(raised, current, today(inner)) };
  });
}

/**
 * Whether a serial is behind ours, or so little ahead that a lost history can have given it, by ordinary changes until today (YYYYMMDD) and
 * one leap of the SOA without a confirmation. A server that lies could otherwise move the zone by half the circle, out of the reach of the
 * others (RFC 1982). `spent`: how much of the leap earlier raises used up.
 */
export function isNear(served: Serial, committed: Serial, date: string, spent = 0): boolean {
  const order = compareSerial(served, committed);
  if (order !== 1) return order !== undefined;
  return leapTo(served, committed, date) + spent <= maxLeap;
}

/** The steps by which a later serial is past that of an ordinary change today (YYYYMMDD); 0 when it is not. */
function leapTo(later: Serial, committed: Serial, date: string): number {
  return Math.max(0, serialDistance(committed, later) - serialDistance(committed, nextSerial(committed, date)));
}

function nearOf(session: Session, domain: DomainRow, serials: readonly Serial[], spent = 0): Serial[] {
  return serials.filter((each) => isNear(each, serial(domain.serial), today(session), spent));
}

/** Throws FORBIDDEN when only serials that are not near are ahead: a raise would change nothing there. */
function nearForUser(session: Session, domain: DomainRow, observed: readonly Serial[]): Serial[] {
  const current = serial(domain.serial);
  const near = nearOf(session, domain, observed);
  const far = observed.find((each) => !near.includes(each));
  if (far === undefined || near.some((each) => compareSerial(each, current) !== -1)) return near;
  const message = `A secondary serves serial ${far} of ${domain.zone}, too far past the zone's ${current} for a user to raise it; ask an administrator of the service.`;
  throw new Refusal("FORBIDDEN", message, { field: "zone" });
}

async function raiseSerial(session: Session, domain: DomainRow, observed: readonly Serial[]): Promise<ZoneChange> {
  const current = serial(domain.serial);
  const date = today(session);
  const isRaisable = (each: Serial) => serialIsGreater(each, current) && serialIsGreater(serialAfter(each), current);
  const highest = observed.filter(isRaisable).reduce((a, b) => (serialIsGreater(b, a) ? b : a), current);
  const isHalfCircle = observed.some((each) => !isRaisable(each) && (compareSerial(each, current) ?? 1) === 1);
  const ordinary = nextSerial(current, date);
  const step = isHalfCircle ? nextSerial(ordinary, date) : ordinary;
  const next = highest === current ? step : serialAfter(highest);
  const soa = (await readSoa(session, domain.id)) as StoredRecord;
  const rdata = soa.rdata.split(" ").with(2, String(next)).join(" ");
  // The SOA of the catalog has a TTL of its own.
  const policy = { ...session.policy, ttlMin: Math.min(session.policy.ttlMin, soa.ttl) };
  // The records stay, so that there is nothing to review.
  const actor = { ...session.actor, exemptFromReview: true };
  return changeZone({ ...session, actor, policy }, domain.zone, { update: [{ id: soa.id, rdata }] }, { force: true });
}

const g = table(Sighting, "g");

/** Whether a secondary has a serial of ours half the circle or more behind `raised`, which it takes for an earlier one. */
async function isRefusedAnywhere(session: Session, domainId: number, raised: Serial): Promise<boolean> {
  const query = sql<{ serial: number }>`
    select ${g.provenSerial} as serial from ${g}
    where ${g.domainId} = ${domainId} and ${g.provenSerial} is not null and not ${g.isUnproven}`;
  const rows = await query.run(session);
  return rows.some((row) => compareSerial(serial(row.serial), raised) !== -1);
}

async function unprovenSerials(session: Session, domain: DomainRow): Promise<Serial[]> {
  const query = sql<{ serial: number }>`
    select ${g.serial} from ${g} where ${g.domainId} = ${domain.id} and ${g.serial} is not null and ${g.isUnproven}`;
  return (await query.run(session)).map((row) => serial(row.serial));
}
