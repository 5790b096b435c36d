/** The notice of changes by others. */
import { isWhole, type JournalChange } from "../records/sheet-service.ts";

export interface Notice {
  readonly authors: readonly string[];
  /** Records added, removed or edited; undefined when there were more changes than were read. */
  readonly count: number | undefined;
  readonly at: string | undefined;
  readonly isMine: boolean;
}

/** Records that a change added, removed or edited, without the SOA. */
function countOf({ added, removed }: JournalChange): number {
  const count = (rows: JournalChange["added"]) => rows.filter(({ type }) => type !== "SOA").length;
  return Math.max(count(added), count(removed));
}

/** The notice of changes, the newest first; undefined when there are more than were read. */
export function noticeOf(changes: readonly JournalChange[] | undefined, isMine: boolean): Notice {
  return {
    authors: [...new Set(changes?.map(({ author }) => author))],
    count: changes?.every(isWhole) ? changes.reduce((sum, change) => sum + countOf(change), 0) : undefined,
    at: changes?.[0]?.createdAt,
    isMine,
  };
}
