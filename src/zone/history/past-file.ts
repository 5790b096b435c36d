/**
 * A moment as a master file, as master-file/export.ts writes the present.
 */
import type { Session } from "../../session/session.ts";
import { maxTextRecords, recordLines } from "../master-file/export.ts";
import type { Moment } from "./moment.ts";
import { instantAfter, readAt, streamAt } from "./versions.ts";

/** The master file of a moment, in pieces. */
export async function* exportMoment(session: Session, { zone, change }: Moment): AsyncGenerator<string> {
  for await (const rows of streamAt(session, instantAfter(change))) yield recordLines(rows, zone);
}

/** The master file of a moment of at most `maxTextRecords` records; undefined for a larger one, which exportMoment streams. */
export async function momentText(session: Session, { zone, change }: Moment): Promise<string | undefined> {
  const rows = await readAt(session, instantAfter(change), maxTextRecords + 1);
  return rows.length <= maxTextRecords ? recordLines(rows, zone) : undefined;
}
