/**
 * Who may transfer zones (RFC 5936 §5), and the report of a transfer at the secondary that requested it; both are
 * called by the name server. The key of a secondary gives access to every zone and the catalog; any other key to the
 * zones that it may update; an address that is allowed to transfer unsigned to every zone but not to the catalog.
 */
import { sql } from "kysely";
import { reachesZone, type TsigScope } from "../account/tsig-scope.ts";
import { connection, type Session } from "../session/session.ts";

/**
 * Who requests a transfer: the address, as the socket reports it, and the canonical name of the key that signed, if
 * any.
 */
export interface TransferPeer {
  readonly address: string;
  readonly keyName: string | undefined;
}

/** Whether this peer may transfer the zone of this canonical name. */
export async function mayTransfer(session: Session, zone: string, peer: TransferPeer): Promise<boolean> {
  const { keyName = null } = peer;
  const query = sql<{ may: boolean }>`
    select case when ${keyName}::text is not null then exists (
        select from secondary s join tsig_key t on t.id = s.tsig_key_id
        where t.name = ${keyName} and t.transfer and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${session.now()}))
      else exists (
        select from secondary s where s.allow_unsigned_transfer and ${isAddress(peer)}
        and exists (select from domain d where d.zone = ${zone} and d.user_id is not null))
      end as may`;
  if ((await query.execute(connection(session))).rows[0]?.may) return true;
  return keyName !== null && keyReaches(session, zone, keyName);
}

/**
 * Whether a key that may transfer reaches the zone, such as that of a client that reads a zone before it updates it.
 */
async function keyReaches(session: Session, zone: string, keyName: string): Promise<boolean> {
  const query = sql<Pick<TsigScope, "userId" | "zones">>`
    select t.user_id as "userId", t.zones from tsig_key t join domain d on d.zone = ${zone}
    where t.name = ${keyName} and t.transfer and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${session.now()})
    and d.user_id is not null and (t.user_id is null or t.user_id = d.user_id)`;
  const key = (await query.execute(connection(session))).rows[0];
  return key !== undefined && reachesZone(key, zone);
}

/** A completed transfer; `bytes` of messages sent, in `ms` milliseconds. */
export interface Transfer {
  readonly zone: string;
  readonly kind: "AXFR" | "IXFR";
  readonly bytes: number;
  readonly ms: number;
}

/** Stores a completed transfer at the secondary that requested it. */
export async function noteTransfer(session: Session, peer: TransferPeer, transfer: Transfer): Promise<void> {
  await sql`
    update secondary set transferred_at = ${session.now()}, transfer_zone = ${transfer.zone}, transfer_kind = ${transfer.kind},
      transfer_bytes = ${transfer.bytes}, transfer_ms = ${Math.round(transfer.ms)}
    where id = ${secondaryOf(peer)}`.execute(connection(session));
}

/** Stores at the secondary why its TSIG was refused. */
export async function noteTsigError(session: Session, peer: TransferPeer, reason: string): Promise<void> {
  await sql`update secondary set tsig_error_at = ${session.now()}, tsig_error = ${reason} where id = ${secondaryOf(peer)}`.execute(
    connection(session),
  );
}

/**
 * The id of a peer's secondary: the one with its key, of several the one at its address; without a key, the one at its
 * address.
 */
function secondaryOf(peer: TransferPeer) {
  const { keyName = null } = peer;
  return sql`(
    select s.id from secondary s left join tsig_key t on t.id = s.tsig_key_id
    where t.name = ${keyName} or ${isAddress(peer)}
    order by (t.name = ${keyName}) is true desc, ${isAddress(peer)} desc, s.id limit 1)`;
}

/** A socket that listens on IPv6 shows IPv4 addresses as ::ffff:192.0.2.1 (RFC 4291 §2.5.5.2). */
function isAddress({ address }: TransferPeer) {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, "");
  return sql<boolean>`host(split_part(s.address, '%', 1)::inet) = host(${plain}::inet)`;
}
