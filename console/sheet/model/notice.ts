/** What the sheet says of changes by others. */
import type { JournalChange } from "../records/sheet-service.ts";

/** What others changed while the sheet was open. */
export interface Notice {
  readonly authors: readonly string[];
  /** Records added, removed or edited; undefined when there were more changes than were read. */
  readonly count: number | undefined;
  readonly at: string | undefined;
  /** Whether a person edits some of it. */
  readonly isMine: boolean;
}

/** Records that a change added, removed or edited, without the SOA. */
function countOf({ added, removed }: JournalChange): number {
  const count = (rows: JournalChange["added"]) => rows.filter(({ type }) => type !== "SOA").length;
  return Math.max(count(added), count(removed));
}

/** What is said of changes, the newest first; undefined are more than were read. */
export function noticeOf(changes: readonly JournalChange[] | undefined, isMine: boolean): Notice {
  const isWhole = changes?.every((change) => change.isWhole);
  return {
    authors: [...new Set(changes?.map(({ author }) => author))],
    count: isWhole ? changes?.reduce((sum, change) => sum + countOf(change), 0) : undefined,
    at: changes?.[0]?.createdAt,
    isMine,
  };
}
