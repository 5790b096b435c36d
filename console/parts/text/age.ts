/**
 * How old something is at most, as lists are filtered by it.
 */

/** The ages to choose from, by their names in an address. */
const ages = { "1d": 1, "7d": 7, "30d": 30 } as const;
export type Age = keyof typeof ages;

const dayMs = 86_400_000;

/** The time that is as old. */
export const timeAgo = (age: Age) => new Date(Date.now() - ages[age] * dayMs).toISOString();
