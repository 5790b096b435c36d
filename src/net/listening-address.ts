/**
 * Addresses that something listens on, as those who connect write them. It imports nothing, so that the commands have it too.
 */

/** Whether it stands for every address of the machine. */
export const isWildcard = (address: string) => address === "0.0.0.0" || address === "::";

/** Whether only this machine reaches it. */
export const isLoopback = (host: string) => /^(127\.|\[?::1\]?$|localhost$)/.test(host);

/** The address at which this machine reaches what listens on `address`. */
export function reachableAddress(address: string): string {
  if (address === "0.0.0.0" || address === "") return "127.0.0.1";
  return address === "::" ? "::1" : address;
}

/** An address as the host of a URL: an IPv6 address in brackets (RFC 3986 §3.2.2). */
export const urlHost = (address: string) => (address.includes(":") ? `[${address}]` : address);
