import { isIP } from "node:net";

/** Whether a host is of a private network (RFC 1918, RFC 4193), or a name without a dot, as networks of containers have them. */
export function isPrivate(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "");
  if (isIP(address) === 0) return !host.includes(".");
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd]|fe80:)/i.test(address);
}
