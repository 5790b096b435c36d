/**
 * Whole zones as PostgreSQL puts them together for transfers: blocks of records, each one value of one row, so that
 * neither the driver nor this process handles a row for each record.
 */
import type { PoolClient } from "pg";
import { table } from "../sql/columns.ts";
import { ZoneRecord } from "../zone/record.ts";

/** The most records of a block, and the octets of data from which on no further record is added to one. */
const maxBlockRecords = 1000;
const fullBlockOctets = 65_536;

const r = table(ZoneRecord, "r");
const s = table(ZoneRecord, "s");
const b = table(ZoneRecord, "b");

const packed = `
  int4send(${b.ttl}) || int4send(octet_length(${b.wire})) || int2send(octet_length(${b.owner})::int2)
    || int2send(octet_length(${b.type})::int2) || textsend(${b.owner}) || textsend(${b.type}) || ${b.wire}`;

/** $1 the domain, $2 and $3 position and id of the record before the block. */
const blockText = `
  select string_agg(${packed}, '') as block, max(${b.position}) as position, (array_agg(${b.id}))[count(*)] as id
  from (
    select ${s.names("id", "owner", "type", "ttl", "wire", "position")},
      sum(octet_length(${s.wire})) over (order by ${s.position}, ${s.id} rows unbounded preceding) as octets
    from (
      select ${r.names("id", "owner", "type", "ttl", "wire", "position")} from ${r}
      where ${r.domainId} = $1 and (${r.position}, ${r.id}) > ($2, $3) and not (${r.owner} = '@' and ${r.type} = 'SOA')
      order by ${r.position}, ${r.id} limit ${maxBlockRecords}
    ) s
  ) b where octets - octet_length(${b.wire}) < ${fullBlockOctets}`;

interface BlockRow {
  readonly block: Buffer | null;
  readonly position: string;
  readonly id: number;
}

/**
 * The records of a zone but its SOA, in the order of its master file, as blocks for `BlockReader`. Needs a snapshot. It
 * forbids sorting there: without statistics, as after an import, PostgreSQL would sort the rest of the zone for each
 * block, which is in order in an index.
 */
export async function* readZoneBlocks(reads: PoolClient, zoneId: number): AsyncGenerator<Buffer> {
  await reads.query("set local enable_sort = off");
  const readAfter = async ({ position, id }: Pick<BlockRow, "position" | "id">) => {
    const statement = { name: "zone-block", text: blockText, values: [zoneId, position, id] };
    return (await reads.query<BlockRow>(statement)).rows[0];
  };
  let next = readAfter({ position: "", id: 0 });
  try {
    for (;;) {
      const row = await next;
      if (!row?.block) return;
      // PostgreSQL puts the next block together while this one is sent.
      next = readAfter(row);
      yield row.block;
    }
  } finally {
    await next.catch(() => {});
  }
}

/** Reads the records of a block, one after the other. Owner, type and data are octets of the block from `…At` on. */
export class BlockReader {
  readonly block: Buffer;
  ttl = 0;
  ownerAt = 0;
  typeAt = 0;
  wireAt = 0;
  end = 0;

  constructor(block: Buffer) {
    this.block = block;
  }

  /** Goes to the next record; returns false when there is none. */
  next(): boolean {
    const { block, end: at } = this;
    if (at === block.length) return false;
    this.ttl = block.readUInt32BE(at);
    this.ownerAt = at + 12;
    this.typeAt = this.ownerAt + block.readUInt16BE(at + 8);
    this.wireAt = this.typeAt + block.readUInt16BE(at + 10);
    this.end = this.wireAt + block.readUInt32BE(at + 4);
    return true;
  }
}
