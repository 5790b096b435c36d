/**
 * Secrets and signatures of webhooks, by the Standard Webhooks specification: HMAC-SHA256 over id, time and payload.
 */
import { createHmac, randomBytes } from "node:crypto";
import { seal, unseal } from "../account/sealed-secret.ts";

/** The octets of a secret; the specification asks for 24 to 64. */
const secretLength = 32;

/** A secret that nobody else has. */
export const newSecret = (): Buffer => randomBytes(secretLength);

/** A secret as receivers are given it. */
export const secretText = (secret: Buffer) => `whsec_${secret.toString("base64")}`;

const ownerOf = (webhookId: number) => `webhook ${webhookId}`;

/** A secret as it is stored; without SECRET_KEY it is stored as it is. */
export function storedSecret(secret: Buffer, webhookId: number, secretKey: string): Buffer {
  return secretKey === "" ? secret : seal(secret, secretKey, ownerOf(webhookId));
}

/** The secret that was stored; throws when SECRET_KEY is not what it was then. */
export function readSecret(stored: Buffer, isSealed: boolean, webhookId: number, secretKey: string): Buffer {
  return isSealed ? unseal(stored, secretKey, ownerOf(webhookId)) : stored;
}

/** A message that is sent: its id, when, seconds since 1970, and what. */
export interface SignedMessage {
  readonly id: string;
  readonly timestamp: number;
  readonly payload: string;
}

/** The value of webhook-signature: one signature for each secret that may be in use at the receiver. */
export function signatures({ id, timestamp, payload }: SignedMessage, secrets: readonly Buffer[]): string {
  const signed = `${id}.${timestamp}.${payload}`;
  return secrets.map((secret) => `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`).join(" ");
}

/** An id that no other message has. */
export const newMessageId = () => `msg_${randomBytes(18).toString("base64url")}`;
