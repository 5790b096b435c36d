/** Seals secrets with AES-256-GCM under a key derived from SECRET_KEY, bound to the TSIG key's name, or to `webhook` and its id. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

/** Thrown for a secret that was sealed with another SECRET_KEY, or for another owner. */
export class UnreadableSecret extends Error {}

/** Returns the sealed secret: nonce, tag, ciphertext. */
export function seal(secret: Uint8Array, secretKey: string, name: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", sealingKey(secretKey), nonce).setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Returns the secret; throws UnreadableSecret when it cannot be unsealed. */
export function unseal(sealed: Buffer, secretKey: string, name: string): Buffer {
  try {
    const decipher = createDecipheriv("aes-256-gcm", sealingKey(secretKey), sealed.subarray(0, 12));
    decipher.setAAD(Buffer.from(name)).setAuthTag(sealed.subarray(12, 28));
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
  } catch {
    throw new UnreadableSecret(
      `The secret of ${name} cannot be unsealed; set SECRET_KEY to what it was when it was created.`,
    );
  }
}

export function canUnseal(sealed: Buffer, secretKey: string, name: string): boolean {
  try {
    unseal(sealed, secretKey, name);
    return true;
  } catch {
    return false;
  }
}

const sealingKey = (secretKey: string) => Buffer.from(hkdfSync("sha256", secretKey, "", "zonesmith tsig secret", 32));
