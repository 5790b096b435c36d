/**
 * Publication after a restored backup, to secondaries whose copies are not proven to be ours. It continues at once, or after a confirmation
 * where the operator chose that (RESTORE_POLICY). Until the confirmation the sighting is held, the serial is not raised, and the secondary
 * may not transfer the zone, so that data that only the secondary has is not lost.
 *
 * A confirmation holds for its term. A restore requires a new start of the service, which begins a new term, so that a confirmation in a
 * backup never confirms the restore of that backup. Limitations: transfers are not refused to a secondary whose transfers are not
 * recognized as its own, nor to any secondary before the publisher has begun its term, some tenths of a second after the start of the
 * service.
 */

import { Refusal } from "../errors.ts";
import { mayAdminister } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain } from "../zone/domain.ts";
import { peerValues, type TransferPeer } from "./peer.ts";
import { PublisherTerm, Secondary, Sighting } from "./secondary.ts";
import { recipient, TransferredZone } from "./transferred-zone.ts";

/** Publication that waits for a confirmation: since when, the number of zones, and the names of the secondaries. */
export interface RestoreHold {
  readonly heldSince: Date;
  readonly zones: number;
  readonly secondaries: readonly string[];
}

const d = table(Domain, "d");
const g = table(Sighting, "g");
const s = table(Secondary, "s");
const t = table(TransferredZone, "t");
const lastTerm = table(PublisherTerm, "last");
const isConfirmed = sql`${lastTerm.confirmedTerm} = ${lastTerm.term}`;

/** Returns the publication that is held; undefined when none is held. Administrators only. */
export async function restoreHold(session: Session): Promise<RestoreHold | undefined> {
  mayAdminister({ ...session.actor, readOnly: false });
  if (session.policy.restorePolicy === "automatic") return undefined;
  const query = sql<RestoreHold>`
    select min(${g.heldSince}) as "heldSince", count(distinct ${g.domainId})::int as zones,
      array_agg(distinct ${s.name} order by ${s.name}) as secondaries
    from ${g} join ${s} on ${s.id} = ${g.secondaryId} join ${d} on ${d.id} = ${g.domainId} cross join ${lastTerm}
    where ${g.heldSince} is not null and not ${isConfirmed}
    having count(*) > 0`;
  return (await query.run(session))[0];
}

/**
 * Confirms the publication that is held and returns it; undefined when none is held. Throws INVALID_VALUE when it is not held since
 * `heldSince`: an administrator confirms only what they have read. Administrators only.
 */
export async function confirmRestore(session: Session, heldSince: Date): Promise<RestoreHold | undefined> {
  mayAdminister(session.actor);
  return transaction(session, async (inner) => {
    const hold = await restoreHold(inner);
    if (!hold) return undefined;
    if (hold.heldSince.getTime() !== heldSince.getTime()) {
      const message = `pendingSince: publication waits since ${hold.heldSince.toISOString()}; read pendingRestore again.`;
      throw new Refusal("INVALID_VALUE", message, { field: "pendingSince" });
    }
    const update = sql`update ${lastTerm} set ${lastTerm.names("confirmedTerm")} = ${lastTerm.term} where ${lastTerm.id} = 1`;
    await update.run(inner);
    return hold;
  });
}

/** Returns whether zones may be published in this term to secondaries whose copies are not proven to be ours. */
export async function mayRaiseIn(session: Session, term: number): Promise<boolean> {
  if (session.policy.restorePolicy === "automatic") return true;
  const query = sql`select from ${lastTerm} where ${lastTerm.confirmedTerm} = ${term}`;
  return (await query.run(session)).length > 0;
}

/**
 * Returns whether a zone is withheld from a peer until a confirmation. It is when its sighting is held; when the peer names a serial `from`
 * that was not transferred to it, although others were; or when the peer names no serial and its copy was not verified in this term.
 */
export async function isWithheld(
  session: Session,
  domainId: number,
  from: number | undefined,
  peer: TransferPeer,
): Promise<boolean> {
  if (session.policy.restorePolicy === "automatic") return false;
  const isOther =
    from === undefined
      ? sql`${g.serial} is not null and ${g.term} <> ${lastTerm.term}`
      : sql`${t.serial} is not null and ${from} not in (
          ${t.serial}, coalesce(${t.previousSerial}, ${t.serial}), coalesce(${g.provenSerial}, ${t.serial}))`;
  const query = sql`
    select from (${recipient(peerValues(peer))}) peer cross join ${lastTerm}
      left join ${g} on ${g.domainId} = ${domainId} and ${g.secondaryId} = peer.id
      left join ${t} on ${t.domainId} = ${domainId} and ${t.secondaryId} = peer.id
    where peer.id is not null and not ${isConfirmed} and (${g.heldSince} is not null or (${isOther}))`;
  return (await query.run(session)).length > 0;
}
