/**
 * The origin of a client, since one person can have many addresses: its host, an IPv4 address or the /64 of a subscriber (RFC 6177), and
 * the network, the /24 or the /56 around it.
 */
import { isIPv4 } from "node:net";
import { ipv6Octets } from "../dns/fields/ip-address.ts";
import { plainAddress } from "../net/listening-address.ts";

export interface Origin {
  readonly host: string;
  readonly network: string;
}

export function originOf(address: string): Origin {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return { host: plain, network: `${plain.replace(/\.\d+$/, "")}.0/24` };
  const octets = Buffer.from(ipv6Octets(plain) ?? new Uint8Array(16));
  const [a, b, c, d] = [0, 2, 4, 6].map((at) => octets.readUInt16BE(at)) as [number, number, number, number];
  const groups = (last: number) => [a, b, c, last].map((group) => group.toString(16)).join(":");
  return { host: `${groups(d)}::/64`, network: `${groups(d & 0xff00)}::/56` };
}
