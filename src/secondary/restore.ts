/**
 * Publication after a restored backup, to secondaries whose copies are not proven to be ours: at once, or after a confirmation
 * (RESTORE_POLICY). Until then the sighting is held, the serial not raised, and the secondary may not transfer the zone, so that data that
 * only it has is not lost. A confirmation holds for its term: one in a backup never confirms the restore of that backup. Limitations:
 * transfers are not refused to a secondary that is not recognized, nor to any before the publisher has begun its term.
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

/** Administrators only. */
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

/** Throws INVALID_VALUE when `heldSince` is not what the administrator has read. Administrators only. */
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

/** Whether zones may be published in this term to secondaries whose copies are not proven to be ours. */
export async function mayRaiseIn(session: Session, term: number): Promise<boolean> {
  if (session.policy.restorePolicy === "automatic") return true;
  const query = sql`select from ${lastTerm} where ${lastTerm.confirmedTerm} = ${term}`;
  return (await query.run(session)).length > 0;
}

/**
 * Whether a zone is withheld from a peer until a confirmation: its sighting is held; it names a serial `from` that was not transferred to
 * it, although others were; or it names no serial and its copy was not verified in this term.
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
