/** What the sheet says of changes by others. */
import type { JournalChange } from "./sheet-service.ts";

/** What others changed while the sheet was open. */
export interface Notice {
  readonly actors: readonly string[];
  /** Records added, removed or edited; undefined when there were more changes than were read. */
  readonly count: number | undefined;
  readonly at: string | undefined;
  readonly isMine: boolean;
}

/** Records that a change added, removed or edited, without the SOA. */
export function countOf({ added, removed }: JournalChange): number {
  const count = (rows: JournalChange["added"]) => rows.filter(({ type }) => type !== "SOA").length;
  return Math.max(count(added), count(removed));
}
