/**
 * The keys that were looked up lately, for a second: a revocation made by another process takes effect within it.
 */
import type { EntityManager } from "@mikro-orm/postgresql";

/** Lifetime of a cached key, ms. */
export const cachedKeyMs = 1000;

/** Keys that are remembered. */
export const maxCachedKeys = 1000;

/** A key that was looked up, or is being looked up. */
export interface CachedKey {
  readonly row: Promise<unknown>;
  /** Until when the row counts, on the clock of `performance`. */
  readonly until: number;
  /** The row once it is there, or while it is read again the one of before. */
  accepted: unknown;
  isRead: boolean;
}

/** The keys of each database by their hash, in hexadecimal. */
const caches = new WeakMap<object, Map<string, CachedKey>>();

/** The cache of a database. */
export function keyCacheOf(em: EntityManager): Map<string, CachedKey> {
  const cache = caches.get(em.getDriver()) ?? new Map();
  caches.set(em.getDriver(), cache);
  return cache;
}

/** Clears the cache after a revocation; a lookup in flight is for those who asked before. */
export function forgetKeys(em: EntityManager): void {
  caches.delete(em.getDriver());
}
