/** Secrets and signatures of webhooks by the Standard Webhooks specification: HMAC-SHA256 over id, time and payload. */
import { createHmac, randomBytes } from "node:crypto";
import { seal, unseal } from "../account/sealed-secret.ts";

/** The length of a secret, octets; the specification asks for 24 to 64. */
const secretLength = 32;

export const newSecret = (): Buffer => randomBytes(secretLength);

export const secretText = (secret: Buffer) => `whsec_${secret.toString("base64")}`;

/** The name to which the secret of a webhook is sealed. */
export const ownerOf = (webhookId: number) => `webhook ${webhookId}`;

export function storedSecret(secret: Buffer, webhookId: number, secretKey: string): Buffer {
  return secretKey === "" ? secret : seal(secret, secretKey, ownerOf(webhookId));
}

/** Returns the secret of its stored form; throws when it was encrypted with another SECRET_KEY. */
export function readSecret(stored: Buffer, isSealed: boolean, webhookId: number, secretKey: string): Buffer {
  return isSealed ? unseal(stored, secretKey, ownerOf(webhookId)) : stored;
}

export interface SignedMessage {
  readonly id: string;
  readonly timestamp: number;
  readonly payload: string;
}

export function signatures({ id, timestamp, payload }: SignedMessage, secrets: readonly Buffer[]): string {
  const signed = `${id}.${timestamp}.${payload}`;
  return secrets.map((secret) => `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`).join(" ");
}

export const newMessageId = () => `msg_${randomBytes(18).toString("base64url")}`;
