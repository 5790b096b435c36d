/**
 * Masks API keys in the log: texts in the form of an issued key, and other known keys, such as the key in the header of
 * the request, or ADMIN_API_KEY, which has any form.
 */

const issuedKey = /zs_[\w-]{8,}/gi;
const mask = "zs_***";

/** The least length of a known key; a shorter text would be masked everywhere. */
const minKnownLength = 16;

/** The text with every key in it masked. */
export function maskKeys(text: string, known: readonly (string | undefined)[] = []): string {
  let masked = text.replace(issuedKey, mask);
  for (const key of known) if (key !== undefined && key.length >= minKnownLength) masked = masked.replaceAll(key, mask);
  return masked;
}

/** The path of a URL with every key in it masked, also one that is percent-encoded. */
export function maskPath(path: string, known: readonly (string | undefined)[]): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    decoded = path;
  }
  const masked = maskKeys(decoded, known);
  return masked === decoded ? maskKeys(path, known) : masked;
}
