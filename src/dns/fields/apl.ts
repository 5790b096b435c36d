/** Address prefix lists (RFC 3123). A list with a family other than IPv4 (1) and IPv6 (2) has no text and is written as `\# n hex`. */

import type { TextReader } from "../text-reader.ts";
import type { WireReader } from "../wire.ts";
import type { Field } from "./field.ts";
import { ipv4Octets, ipv4Text, ipv6Octets, ipv6Text } from "./ip-address.ts";
import { decimal } from "./number.ts";

const prefixRange = "prefixes such as 1:192.0.2.0/24 or !2:2001:db8::/32";

/** One prefix; `address` without its trailing zero octets (RFC 3123 §4). */
interface Prefix {
  readonly family: number;
  readonly length: number;
  readonly negated: boolean;
  readonly address: Uint8Array;
}

function bits(family: number): number {
  if (family === 1) return 32;
  return family === 2 ? 128 : 255;
}

function parsePrefix(reader: TextReader): Prefix {
  const word = reader.word(prefixRange);
  const [, bang, family, address = "", prefix = ""] = /^(!?)([12]):([^/]*)\/([0-9]+)$/.exec(word) ?? [];
  const octets = family === "1" ? ipv4Octets(address) : ipv6Octets(address);
  const length = decimal(prefix, bits(Number(family)));
  if (family === undefined || octets === undefined || length === undefined) reader.refuse(word, prefixRange);
  const used = octets.findLastIndex((octet) => octet !== 0) + 1;
  return { family: Number(family), length, negated: bang === "!", address: octets.subarray(0, used) };
}

function readPrefix(wire: WireReader): Prefix {
  const family = wire.number(2);
  const length = wire.number(1);
  const flags = wire.number(1);
  const address = wire.take(flags & 127);
  if (length > bits(family)) wire.refuse("a prefix is longer than its address");
  if (address.length * 8 > bits(family) && family <= 2) wire.refuse("an address is too long");
  if (address.at(-1) === 0) wire.refuse("an address ends in a zero octet");
  return { family, length, negated: flags > 127, address };
}

function prefixText({ family, length, negated, address }: Prefix): string {
  const octets = new Uint8Array(family === 1 ? 4 : 16);
  octets.set(address);
  return `${negated ? "!" : ""}${family}:${family === 1 ? ipv4Text(octets) : ipv6Text(octets)}/${length}`;
}

export function prefixes(name: string, description: string): Field<readonly Prefix[]> {
  const hasText = (value: readonly Prefix[]) => value.every(({ family }) => family === 1 || family === 2);
  return {
    name,
    kind: "prefixes",
    range: prefixRange,
    description,
    holds: "texts",
    optional: true,
    parse: (reader) => reader.list(parsePrefix),
    print: (value) => (hasText(value) ? value.map(prefixText).join(" ") : ""),
    write(value, wire) {
      for (const { family, length, negated, address } of value) {
        wire.number(family, 2);
        wire.number(length, 1);
        wire.number((negated ? 128 : 0) + address.length, 1);
        wire.bytes(address);
      }
    },
    read: (wire) => wire.list(readPrefix),
    data: (value) => (hasText(value) ? value.map(prefixText) : []),
  };
}
