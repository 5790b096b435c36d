/**
 * A zone as a master file: the apex and its SOA first, then by owner and type, every name absolute, every line whole.
 */
import { IsolationLevel } from "@mikro-orm/core";
import { sql } from "kysely";
import { recordLine } from "../../dns/master-file/reader.ts";
import { ownerName } from "../../dns/name.ts";
import { recordType } from "../../dns/rdata/record-types.ts";
import { Refusal } from "../../errors.ts";
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

/** Records that are read at a time. */
const pageSize = 2000;

/** The most records of a zone that are answered as one text. */
export const mostInText = 1000;

/** The master file of a zone, piece by piece, all of one snapshot. The first piece is read before the promise is kept. */
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

/** The master file of a small zone; a larger one is refused with the path that streams it. */
export async function zoneFileText(session: Session, domain: DomainRow): Promise<string> {
  const rows = await readPage(connection(session), domain.id, undefined, mostInText + 1);
  if (rows.length <= mostInText) return linesOf(rows, domain.zone);
  const message = `${domain.zone} has more than ${mostInText} records; read GET /api/domain/zonefile/${domain.zone} instead.`;
  throw new Refusal("TOO_LARGE", message, { field: "zoneFile" });
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
