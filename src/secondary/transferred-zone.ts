/**
 * The serials of a zone that were transferred to a secondary, in the history of changes that this database holds. After a restored backup
 * the same serials name other changes, so that a serial alone does not identify data. Differences (IXFR, RFC 1995) are sent only from a
 * serial in this table, and a copy counts as published only when its serial is here (proof.ts).
 *
 * A row is committed before the last message of a transfer is sent: a secondary cannot serve a serial without a row. When the transfer
 * fails after the commit, the row names a serial that the secondary does not have; the secondary then never requests differences from it,
 * and a probe shows its real serial. In the other order, a crash could leave a secondary at a serial without a row. The write does not wait
 * for the disk (synchronous_commit off): a row that is lost when PostgreSQL crashes costs one serial and one transfer of the whole zone.
 *
 * Two serials are kept for each zone and secondary: after a recorded transfer that fails, the secondary is at the earlier one. After more
 * failures it gets the whole zone. Rows are deleted with the secondary, or a day after the domain (forgetDeleted in record-sightings.ts).
 *
 * The recipient of a transfer is recognized by its TSIG key; by its address too, where several secondaries share the key; without a key, by
 * its address. When that identifies no single secondary, nothing is recorded and the whole zone is sent. Limitations: a transfer by another
 * client with a secondary's key, such as an operator's by hand, counts as one of the secondary; several servers behind one key and address
 * count as one secondary.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { TsigKey } from "../account/tsig-key.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import type { SingleStatements } from "../sql/single-statement.ts";
import { type Way, waitedForLock, writeRows } from "../sql/single-statement.ts";
import { slot, slottedStatement } from "../sql/slot.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Grouping } from "../turns/grouping.ts";
import { Domain } from "../zone/domain.ts";
import { isAddress, type PeerValues, peerValues, type TransferPeer } from "./peer.ts";
import { Secondary } from "./secondary.ts";
import type { Target } from "./sighting.ts";

/** The transfers of a zone to a secondary. */
@Entity({ tableName: "transferred_zone" })
@Index({ name: "transferred_zone_transaction_id_index", properties: ["transactionId"] })
export class TransferredZone {
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  domainId!: number;

  @ManyToOne(() => Secondary, { fieldName: "secondary_id", primary: true, deleteRule: "cascade", index: false })
  secondary!: Secondary;

  /** The serial that was transferred last. */
  @Property({ type: new BigIntType("number") })
  serial!: number;

  /** The serial of the transfer before that; null after the first transfer. */
  @Property({ type: new BigIntType("number"), nullable: true })
  previousSerial?: number | null;

  /** Whether the next transfer sends the whole zone, whatever serial the secondary has. */
  @Property({ type: "boolean", default: false })
  isWholeDue!: boolean;

  @Property({ type: "datetime", columnType: "timestamptz" })
  transferredAt!: Date;

  /** The transaction that recorded the last transfer; null in rows of an earlier version. */
  @Property({ type: "text", columnType: "xid8", nullable: true })
  transactionId?: string | null;
}

const t = table(TransferredZone, "t");
const excluded = table(TransferredZone, "excluded");
const s = table(Secondary, "s");
const k = table(TsigKey, "k");
const d = table(Domain, "d");

/** A transfer to a secondary, with the present state of the zone. */
export interface RecordedTransfer extends Target {
  readonly secondaryId: number;
}

/** Transfers, and the snapshot of the database up to which they were read (pg_snapshot). */
export interface TransfersUpTo {
  readonly snapshot: string;
  readonly transfers: readonly RecordedTransfer[];
}

/**
 * Returns the last `limit` transfers that were committed since a snapshot; an empty list without one. No clock decides: each transaction is
 * in one snapshot or in the next, however late it commits, and a transaction that stays open does not make each call read the rows of
 * others again. Rows of another cluster, from a backup, have no order here; they are left out while their transaction ids are in the
 * future.
 */
export async function transfersSince(
  session: Session,
  since: string | undefined,
  limit: number,
): Promise<TransfersUpTo> {
  const query = sql<TransfersUpTo>`
    select pg_current_snapshot()::text as snapshot, coalesce((
      select json_agg(found) from (
        select ${t.secondaryId} as "secondaryId", ${d.id} as "domainId", ${d.columns("zone", "serial")}, false as "isDeleted",
          ${d.userId} is null as "isCatalog", (extract(epoch from ${t.transferredAt}) * 1000)::float8 as since
        from (
          select * from ${t} where ${t.transactionId} >= pg_snapshot_xmax(${since}::pg_snapshot)
            and ${t.transactionId} < pg_snapshot_xmax(pg_current_snapshot())
          union all select * from ${t} where ${t.transactionId} = any(array(select pg_snapshot_xip(${since}::pg_snapshot)))
          order by ${t.names("transactionId")} desc limit ${limit}
        ) t cross join lateral (select * from ${d} where ${d.id} = ${t.domainId} limit 1) d
      ) found), '[]') as transfers`;
  return (await query.run(session))[0] as TransfersUpTo;
}

