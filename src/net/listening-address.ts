/** Addresses of servers as clients write them, and of clients as sockets report them. This file imports nothing, so that the commands can use it. */

/** An address of a client without zone; IPv4 addresses that a socket of IPv6 reports as ::ffff:192.0.2.1 are IPv4 (RFC 4291 §2.5.5.2). */
export const plainAddress = (address: string) =>
  address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "").replace(/%.*$/, "");

/** Whether the address means every address of the machine. */
export const isWildcard = (address: string) => address === "0.0.0.0" || address === "::";

/** Whether only this machine reaches the host. */
export const isLoopback = (host: string) => /^(127\.|\[?::1\]?$|localhost$)/.test(host);

/** The address at which this machine reaches a server that listens on `address`. */
export function reachableAddress(address: string): string {
  if (address === "0.0.0.0" || address === "") return "127.0.0.1";
  return address === "::" ? "::1" : address;
}

/** An address as the host of a URL: an IPv6 address is in brackets (RFC 3986 §3.2.2). */
export const urlHost = (address: string) => (address.includes(":") ? `[${address}]` : address);
