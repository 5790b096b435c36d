/** The types that the rows of a sheet can be filtered by. */

interface TypeChoices {
  /** Those that the zone has records of, the common ones first. */
  readonly present: readonly string[];
  /** What the zone may have besides, as far as that is not known; and what is chosen. */
  readonly others: readonly string[];
}

interface Known {
  /** The types of the rows that are here. */
  readonly present: ReadonlySet<string>;
  /** Whether all records of the zone are here. */
  readonly isComplete: boolean;
  /** The types that the service knows, in the order in which they are offered. */
  readonly offered: readonly string[];
  /** What is chosen; empty for all. */
  readonly chosen: string;
}

export function typeChoices({ present, isComplete, offered, chosen }: Known): TypeChoices {
  const inOrder = offered.filter((type) => present.has(type));
  const unlisted = [...present].filter((type) => !offered.includes(type)).sort();
  const absent = isComplete ? [] : offered.filter((type) => !present.has(type));
  const isUnlisted = chosen !== "" && !present.has(chosen) && !absent.includes(chosen);
  return { present: [...inOrder, ...unlisted], others: isUnlisted ? [...absent, chosen] : absent };
}
