/**
 * Which serials of a zone were transferred to a secondary, in the history of changes that this database holds. After a
 * restored backup the same serials are given to other changes, so that a serial alone says nothing about the data that
 * a secondary has: differences (IXFR, RFC 1995) are sent only from a serial that was transferred to it from here, and
 * what it serves counts as published only when it was transferred from here (proof.ts).
 *
 * A row is written, and visible to every instance, before the last message of a transfer is sent: a secondary cannot
 * serve what is not recorded. When the transfer fails after that, the row names a serial that the secondary does not
 * have; it then requests none of its differences, and the probe shows which serial it serves. The other order would
 * leave secondaries, after a crash in between, at serials that nobody gave them. The write does not wait for the disk
 * (synchronous_commit off): a row that is lost when PostgreSQL crashes, before any other commit, costs one serial and one
 * transfer of the whole zone.
 *
 * Two serials are kept for each zone and secondary: a transfer that is recorded and then fails leaves the secondary at
 * the one before. A secondary that failed more often gets the whole zone. Rows end with the secondary, or a day after
 * the domain (forgetDeleted in observation.ts).
 *
 * The recipient of a transfer is recognized by its TSIG key, of several secondaries with one key by the address too,
 * without a key by the address. Where that leaves a doubt, nothing is recorded and the whole zone is sent: for keys that
 * belong to no secondary, and for secondaries that share key and address. Limitations: a transfer by anyone else with a
 * secondary's key, such as an operator's by hand, counts as one of the secondary; several servers behind one key and
 * address are one secondary here.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { type RawBuilder, sql } from "kysely";
import { TsigKey } from "../account/tsig-key.ts";
import { connection, type Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { isAddress, type TransferPeer } from "./peer.ts";
import { Secondary } from "./secondary.ts";

/** What was transferred of a zone to a secondary. */
@Entity({ tableName: "transferred_zone" })
export class TransferredZone {
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  domainId!: number;

  @ManyToOne(() => Secondary, { fieldName: "secondary_id", primary: true, deleteRule: "cascade", index: false })
  secondary!: Secondary;

  /** The serial that was transferred last. */
  @Property({ type: new BigIntType("number") })
  serial!: number;

  /** The serial that was transferred before; null after the first transfer. */
  @Property({ type: new BigIntType("number"), nullable: true })
  previousSerial?: number | null;

  /** Whether its next transfer is the whole zone, whatever serial it has. */
  @Property({ type: "boolean", default: false })
  isWholeDue!: boolean;

  @Property({ type: "datetime", columnType: "timestamptz" })
  transferredAt!: Date;
}

const t = table(TransferredZone, "t");
const excluded = table(TransferredZone, "excluded");
const s = table(Secondary, "s");
const k = table(TsigKey, "k");

/** A query for the id of the one secondary that the peer is; no row when that is in doubt, or when it is indirect. */
export function recipient(peer: TransferPeer): RawBuilder<{ id: number }> {
  const { keyName = null } = peer;
  const isIts = keyName === null ? sql`${s.allowUnsignedTransfer} and ${isAddress(peer)}` : sql`${k.name} = ${keyName}`;
  return sql`
    select coalesce(min(own.id) filter (where own."isThere"), min(own.id)) as id from (
      select ${s.columns("id", "indirect")}, ${isAddress(peer)} as "isThere"
      from ${s} left join ${k} on ${k.id} = ${s.tsigKeyId} where ${isIts}
    ) own
    having (count(*) = 1 and not bool_or(own.indirect))
      or (count(*) filter (where own."isThere") = 1 and not bool_or(own.indirect) filter (where own."isThere"))`;
}

/** Records that a serial of a domain is transferred to a peer, the whole zone or differences; visible to all when it returns. */
export async function recordTransfer(
  session: Session,
  domainId: number,
  { serial, isWhole }: { readonly serial: number; readonly isWhole: boolean },
  peer: TransferPeer,
): Promise<void> {
  const query = sql`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true)),
    recipient as materialized (${recipient(peer)})
    insert into ${t} (${t.names("domainId", "secondaryId", "serial", "transferredAt")})
    select ${domainId}::bigint, recipient.id, ${serial}::bigint, ${session.now()}::timestamptz from recipient, relaxed
    on conflict (${t.names("domainId", "secondaryId")}) do update set
      ${t.names("previousSerial")} = case when ${t.serial} = ${excluded.serial} then ${t.previousSerial} else ${t.serial} end,
      ${t.names("serial")} = ${excluded.serial}, ${t.names("isWholeDue")} = ${t.isWholeDue} and not ${isWhole},
      ${t.names("transferredAt")} = ${excluded.transferredAt}`;
  await query.execute(connection(session));
}

/**
 * The SQL condition that a peer has this serial of a domain from here, so that differences from it fit the data that it
 * has.
 */
export function wasTransferred(domainId: RawBuilder<unknown>, serial: number, peer: TransferPeer): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from ${t} where ${t.domainId} = ${domainId} and ${t.secondaryId} = (${recipient(peer)})
      and ${serial}::bigint in (${t.serial}, ${t.previousSerial}) and not ${t.isWholeDue})`;
}

/** Lets every secondary transfer the whole zone the next time. */
export async function requireWholeTransfers(session: Session, domainId: number): Promise<void> {
  const query = sql`update ${t} set ${t.names("isWholeDue")} = true where ${t.domainId} = ${domainId}`;
  await query.execute(connection(session));
}
