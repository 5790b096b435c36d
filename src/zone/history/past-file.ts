/**
 * A moment as a master file, as master-file/export.ts writes the present. What was cannot change, so it is read page by page without a
 * snapshot, and holds no connection while its client reads.
 */
import { recordLine } from "../../dns/master-file/parser.ts";
import { ownerName } from "../../dns/name.ts";
import { recordType } from "../../dns/rdata/record-type-registry.ts";
import type { Session } from "../../session/session.ts";
import type { Moment } from "./moment.ts";
import { instantAfter, type PastRecordRow, readAt } from "./versions.ts";

/** Records that are read by one statement. */
const pageSize = 2000;

/** Records of a moment that is returned as one text. */
export const maxTextRecords = 1000;

/** The master file of a moment, in pieces. */
export async function* exportMoment(session: Session, { zone, change }: Moment): AsyncGenerator<string> {
  for (let last: PastRecordRow | undefined; ; ) {
    const rows = await readAt(session, instantAfter(change), pageSize, last);
    if (rows.length > 0) yield linesOf(rows, zone);
    if (rows.length < pageSize) return;
    last = rows.at(-1);
  }
}

/** The master file of a moment of at most `maxTextRecords` records; undefined for a larger one, which exportMoment streams. */
export async function momentText(session: Session, { zone, change }: Moment): Promise<string | undefined> {
  const rows = await readAt(session, instantAfter(change), maxTextRecords + 1);
  return rows.length > maxTextRecords ? undefined : linesOf(rows, zone);
}

function linesOf(rows: readonly PastRecordRow[], zone: string): string {
  return rows
    .map(({ owner, type, ttl, wire }) => recordLine(ownerName(owner, zone), ttl, recordType(type), wire))
    .join("");
}
