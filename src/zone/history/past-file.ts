/**
 * A moment as a master file, as master-file/export.ts writes the present; with the notes that its RRsets have now.
 */
import type { Session } from "../../session/session.ts";
import { maxTextRecords, pieces, recordLines } from "../master-file/export.ts";
import type { Moment } from "./moment.ts";
import { instantAfter, readAt, streamAt } from "./versions.ts";

/** The master file of a moment, in pieces. */
export const exportMoment = (session: Session, { zone, change }: Moment): AsyncGenerator<string> =>
  pieces(streamAt(session, instantAfter(change)), zone);

/** The master file of a moment of at most `maxTextRecords` records; undefined for a larger one, which exportMoment streams. */
export async function momentText(session: Session, { zone, change }: Moment): Promise<string | undefined> {
  const rows = await readAt(session, instantAfter(change), maxTextRecords + 1);
  return rows.length <= maxTextRecords ? recordLines(rows, zone) : undefined;
}
