/**
 * The addresses that messages may be sent to: those of the public internet (the registries of RFC 6890), and those in
 * WEBHOOK_PRIVATE_ADDRESSES. The check is on the address of the connection itself, so a name that resolves differently the second time
 * gains nothing.
 */
import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** The prefixes of IPv4 outside of the public internet. */
const special = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"],
  ...["192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"],
  ...["224.0.0.0/4", "240.0.0.0/4"],
];

/** Prefixes within 2000::/3, the IPv6 of the public internet, that contain IPv4 addresses, lead elsewhere or are for documentation. */
const special6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

export const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** A list of addresses and prefixes, such as `10.1.0.0/16`. */
export function blockList(items: readonly string[]): BlockList {
  const list = new BlockList();
  for (const item of items) {
    const [net = "", prefix] = item.split("/");
    const family = familyOf(net);
    list.addSubnet(net, Number(prefix ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return list;
}

const refused = blockList([...special, ...special6]);
const global6 = blockList(["2000::/3"]);

export class RefusedAddress extends Error {}

export class AllowedAddresses {
  readonly #private: BlockList;

  constructor(allowed: readonly string[]) {
    this.#private = blockList(allowed);
  }

  /** Whether WEBHOOK_PRIVATE_ADDRESSES has the address. */
  isPrivate(address: string): boolean {
    return this.#private.check(address, familyOf(address));
  }

  has(address: string): boolean {
    if (this.isPrivate(address)) return true;
    const family = familyOf(address);
    return !refused.check(address, family) && (family === "ipv4" || global6.check(address, family));
  }

  /**
   * Returns a name lookup for connections. It finds only allowed addresses, or with `isOnlyPrivate` only those of
   * WEBHOOK_PRIVATE_ADDRESSES; it fails with RefusedAddress when there is no such address.
   */
  lookup(isOnlyPrivate: boolean): LookupFunction {
    const isAllowed = (address: string) => (isOnlyPrivate ? this.isPrivate(address) : this.has(address));
    return (name, options, done) => {
      lookup(name, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
        if (error) return done(error, []);
        const allowed = addresses.filter(({ address }) => isAllowed(address));
        const [first] = allowed;
        if (!first) return done(new RefusedAddress(refusalOf(addresses[0]?.address ?? name)), []);
        if (options.all) done(null, allowed);
        else done(null, first.address, first.family);
      });
    };
  }
}

export const refusalOf = (address: string) =>
  `${address} is no address of the public internet; the operator allows others by WEBHOOK_PRIVATE_ADDRESSES.`;
