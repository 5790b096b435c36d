/**
 * How long a new key works.
 */

/** The lifetimes to choose from, in days; empty for no end. */
export const lifetimes = [
  ["", "never"],
  ["7", "in 7 days"],
  ["30", "in 30 days"],
  ["90", "in 90 days"],
  ["365", "in a year"],
] as const;

const dayMs = 86_400_000;

/** The time so many days from now. */
export const endOf = (days: string) => new Date(Date.now() + Number(days) * dayMs).toISOString();
