/**
 * Authentication over HTTP: the actor of an API key.
 */
import { hash as digest, timingSafeEqual } from "node:crypto";
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { Refusal } from "../errors.ts";
import type { Actor } from "../session/authorization.ts";
import { connection } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { ApiKey, type ApiKeyRow, apiKeyColumns, fingerprintOf, hashOf } from "./api-key.ts";
import { cachedKeyMs, keyCacheOf, maxCachedKeys } from "./key-cache.ts";

const k = table(ApiKey, "k");

/** How old the time of the last use may be before it is written again, ms. */
const lastUseToleranceMs = 3_600_000;

/** Notes that a key is used, once an hour; a request does not wait for it, nor does it fail with it. */
function noteUse(em: EntityManager, row: ApiKeyRow, now: Date): void {
  if (row.lastUsedAt && now.getTime() - row.lastUsedAt.getTime() < lastUseToleranceMs) return;
  Object.assign(row, { lastUsedAt: now }); // which may be a row that the cache keeps
  const update = sql`update ${k} set ${k.names("lastUsedAt")} = ${now} where ${k.id} = ${row.id}`;
  void update.execute(connection({ em })).catch(() => {});
}

/** The actor of a key; UNAUTHENTICATED when it is unknown, revoked or expired. */
export async function authenticate(em: EntityManager, key: string, now: Date): Promise<Actor> {
  const row = await lookUp(em, hashOf(key));
  if (!row) throw unauthenticated("The API key is not known; check it, or ask the operator for a new one.");
  if (row.revokedAt) throw unauthenticated("The API key was revoked; ask the operator for a new one.");
  if (row.expiresAt && row.expiresAt <= now)
    throw unauthenticated("The API key has expired; ask the operator for a new one.");
  noteUse(em, row, now);
  return actorOf(row);
}

/** The actor of a key that was accepted lately, at once or when it is looked up again; undefined for any other key. */
export function recalledActor(em: EntityManager, key: string, now: Date): Actor | Promise<Actor> | undefined {
  const cached = keyCacheOf(em).get(digest("sha256", key, "hex"));
  const row = cached?.accepted as ApiKeyRow | undefined;
  if (!cached || !row) return undefined;
  if (!cached.isRead || performance.now() >= cached.until || row.revokedAt || (row.expiresAt && row.expiresAt <= now))
    return authenticate(em, key, now);
  noteUse(em, row, now);
  return actorOf(row);
}

const actors = new WeakMap<ApiKeyRow, Actor>();

/** The actor of a stored key. */
function actorOf(row: ApiKeyRow): Actor {
  const actor = actors.get(row) ?? {
    role: row.userId === null ? "administrator" : "user",
    userId: row.userId,
    readOnly: row.readOnly,
    keyId: row.id,
    ...(row.zones && { zones: row.zones }),
    name: `${row.name} (${row.fingerprint.slice(0, 8)})`,
  };
  actors.set(row, actor);
  return actor;
}

const columnsWithHash = apiKeyColumns.and(k.columns("hash"));

/** The key of this hash, looked up once for all requests that carry it at the same time. */
function lookUp(em: EntityManager, hash: Buffer): Promise<ApiKeyRow | undefined> {
  const cache = keyCacheOf(em);
  const name = hash.toString("hex");
  const start = performance.now();
  const cached = cache.get(name);
  if (cached && start < cached.until) return cached.row as Promise<ApiKeyRow | undefined>;
  const row = find(em, hash);
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

/** The stored key of this hash. Hashes are compared in constant time. */
async function find(em: EntityManager, hash: Buffer): Promise<ApiKeyRow | undefined> {
  const query = sql<RowOf<typeof columnsWithHash>>`
    select ${columnsWithHash} from ${k} where ${k.fingerprint} = ${fingerprintOf(hash)}`;
  const { rows } = await query.execute(connection({ em }));
  return rows.find((candidate) => timingSafeEqual(candidate.hash, hash));
}

function unauthenticated(message: string): Refusal {
  return new Refusal("UNAUTHENTICATED", message, { field: "X-API-Key" });
}
