/** Caches keys for a second. A revocation by another process takes effect within this second. */
import type { EntityManager } from "@mikro-orm/postgresql";

const cachedKeyMs = 1000;

const maxCachedKeys = 1000;

type Lookups = Map<string, CachedKey>;

interface KeyCache {
  /** Keys by name; API keys by the hexadecimal form of their hash. */
  readonly keys: Lookups;
  /** The names of all keys, by kind. They are cached apart from `keys`, so that many cached keys do not push them out. */
  readonly names: Lookups;
}

interface CachedKey {
  readonly row: Promise<unknown>;
  /** The time after which the row must not be used any more, by `performance.now()`. */
  readonly until: number;
  /** The row from the last completed read. While a new read is in progress, this is still the row of the read before it. */
  accepted: unknown;
  isRead: boolean;
}

const caches = new WeakMap<object, KeyCache>();

export function keyCacheOf(em: EntityManager): KeyCache {
  const cache = caches.get(em.getDriver()) ?? { keys: new Map(), names: new Map() };
  caches.set(em.getDriver(), cache);
  return cache;
}

/** Reads a key once for everybody who asks within a second. A missing key and a failed read are not cached. */
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

export function acceptedKey(cache: Lookups, name: string): unknown {
  const cached = cache.get(name);
  return cached?.isRead && performance.now() < cached.until ? cached.accepted : undefined;
}

/**
 * Clears the cache; called when a key is created, revoked or deleted. The result of a read in progress goes only to callers who asked
 * before this.
 */
export function forgetKeys(em: EntityManager): void {
  caches.delete(em.getDriver());
}
