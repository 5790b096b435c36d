/**
 * A zone as a master file: the apex and its SOA first, then by owner and type, every name absolute, every line whole.
 */
import { IsolationLevel } from "@mikro-orm/core";
import { sql } from "kysely";
import { recordLine } from "../../dns/master-file/parser.ts";
import { ownerName } from "../../dns/name.ts";
import { recordType } from "../../dns/rdata/record-type-registry.ts";
import { type Connection, connection, type Session } from "../../session/session.ts";
import { type RowOf, table } from "../../sql/columns.ts";
import { type DomainRow, domainByZone } from "../domain.ts";
import { ZoneRecord } from "../record.ts";

const r = table(ZoneRecord, "r");
const columns = r.columns("id", "owner", "type", "ttl", "wire", "position");
type Row = RowOf<typeof columns>;

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

/**
 * The master file of a zone of at most `maxTextRecords` records; undefined for a larger one, which exportZone streams.
 */
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
  const from = after ? sql`(${r.position}, ${r.id}) > (${after.position}, ${after.id})` : sql`true`;
  const query = sql<Row>`
    select ${columns} from ${r} where ${r.domainId} = ${domainId} and ${from}
    order by ${r.position}, ${r.id} limit ${limit}`;
  return (await query.execute(db)).rows;
}

function linesOf(rows: readonly Row[], zone: string): string {
  return rows
    .map(({ owner, type, ttl, wire }) => recordLine(ownerName(owner, zone), ttl, recordType(type), wire))
    .join("");
}
