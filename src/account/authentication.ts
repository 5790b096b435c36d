/** Authentication over HTTP: finds the actor of an API key or of a sign-in. */
import { hash as digest, timingSafeEqual } from "node:crypto";
import type { EntityManager } from "@mikro-orm/postgresql";
import { Refusal } from "../errors.ts";
import type { Actor } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { noteHiddenFailure } from "../trace/hidden-failure.ts";
import { ApiKey, type ApiKeyRow, apiKeyColumns, fingerprintOf, worksAt } from "./api-key.ts";
import { acceptedKey, keyCacheOf, lookUpKey } from "./key-cache.ts";
import { SignIn } from "./sign-in.ts";

/** What a request carries: an API key, or the token of a sign-in. */
export interface Credential {
  readonly kind: "key" | "signIn";
  readonly secret: string;
}

/** The row of a key that was looked up. `signedInUntil` is when the sign-in ends, if the key was found through a sign-in. */
type KeyRow = ApiKeyRow & { readonly signedInUntil?: Date };

const k = table(ApiKey, "k");
const s = table(SignIn, "s");

/** The stored time of a key's last use is written again only when it is older than this, ms. */
const lastUseToleranceMs = 3_600_000;

/**
 * Stores the time at which a key was last used, at most once an hour. The request does not wait for this write, and does not fail when it
 * fails.
 */
function noteUse(em: EntityManager, row: ApiKeyRow, now: Date): void {
  if (row.lastUsedAt && now.getTime() - row.lastUsedAt.getTime() < lastUseToleranceMs) return;
  Object.assign(row, { lastUsedAt: now }); // which may be a row that the cache keeps
  const update = sql`update ${k} set ${k.names("lastUsedAt")} = ${now} where ${k.id} = ${row.id}`;
  void update.run({ em }).catch((error) => noteHiddenFailure("key_use", error));
}

/**
 * Returns the actor of a key or a sign-in, without a promise when the cache has it. Throws UNAUTHENTICATED when the key or sign-in is
 * unknown or has ended, or when the key is revoked or expired.
 */
export function authenticate(em: EntityManager, { kind, secret }: Credential, now: Date): Actor | Promise<Actor> {
  const hexHash = digest("sha256", secret, "hex");
  const name = `${kind} ${hexHash}`;
  const { keys } = keyCacheOf(em);
  const accepted = acceptedKey(keys, name) as KeyRow | undefined;
  if (accepted) return workingActorOf(em, kind, accepted, now);
  const find = kind === "key" ? findKey : findSignIn;
  return lookUpKey(keys, name, () => find(em, Buffer.from(hexHash, "hex"))).then((row) =>
    workingActorOf(em, kind, row, now),
  );
}

/** Returns the actor of a key that was looked up, and writes that the key was used. Throws UNAUTHENTICATED when it does not work. */
function workingActorOf(em: EntityManager, kind: Credential["kind"], row: KeyRow | undefined, now: Date): Actor {
  if (!row || (row.signedInUntil && row.signedInUntil <= now)) throw unauthenticated(kind, "unknown");
  if (row.revokedAt) throw unauthenticated(kind, "revoked");
  if (row.expiresAt && row.expiresAt <= now) throw unauthenticated(kind, "expired");
  noteUse(em, row, now);
  return actorOf(row);
}

export async function workingActor({ em, now }: Pick<Session, "em" | "now">, id: number): Promise<Actor | undefined> {
  const query = sql<ApiKeyRow>`select ${apiKeyColumns} from ${k} where ${k.id} = ${id} and ${worksAt(k, now())}`;
  const [row] = await query.run({ em });
  return row && actorOf(row);
}

const actors = new WeakMap<KeyRow, Actor>();

function actorOf(row: KeyRow): Actor {
  const actor = actors.get(row) ?? {
    role: row.userId === null ? "administrator" : "user",
    userId: row.userId,
    readOnly: row.readOnly,
    keyId: row.id,
    ...(row.zones && { zones: row.zones }),
    ...(row.signedInUntil && { signedInUntil: row.signedInUntil }),
    name: `${row.name} (${row.fingerprint.slice(0, 8)})`,
  };
  actors.set(row, actor);
  return actor;
}

const columnsWithHash = apiKeyColumns.and(k.columns("hash"));

/** Returns the stored key of this hash. Hashes are compared in constant time. */
async function findKey(em: EntityManager, hash: Buffer): Promise<KeyRow | undefined> {
  const query = sql<RowOf<typeof columnsWithHash>>`
    select ${columnsWithHash} from ${k} where ${k.fingerprint} = ${fingerprintOf(hash)}`;
  const rows = await query.run({ em });
  return rows.find((candidate) => timingSafeEqual(candidate.hash, hash));
}

const columnsOfSignIn = apiKeyColumns.with("signedInUntil", s.endsAt);

async function findSignIn(em: EntityManager, hash: Buffer): Promise<KeyRow | undefined> {
  const query = sql<RowOf<typeof columnsOfSignIn>>`
    select ${columnsOfSignIn} from ${s} join ${k} on ${k.id} = ${s.keyId} where ${s.hash} = ${hash}`;
  return (await query.run({ em }))[0];
}

const sentences = {
  key: {
    unknown: "The API key is not known; check it, or ask the operator for a new one.",
    revoked: "The API key was revoked; ask the operator for a new one.",
    expired: "The API key has expired; ask the operator for a new one.",
  },
  signIn: {
    unknown: "You are not signed in, or no longer; sign in with your API key.",
    revoked: "The API key that you signed in with was revoked; sign in with a new one.",
    expired: "The API key that you signed in with has expired; sign in with a new one.",
  },
} as const;

function unauthenticated(kind: Credential["kind"], why: keyof (typeof sentences)["key"]): Refusal {
  return new Refusal("UNAUTHENTICATED", sentences[kind][why], kind === "key" ? { field: "X-API-Key" } : {});
}
