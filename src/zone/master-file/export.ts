/**
 * A zone as a master file: the apex and its SOA first, then by owner and type, every name absolute, every line whole.
 */
import { IsolationLevel } from "@mikro-orm/core";
import { sql } from "kysely";
import { recordLine } from "../../dns/master-file/reader.ts";
import { ownerName } from "../../dns/name.ts";
import { recordType } from "../../dns/rdata/record-types.ts";
import { type Connection, connection, type Session } from "../../session/session.ts";
import { type DomainRow, domainByZone } from "../domain.ts";

interface Row {
  readonly id: number;
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly wire: Uint8Array;
  readonly position: string;
}

/** Records that are read by one statement. */
const pageSize = 2000;

/** Records of a zone that is returned as one text. */
export const maxTextRecords = 1000;

/** The master file of a zone, in pieces, all of one snapshot; NOT_FOUND before the first piece. */
export async function exportZone(session: Session, zone: string): Promise<AsyncIterable<string>> {
  const domain = await domainByZone(session, zone);
  return pieces(session, domain);
}

async function* pieces(session: Session, domain: DomainRow): AsyncGenerator<string> {
  const em = session.em.fork();
  await em.begin({ isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
  try {
    let last: Row | undefined;
    for (;;) {
      const rows = await readPage(connection({ em }), domain.id, last, pageSize);
      if (rows.length > 0) yield linesOf(rows, domain.zone);
      if (rows.length < pageSize) return;
      last = rows.at(-1);
    }
  } finally {
    await em.rollback();
  }
}

/** The master file of a zone of at most `maxTextRecords` records; undefined for a larger one, which exportZone streams. */
export async function zoneFileText(session: Session, domain: DomainRow): Promise<string | undefined> {
  const rows = await readPage(connection(session), domain.id, undefined, maxTextRecords + 1);
  return rows.length <= maxTextRecords ? linesOf(rows, domain.zone) : undefined;
}

async function readPage(
  db: Connection,
  domainId: number,
  after: Row | undefined,
  limit: number,
): Promise<readonly Row[]> {
  const from = after ? sql`(position, id) > (${after.position}, ${after.id})` : sql`true`;
  const query = sql<Row>`
    select id, owner, type, ttl, wire, position from zone_record
    where domain_id = ${domainId} and ${from} order by position, id limit ${limit}`;
  return (await query.execute(db)).rows;
}

function linesOf(rows: readonly Row[], zone: string): string {
  return rows
    .map(({ owner, type, ttl, wire }) => recordLine(ownerName(owner, zone), ttl, recordType(type), wire))
    .join("");
}
