/** Creates TSIG keys (RFC 8945), each with a random secret that is returned once. */
import { randomBytes } from "node:crypto";
import { isTsigAlgorithm, isWeakAlgorithm, type TsigAlgorithm, tsigAlgorithms } from "../dns/message/tsig.ts";
import { parseZoneName } from "../dns/name.ts";
import { Refusal } from "../errors.ts";
import { noteEvents } from "../outbox/outbox.ts";
import { mayActFor, mayAdminister, mayWrite } from "../session/authorization.ts";
import { parseField } from "../session/parse-field.ts";
import type { Session } from "../session/session.ts";
import { transaction, whenCommitted } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { mayGrantZones, readExpiry, worksAt } from "./api-key.ts";
import { forgetKeys } from "./key-cache.ts";
import { keyEvent } from "./key-event.ts";
import { seal } from "./sealed-secret.ts";
import { TsigKey, type TsigKeyRow, tsigKeyById } from "./tsig-key.ts";
import { readScope, type ScopeFields } from "./tsig-scope.ts";
import { expectRoom, flushUnique, holdUser } from "./user.ts";

const t = table(TsigKey, "t");

/** The rights of a new key; without a user it reaches only the zones in `zones`. */
interface TsigGrant extends ScopeFields {
  readonly userId?: number | undefined;
  readonly transfer?: boolean;
  /** Whether updates that are signed with the key need no review. Only an administrator may create such a key. */
  readonly exemptFromReview?: boolean;
  readonly expiresAt?: Date | undefined;
}

/** Creates a key; returns it with its secret in base64. A user's API key creates keys of its user, for zones that it may use itself. */
export async function createTsigKey(
  session: Session,
  name: string,
  algorithmName: string,
  grant: TsigGrant = {},
): Promise<{ tsigKey: TsigKeyRow; secret: string }> {
  const { actor } = session;
  mayWrite(actor);
  const canonical = parseField("name", () => parseZoneName(name));
  if (!/^[a-z0-9._-]+$/.test(canonical)) {
    const message =
      "name: write letters, digits, hyphens and dots; some name servers do not accept other names of keys.";
    throw new Refusal("INVALID_NAME", message, { field: "name" });
  }
  const algorithm = readAlgorithm(session, algorithmName);
  const { zones, owners, types } = readScope(grant);
  const { userId = actor.userId, transfer = true, exemptFromReview = false } = grant;
  if (exemptFromReview) mayAdminister(actor);
  if (userId !== null) mayActFor(actor, userId, "userId");
  mayGrantZones(actor, zones);
  const expiresAt = (await readExpiry(session, grant.expiresAt)) ?? null;
  const secret = randomBytes(tsigAlgorithms[algorithm].length);
  const { secretKey } = session.policy;
  const stored = secretKey === "" ? secret : seal(secret, secretKey, canonical);
  const tsigKey = await transaction(session, async (inner) => {
    if (userId !== null) await holdUser(inner, userId);
    if (actor.userId !== null) {
      const rows = sql`${t} where ${t.userId} = ${actor.userId} and ${worksAt(t, session.now())}`;
      const limit = { rows, most: maxKeysOfUser, what: "TSIG keys; revoke one that is not needed" };
      await expectRoom(inner, actor.userId, limit);
    }
    const key = inner.em.create(TsigKey, {
      name: canonical,
      algorithm,
      secret: stored,
      isSealed: secretKey !== "",
      user: userId,
      zones,
      owners,
      types,
      transfer,
      exemptFromReview,
      expiresAt,
      createdAt: session.now(),
    });
    const taken = `name: there is a key ${canonical} already; choose another name.`;
    await flushUnique(inner, () => new Refusal("INVALID_VALUE", taken, { field: "name" }));
    const created = await tsigKeyById(inner, key.id);
    await noteEvents(inner, [keyEvent("key.created", "TSIG", created, actor)]);
    whenCommitted(inner, () => forgetKeys(session.em));
    return created;
  });
  return { tsigKey, secret: secret.toString("base64") };
}

/** Returns the algorithm of this name in any letter case. Throws INVALID_VALUE for a weak one unless TSIG_WEAK_ALGORITHMS allows it. */
function readAlgorithm(session: Session, name: string): TsigAlgorithm {
  const algorithm = name.toLowerCase().replace(/\.$/, "");
  const isWeak = isWeakAlgorithm(algorithm);
  const why = isWeak ? `${algorithm} is switched off here (TSIG_WEAK_ALGORITHMS)` : "this is not an algorithm of TSIG";
  if (isTsigAlgorithm(algorithm) && (!isWeak || session.policy.weakTsigAlgorithms)) return algorithm;
  const message = `algorithm: ${why}; write hmac-sha256, hmac-sha384 or hmac-sha512.`;
  throw new Refusal("INVALID_VALUE", message, { field: "algorithm" });
}

const maxKeysOfUser = 100;
