/**
 * The origin of a client, since one person can have many addresses. A host is an IPv4 address or the /64 of an IPv6 address, which is one
 * subscriber (RFC 6177); a network is the /24 or the /56 around it.
 */
import { isIPv4 } from "node:net";

export interface Origin {
  readonly host: string;
  readonly network: string;
}

/** The origin of an address as a socket reports it: IPv4, IPv6, also with a zone, or IPv4 mapped into IPv6. */
export function originOf(address: string): Origin {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, "");
  if (isIPv4(plain)) return { host: plain, network: `${plain.replace(/\.\d+$/, "")}.0/24` };
  const [a = 0, b = 0, c = 0, d = 0] = firstGroups(plain);
  const start = `${hex(a)}:${hex(b)}:${hex(c)}`;
  return { host: `${start}:${hex(d)}::/64`, network: `${start}:${hex(d & 0xff00)}::/56` };
}

/** The groups of an IPv6 address before its `::`, filled with zeros, or all eight. */
function firstGroups(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":").map((group) => Number.parseInt(group, 16));
  const after = tail ? tail.split(":") : [];
  while (tail !== undefined && groups.length < 8 - after.length) groups.push(0);
  return [...groups, ...after.map((group) => Number.parseInt(group, 16))];
}

const hex = (group: number) => group.toString(16);
