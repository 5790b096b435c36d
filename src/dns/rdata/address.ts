/** Addresses of either family as octets, and their names, which have their PTR records (RFC 1035 §3.5, RFC 3596 §2.5). */
import { ipv4Octets, ipv6Octets } from "../fields/ip-address.ts";

/** The 4 or 16 octets of an address; undefined for other text. */
export const addressOctets = (text: string): Uint8Array | undefined => ipv4Octets(text) ?? ipv6Octets(text);

/** Returns the name of the first `bits` of an address as octets, in whole labels and at least one; without `bits`, of all of it. */
export function reverseName(octets: Uint8Array, bits = octets.length * 8): string {
  const isIpv4 = octets.length === 4;
  const labels = isIpv4 ? [...octets].map(String) : [...Buffer.from(octets).toString("hex")];
  const count = Math.max(1, Math.floor(bits / (isIpv4 ? 8 : 4)));
  return `${labels.slice(0, count).toReversed().join(".")}.${isIpv4 ? "in-addr" : "ip6"}.arpa`;
}
