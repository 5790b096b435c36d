/**
 * Keeps API keys out of the log, wherever a client put them: what has the shape of a key that the service issued, and
 * keys that are known otherwise, such as the one in the request's header or ADMIN_API_KEY, whose shape is the operator's.
 */

const issuedKey = /zs_[\w-]{8,}/gi;
const mask = "zs_***";

/** No key is shorter; a shorter text would be masked everywhere. */
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
