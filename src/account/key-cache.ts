/**
 * The keys that were looked up lately, for a second: a revocation made by another process takes effect within it.
 */
import type { EntityManager } from "@mikro-orm/postgresql";

/** Lifetime of a cached key, ms. */
const cachedKeyMs = 1000;

/** Keys that are remembered. */
const maxCachedKeys = 1000;

/** What was looked up, by its name. */
type Lookups = Map<string, CachedKey>;

/** What was looked up in a database. */
interface KeyCache {
  /** Keys; API keys by their hash, in hexadecimal. */
  readonly keys: Lookups;
  /** The names of all keys, by kind; apart from the keys, so that those do not push them out. */
  readonly names: Lookups;
}

/** A key that was looked up, or is being looked up. */
export interface CachedKey {
  readonly row: Promise<unknown>;
  /** Until when the row counts, on the clock of `performance`. */
  readonly until: number;
  /** The row once it is there, or while it is read again the one of before. */
  accepted: unknown;
  isRead: boolean;
}

const caches = new WeakMap<object, KeyCache>();

/** The cache of a database. */
export function keyCacheOf(em: EntityManager): KeyCache {
  const cache = caches.get(em.getDriver()) ?? { keys: new Map(), names: new Map() };
  caches.set(em.getDriver(), cache);
  return cache;
}

/**
 * Looks a key up, once for all who ask for it at the same time and in the second after that. A missing key, or a failed read, is not
 * remembered.
 */
export function lookUpKey<Row>(cache: Lookups, name: string, read: () => Promise<Row>): Promise<Row> {
  const start = performance.now();
  const cached = cache.get(name);
  if (cached && start < cached.until) return cached.row as Promise<Row>;
  const row = read();
  const entry = { row, until: start + cachedKeyMs, accepted: cached?.accepted, isRead: false };
  if (cache.size >= maxCachedKeys) cache.clear();
  cache.set(name, entry);
  const forget = () => void (cache.get(name) === entry && cache.delete(name));
  row.then((stored) => {
    if (stored) Object.assign(entry, { accepted: stored, isRead: true });
    else forget();
  }, forget);
  return row;
}

/** The row of a key that was looked up a moment ago; undefined when it must be looked up. */
export function acceptedKey(cache: Lookups, name: string): unknown {
  const cached = cache.get(name);
  return cached?.isRead && performance.now() < cached.until ? cached.accepted : undefined;
}

/** Clears the cache when a key is made, revoked or deleted; a lookup in flight is for those who asked before. */
export function forgetKeys(em: EntityManager): void {
  caches.delete(em.getDriver());
}
