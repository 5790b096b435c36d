/**
 * Exports a zone as a master file: the apex and its SOA first, then by owner and type. Every name is absolute, every record is one line,
 * and the note of an RRset is a comment before it.
 */

import { recordLine } from "../../dns/master-file/parser.ts";
import { ownerName } from "../../dns/name.ts";
import { recordType } from "../../dns/rdata/record-type-registry.ts";
import type { Session } from "../../session/session.ts";
import { type Reference, type RowOf, table } from "../../sql/columns.ts";
import { rowStream } from "../../sql/row-stream.ts";
import { sql } from "../../sql/sql.ts";
import { type DomainRow, domainByZone } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import { RrsetNote } from "../rrset-note.ts";
import { wireOf } from "../soa-data.ts";

const r = table(ZoneRecord, "r");
const n = table(RrsetNote, "n");
const note: Reference<string | null> = n.text;
const columns = r.columns("owner", "type", "ttl").with("wire", wireOf(r)).with("note", note);
type Row = RowOf<typeof columns>;

export const maxTextRecords = 1000;

/** Streams the master file of a zone from one snapshot; throws NOT_FOUND before the first piece. */
export async function exportZone(session: Session, zone: string): Promise<AsyncIterable<string>> {
  const domain = await domainByZone(session, zone);
  return pieces(rowStream(session, inOrder(domain.id)), domain.zone);
}

export async function* pieces(batches: AsyncIterable<readonly Row[]>, zone: string): AsyncGenerator<string> {
  let last: Row | undefined;
  for await (const rows of batches) {
    yield recordLines(rows, zone, last);
    last = rows.at(-1);
  }
}

/** The master file of a zone; undefined for more than `maxTextRecords` records, which exportZone streams. */
export async function zoneFileText(session: Session, { id, zone }: DomainRow): Promise<string | undefined> {
  const rows = await sql<Row>`${inOrder(id)} limit ${maxTextRecords + 1}`.run(session);
  return rows.length <= maxTextRecords ? recordLines(rows, zone) : undefined;
}

const inOrder = (domainId: number) =>
  sql<Row>`
    select ${columns} from ${r}
    left join ${n} on ${n.domainId} = ${r.domainId} and ${n.owner} = ${r.owner} and ${n.type} = ${r.type}
    where ${r.domainId} = ${domainId} order by ${r.position}, ${r.id}`;

export function recordLines(rows: readonly Row[], zone: string, last?: Row): string {
  return rows
    .map(({ owner, type, ttl, wire, note }, at) => {
      const line = recordLine(ownerName(owner, zone), ttl, recordType(type), wire);
      const before = rows[at - 1] ?? last;
      const isFirst = before?.owner !== owner || before.type !== type;
      return note && isFirst ? commented(note) + line : line;
    })
    .join("");
}

const commented = (note: string) =>
  note
    .split("\n")
    .map((line) => `${`; ${line}`.trimEnd()}\n`)
    .join("");
