/**
 * Which addresses messages may be sent to: those of the public internet (the registries of RFC 6890), and those that the operator allows by
 * WEBHOOK_PRIVATE_ADDRESSES. What is looked at is the address that is connected to, so that a name that answers differently the second time
 * gains nothing.
 */
import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** IPv4 that is not of the public internet. */
const special: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Within 2000::/3, which is the IPv6 of the public internet: what holds an IPv4 address, leads elsewhere, or is for documents. */
const special6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const refused = new BlockList();
for (const [net, prefix] of special) refused.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of special6) refused.addSubnet(net, prefix, "ipv6");
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

/** Thrown for an address that nothing is sent to. */
export class RefusedAddress extends Error {}

/** What may be connected to. */
export class AllowedAddresses {
  readonly #private = new BlockList();

  /** `allowed` are addresses and prefixes, such as `10.1.0.0/16`. */
  constructor(allowed: readonly string[]) {
    for (const item of allowed) {
      const [net = "", prefix] = item.split("/");
      const family = familyOf(net);
      this.#private.addSubnet(net, Number(prefix ?? (family === "ipv4" ? 32 : 128)), family);
    }
  }

  /** Whether the operator allows an address that is, or may be, none of the public internet. */
  isPrivate(address: string): boolean {
    return this.#private.check(address, familyOf(address));
  }

  /** Whether messages may be sent to an address. */
  has(address: string): boolean {
    if (this.isPrivate(address)) return true;
    const family = familyOf(address);
    return !refused.check(address, family) && (family === "ipv4" || global6.check(address, family));
  }

  /** Looks a name up for a connection: only the addresses that it may be made to; without any, it fails with RefusedAddress. */
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

/** Why nothing is sent to an address, in a sentence. */
export const refusalOf = (address: string) =>
  `${address} is no address of the public internet; the operator allows others by WEBHOOK_PRIVATE_ADDRESSES.`;

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");
