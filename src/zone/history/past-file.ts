/**
 * A moment as a master file, as master-file/export.ts writes the present.
 */
import { recordLine } from "../../dns/master-file/parser.ts";
import { ownerName } from "../../dns/name.ts";
import { recordType } from "../../dns/rdata/record-type-registry.ts";
import type { Session } from "../../session/session.ts";
import type { Moment } from "./moment.ts";
import { instantAfter, type PastRecordRow, readAt, streamAt } from "./versions.ts";

/** Records of a moment that is returned as one text. */
export const maxTextRecords = 1000;

/** The master file of a moment, in pieces. */
export async function* exportMoment(session: Session, { zone, change }: Moment): AsyncGenerator<string> {
  for await (const rows of streamAt(session, instantAfter(change))) yield linesOf(rows, zone);
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
