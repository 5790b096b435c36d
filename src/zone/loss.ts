/**
 * The loss of a change: the records that it takes from a zone. Only this file decides when a loss is large; a client then asks for
 * confirmation with these figures.
 */

export interface Loss {
  readonly zone: string;
  readonly isDeletion: boolean;
  /** Number of removed records; an edited record does not count. */
  readonly lostCount: number;
  readonly recordCount: number;
  /** Whether the zone is deleted, or loses more than ten records and more than a tenth of all. */
  readonly isLarge: boolean;
}

/** The loss of a zone that had `recordCount` records, including the SOA. */
export const lossOf = (zone: string, recordCount: number, lostCount: number): Loss => ({
  zone,
  isDeletion: false,
  lostCount,
  recordCount,
  isLarge: lostCount > 10 && lostCount * 10 > recordCount,
});

export const lossOfDeletion = (zone: string, recordCount: number): Loss => ({
  zone,
  isDeletion: true,
  lostCount: recordCount,
  recordCount,
  isLarge: true,
});

/** How many removed records are not in `added` under the same id. */
export function countLost({
  removed,
  added,
}: Record<"removed" | "added", readonly { readonly id: number | undefined }[]>) {
  const kept = new Set(added.map(({ id }) => id));
  return removed.filter(({ id }) => !kept.has(id)).length;
}

const maxListed = 100;

/** The large losses and their counts: deletions first, then by lost records; at most `maxListed` are listed. */
export function largeLosses(losses: readonly Loss[]) {
  const large = losses.filter(({ isLarge }) => isLarge);
  const listed = large.toSorted(
    (a, b) => Number(b.isDeletion) - Number(a.isDeletion) || b.lostCount - a.lostCount || (a.zone < b.zone ? -1 : 1),
  );
  return {
    deletedZoneCount: large.filter(({ isDeletion }) => isDeletion).length,
    largeLossCount: large.length,
    largeLosses: listed.slice(0, maxListed),
  };
}
