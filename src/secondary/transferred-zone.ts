/**
 * The serials of a zone that were transferred to a secondary, in the history that this database holds. After a restored backup the same
 * serials name other changes: differences (IXFR, RFC 1995) are sent only from a serial in this table, and a copy counts as published only
 * at such a serial (proof.ts).
 *
 * A row is committed before the last message of a transfer: no secondary serves a serial without a row. After a transfer that fails then,
 * it is at the earlier one of the two serials that are kept; after more failures it gets the whole zone. The write does not wait for the
 * disk: a row that is lost when PostgreSQL crashes costs one transfer of the whole zone.
 *
 * The recipient is recognized by its TSIG key, and by its address where several share the key; without a key, by its address. When that
 * identifies no single secondary, nothing is recorded and the whole zone is sent. Limitations: a transfer by another client with a
 * secondary's key counts as one of the secondary; several servers behind one key and address count as one.
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

@Entity({ tableName: "transferred_zone" })
@Index({ name: "transferred_zone_transaction_id_index", properties: ["transactionId"] })
export class TransferredZone {
  @PrimaryKey({ type: new BigIntType("number"), autoincrement: false })
  domainId!: number;

  @ManyToOne(() => Secondary, { fieldName: "secondary_id", primary: true, deleteRule: "cascade", index: false })
  secondary!: Secondary;

  @Property({ type: new BigIntType("number") })
  serial!: number;

  /** Null after the first transfer. */
  @Property({ type: new BigIntType("number"), nullable: true })
  previousSerial?: number | null;

  /** Whether the next transfer must be of the whole zone, whatever serial the secondary has. */
  @Property({ type: "boolean", default: false })
  isWholeDue!: boolean;

  @Property({ type: "datetime", columnType: "timestamptz" })
  transferredAt!: Date;

  /** Null in rows of an earlier version. */
  @Property({ type: "text", columnType: "xid8", nullable: true })
  transactionId?: string | null;
}

const t = table(TransferredZone, "t");
const excluded = table(TransferredZone, "excluded");
const s = table(Secondary, "s");
const k = table(TsigKey, "k");
const d = table(Domain, "d");

export interface RecordedTransfer extends Target {
  readonly secondaryId: number;
}

/** `snapshot`: the one of the database up to which they were read (pg_snapshot). */
export interface TransfersUpTo {
  readonly snapshot: string;
  readonly transfers: readonly RecordedTransfer[];
}

/**
 * The last `limit` transfers that were committed since a snapshot; none without one. Each transaction is in one snapshot or in the next,
 * however late it commits, and one that stays open does not make each call read the rows of others again. Rows of another cluster, from a
 * backup, are left out while their transaction ids are in the future.
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

/** The id of the secondary that the peer is; no row when several match, or when it is indirect. */
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

interface Transferred {
  readonly domainId: number;
  readonly serial: number;
  readonly isWhole: boolean;
  readonly peer: TransferPeer;
}

interface Recording {
  readonly session: Session;
  readonly transferred: Transferred;
}

const maxTogether = 500;

/** The groupings of transfers to record, by the statements of a process. */
const recordings = new WeakMap<SingleStatements, Grouping<Recording, undefined>>();

/** Every instance sees the record when this returns. */
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

async function storeTransfers(group: readonly Recording[], way: Way): Promise<void> {
  const [{ session }] = group as [Recording];
  await writeRows(session, storing, group, way);
}

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

/** The serial was transferred to the peer from here, so that differences from it fit its copy. */
export function wasTransferred(domainId: Sql, serial: number, peer: PeerValues): Sql<boolean> {
  return sql<boolean>`exists (
    select from ${t} where ${t.domainId} = ${domainId} and ${t.secondaryId} = (${recipient(peer)})
      and ${serial}::bigint in (${t.serial}, ${t.previousSerial}) and not ${t.isWholeDue})`;
}

export async function requireWholeTransfers(session: Session, domainId: number): Promise<void> {
  const query = sql`update ${t} set ${t.names("isWholeDue")} = true where ${t.domainId} = ${domainId}`;
  await query.run(session);
}
