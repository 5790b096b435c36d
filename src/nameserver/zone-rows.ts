/**
 * Whole zones as PostgreSQL sends them for transfers: in binary form, so that neither it nor the driver writes and reads text
 * for each record.
 */
import type { PoolClient } from "pg";
import { copyOut } from "../database/copy-out.ts";
import { table } from "../sql/columns.ts";
import { ZoneRecord } from "../zone/record.ts";

const r = table(ZoneRecord, "r");

/** COPY takes no parameters; the id of a domain is a number. */
const copyText = (zoneId: number) => `
  copy (
    select ${r.owner}, ${r.type}, ${r.ttl}, ${r.wire} from ${r}
    where ${r.domainId} = ${zoneId} and not (${r.owner} = '@' and ${r.type} = 'SOA') order by ${r.position}, ${r.id}
  ) to stdout (format binary)`;

/**
 * The records of a zone but its SOA, in the order of its master file, in pieces as they arrive; `RowReader` reads them, before
 * the next piece is asked for. Needs a snapshot.
 */
export function readZoneRows(reads: PoolClient, zoneId: number): AsyncGenerator<readonly Buffer[]> {
  return copyOut(reads, copyText(zoneId));
}

/** The octets of a row before its first field: how many fields there are; and before each field: its length. */
const rowHead = 2;
const fieldHead = 4;

/** Where the fields of a record are in the octets of its row. */
export class RowReader {
  ownerAt = 0;
  ownerEnd = 0;
  typeAt = 0;
  typeEnd = 0;
  ttl = 0;
  wireAt = 0;
  wireEnd = 0;

  read(row: Buffer): void {
    this.ownerAt = rowHead + fieldHead;
    this.ownerEnd = this.ownerAt + row.readUInt32BE(rowHead);
    this.typeAt = this.ownerEnd + fieldHead;
    this.typeEnd = this.typeAt + row.readUInt32BE(this.ownerEnd);
    const ttlAt = this.typeEnd + fieldHead;
    this.ttl = row.readUInt32BE(ttlAt);
    this.wireAt = ttlAt + 4 + fieldHead;
    this.wireEnd = row.length;
  }
}
