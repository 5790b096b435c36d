/** Listening addresses as clients write them. This file imports nothing, so that the commands can use it. */

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
