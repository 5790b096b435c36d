/** Addresses and networks (CIDR, RFC 4632, RFC 4291 §2.3) that a text names. */
import { addressOctets } from "../dns/rdata/address.ts";

/** The first and the last address of a network, as octets; of an address, both are this one. */
export interface Network {
  readonly type: "A" | "AAAA";
  readonly first: Uint8Array;
  readonly last: Uint8Array;
}

/** Returns the network that a text names; undefined for other text. */
export function networkOf(text: string): Network | undefined {
  const [address = "", length, ...rest] = text.split("/");
  const octets = addressOctets(address);
  if (!octets || rest.length > 0) return undefined;
  const bits = octets.length * 8;
  const prefix = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (!(prefix <= bits)) return undefined;
  const mask = octets.map((_, at) => (0xff00 >> Math.min(8, Math.max(0, prefix - 8 * at))) & 0xff);
  const masked = (octet: number, at: number) => octet & (mask[at] as number);
  return {
    type: bits === 32 ? "A" : "AAAA",
    first: octets.map(masked),
    last: octets.map((octet, at) => masked(octet, at) | (~(mask[at] as number) & 0xff)),
  };
}