/** A query for the id of the secondary that the peer is; no row when several match, or when the secondary is indirect. */
export function recipient({ address, keyName }: PeerExpressions): Sql<{ id: number }> {
  return sql`
    select coalesce(min(own.id) filter (where own."isThere"), min(own.id)) as id from (
      select ${s.columns("id", "indirect")}, ${isAddress(address)} as "isThere"
      from ${s} left join ${k} on ${k.id} = ${s.tsigKeyId}
      where case when ${keyName}::text is null then ${s.allowUnsignedTransfer} and ${isAddress(address)} else ${k.name} = ${keyName} end
    ) own
    having (count(*) = 1 and not bool_or(own.indirect))
      or (count(*) filter (where own."isThere") = 1 and not bool_or(own.indirect) filter (where own."isThere"))`;
}

type PeerExpressions = { readonly [name in keyof PeerValues]: Sql | PeerValues[name] };

/** A transfer of a serial of a domain to a peer, of the whole zone or of differences. */
export interface Transferred {
  readonly domainId: number;
  readonly serial: number;
  readonly isWhole: boolean;
  readonly peer: TransferPeer;
}

interface Recording {
  readonly session: Session;
  readonly transferred: Transferred;
}

/** The maximum number of transfers in one statement. */
const maxTogether = 500;

/** The transfers of this process that are recorded together. */
const recordings = new WeakMap<SingleStatements, Grouping<Recording, undefined>>();

/** Records a transfer; every instance sees the record when this returns. */
export async function recordTransfer(session: Session, transferred: Transferred): Promise<void> {
  const { singles } = session;
  if (!singles) return storeTransfers([{ session, transferred }], "pool");
  const grouping = recordings.get(singles) ?? newRecordings();
  recordings.set(singles, grouping);
  try {
    await grouping.add({ session, transferred });
  } catch (error) {
    if (!waitedForLock(error)) throw error;
    await storeTransfers([{ session, transferred }], "pool");
  }
}

function newRecordings(): Grouping<Recording, undefined> {
  return new Grouping({
    atATime: 1,
    maxSize: maxTogether,
    sizeOf: () => 1,
    keyOf: ({ transferred }) => String(transferred.domainId),
    run: async (group) => {
      await storeTransfers(group, "pipeline");
      return group.map(() => undefined);
    },
    mayRunSingly: () => true,
  });
}

/** Stores transfers of different domains. */
async function storeTransfers(group: readonly Recording[], way: Way): Promise<void> {
  const [{ session }] = group as [Recording];
  await writeRows(session, storing, group, way);
}

/** The statement returns no row. */
const storing = slottedStatement<readonly Recording[]>(sql`
  with relaxed as materialized (select set_config('synchronous_commit', 'off', true)),
  given as materialized (
    select given.*, (${recipient({ address: sql.raw("given.address"), keyName: sql.raw("given.key") })}) as secondary
    from relaxed, json_to_recordset(${slot((group: readonly Recording[]) => JSON.stringify(group.map(givenOf)))}::json)
      as given(domain bigint, serial bigint, whole boolean, address text, key text)
  ), stored as (
    insert into ${t} (${t.names("domainId", "secondaryId", "serial", "transferredAt", "transactionId")})
    select domain, secondary, serial, now(), pg_current_xact_id() from given where secondary is not null order by domain
    on conflict (${t.names("domainId", "secondaryId")}) do update set
      ${t.names("previousSerial")} = case when ${t.serial} = ${excluded.serial} then ${t.previousSerial} else ${t.serial} end,
      ${t.names("serial")} = ${excluded.serial},
      ${t.names("isWholeDue")} = ${t.isWholeDue} and not (select whole from given where domain = ${excluded.domainId}),
      ${t.names("transferredAt")} = ${excluded.transferredAt},
      ${t.names("transactionId")} = ${excluded.transactionId}
  )
  select null as row where false`);

function givenOf({ transferred: { domainId, serial, isWhole, peer } }: Recording) {
  const { address, keyName } = peerValues(peer);
  return { domain: domainId, serial, whole: isWhole, address, key: keyName };
}

/**
 * The SQL condition that this serial of a domain was transferred to the peer from here, so that differences from it fit the peer's copy.
 */
export function wasTransferred(domainId: Sql, serial: number, peer: PeerValues): Sql<boolean> {
  return sql<boolean>`exists (
    select from ${t} where ${t.domainId} = ${domainId} and ${t.secondaryId} = (${recipient(peer)})
      and ${serial}::bigint in (${t.serial}, ${t.previousSerial}) and not ${t.isWholeDue})`;
}

/** Makes the next transfer of the domain to every secondary one of the whole zone. */
export async function requireWholeTransfers(session: Session, domainId: number): Promise<void> {
  const query = sql`update ${t} set ${t.names("isWholeDue")} = true where ${t.domainId} = ${domainId}`;
  await query.run(session);
}
