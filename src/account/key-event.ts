/** The webhook events of API keys and TSIG keys. They never contain the key. */
import type { NewEvent } from "../outbox/outbox.ts";
import type { Actor } from "../session/authorization.ts";

interface KeyRow {
  readonly id: number;
  readonly name: string;
  readonly userId: number | null;
  readonly zones: readonly string[] | null;
  readonly readOnly?: boolean;
  readonly expiresAt: Date | null;
}

export function keyEvent(
  event: "key.created" | "key.revoked",
  keyKind: "API" | "TSIG",
  { id, name, userId, zones, readOnly = false, expiresAt }: KeyRow,
  actor: Actor,
): NewEvent {
  const key = { keyId: String(id), keyKind, name, userId: userId === null ? null : String(userId), zones, readOnly };
  return { event, userId, zones, data: { ...key, expiresAt: expiresAt?.toISOString() ?? null, actor: actor.name } };
}
