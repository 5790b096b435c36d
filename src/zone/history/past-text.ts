/**
 * The past as text. A moment is a master file in the form of master-file/export.ts, with the present notes of its RRsets. A difference
 * has the form of `diff -u`: the two moments, then for each RRset who changed it, the removed lines and the added lines. Its lines are
 * lines of a master file whose origin is the zone, so they can be imported.
 */
import type { Session } from "../../session/session.ts";
import { type ChangeRow, changesByIds } from "../change.ts";
import { maxTextRecords, pieces, recordLines } from "../master-file/export.ts";
import { type RrsetDifference, streamDifference } from "./difference.ts";
import type { Moment, Moments } from "./moment.ts";
import { instantAfter, instantsOf, readAt, streamAt } from "./versions.ts";

export const maxTextLines = 1000;

export async function* differenceText(session: Session, { from, to }: Moments): AsyncGenerator<string> {
  const start = from ? headingOf(from) : `${to.zone}\tbefore it was created`;
  yield `--- ${start}\n+++ ${headingOf(to)}\n`;
  for await (const rrsets of streamDifference(session, instantsOf({ from, to }))) yield await textOf(session, rrsets);
}

/** The text of a difference; undefined for more than `maxTextLines` lines, which differenceText streams. */
export async function shortDifferenceText(session: Session, moments: Moments): Promise<string | undefined> {
  let [text, lines] = ["", 0];
  for await (const piece of differenceText(session, moments)) {
    text += piece;
    lines += piece.split("\n").length;
    if (lines > maxTextLines) return undefined;
  }
  return text;
}

const headingOf = ({ zone, change }: Moment) => `${zone} ${change.serial}\t${change.createdAt.toISOString()}`;

async function textOf(session: Session, rrsets: readonly RrsetDifference[]): Promise<string> {
  const ids = new Set(rrsets.flatMap(({ lines }) => lines.map(({ changeId }) => changeId)));
  const changes = new Map((await changesByIds(session, [...ids])).map((change) => [change.id, change]));
  return rrsets.map((rrset) => rrsetText(rrset, changes)).join("");
}

function rrsetText({ owner, type, lines }: RrsetDifference, changes: ReadonlyMap<number, ChangeRow>): string {
  const ids = [...new Set(lines.map(({ changeId }) => changeId))].toSorted((a, b) => a - b);
  const blame = ids.map((id) => blameOf(changes.get(id))).join("; ");
  const texts = lines.map(({ removed, ttl, rdata }) => `${removed ? "-" : "+"}${owner} ${ttl} IN ${type} ${rdata}\n`);
  return `@@ ${owner} ${type} @@ ${blame}\n${texts.join("")}`;
}

function blameOf(change: ChangeRow | undefined): string {
  if (!change) return "before what the journal keeps";
  const { id, actor, source, createdAt, note } = change;
  return `${actor} by ${source}, ${createdAt.toISOString()}, change ${id}${note ? `: ${note}` : ""}`;
}

export const exportMoment = (session: Session, { zone, change }: Moment): AsyncGenerator<string> =>
  pieces(streamAt(session, instantAfter(change)), zone);

/** The master file of a moment; undefined for more than `maxTextRecords` records, which exportMoment streams. */
export async function momentText(session: Session, { zone, change }: Moment): Promise<string | undefined> {
  const rows = await readAt(session, instantAfter(change), maxTextRecords + 1);
  return rows.length <= maxTextRecords ? recordLines(rows, zone) : undefined;
}
