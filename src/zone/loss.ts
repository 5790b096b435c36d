/**
 * What a change takes away from a zone. The rule is here alone: a client that is about to make a change whose loss is large asks whether
 * that is meant, with these figures.
 */

/** The records that a zone loses, of those that it has. */
export interface Loss {
  readonly zone: string;
  /** Whether the zone is deleted, and loses all of them. */
  readonly isDeletion: boolean;
  /** Number of records that go; one that is edited stays. */
  readonly lostCount: number;
  /** Number of records of the zone before. */
  readonly recordCount: number;
  /** Whether it is a deletion, or more than ten records and a tenth of the zone. */
  readonly isLarge: boolean;
}

/** The loss of a zone that had `recordCount` records, the SOA among them. */
export const lossOf = (zone: string, recordCount: number, lostCount: number): Loss => ({
  zone,
  isDeletion: false,
  lostCount,
  recordCount,
  isLarge: lostCount > 10 && lostCount * 10 > recordCount,
});

/** The loss of a zone that is deleted with all its records. */
export const lossOfDeletion = (zone: string, recordCount: number): Loss => ({
  zone,
  isDeletion: true,
  lostCount: recordCount,
  recordCount,
  isLarge: true,
});

/** How many of the removed records are not added again, as an edited one is under its id. */
export function countLost({
  removed,
  added,
}: Record<"removed" | "added", readonly { readonly id: number | undefined }[]>) {
  const kept = new Set(added.map(({ id }) => id));
  return removed.filter(({ id }) => !kept.has(id)).length;
}

/** As many large losses as are listed. */
const maxListed = 100;

/** Large losses with their numbers: deletions first, then the zones that lose most; the first 100 are listed. */
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
