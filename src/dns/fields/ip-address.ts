/** IPv4 and IPv6 addresses (RFC 1035 §3.4.1, RFC 3596 §2.2, RFC 4291 §2.2, RFC 5952): octets, text, and fields. */
import { isIPv4, isIPv6 } from "node:net";
import type { Field } from "./field.ts";
import { type Encoding, octetsField } from "./octets.ts";

/** Without leading zeros; undefined for other text. */
export function ipv4Octets(text: string): Uint8Array | undefined {
  if (!isIPv4(text)) return undefined;
  const octets = new Uint8Array(4);
  let at = 0;
  for (const char of text)
    if (char === ".") at += 1;
    else octets[at] = (octets[at] as number) * 10 + Number(char);
  return octets;
}

export function ipv4Text(octets: Uint8Array): string {
  return `${octets[0]}.${octets[1]}.${octets[2]}.${octets[3]}`;
}

/** Without a zone id; undefined for other text. */
export function ipv6Octets(text: string): Uint8Array | undefined {
  if (text.includes("%") || !isIPv6(text)) return undefined;
  const [head = "", tail] = text.split("::");
  const groups = (part: string) =>
    part === ""
      ? []
      : part.split(":").flatMap((group) => (group.includes(".") ? quadGroups(group) : [Number.parseInt(group, 16)]));
  const before = groups(head);
  const after = tail === undefined ? [] : groups(tail);
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 255]));
}

function quadGroups(quad: string): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = quad.split(".").map(Number);
  return [a * 256 + b, c * 256 + d];
}

/** RFC 5952: lower case, the first longest run of at least two zero groups as `::`. */
export function ipv6Text(octets: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, i) => (octets[2 * i] ?? 0) * 256 + (octets[2 * i + 1] ?? 0));
  let run = { start: -1, length: 1 };
  for (let start = 0; start < 8; start += 1) {
    let length = 0;
    while (groups[start + length] === 0) length += 1;
    if (length > run.length) run = { start, length };
  }
  const hex = (part: number[]) => part.map((group) => group.toString(16)).join(":");
  if (run.start < 0) return hex(groups);
  return `${hex(groups.slice(0, run.start))}::${hex(groups.slice(run.start + run.length))}`;
}

export const ipv4Encoding: Encoding = {
  kind: "ipv4",
  range: "an IPv4 address such as 192.0.2.1",
  octets: ipv4Octets,
  text: ipv4Text,
};
export const ipv6Encoding: Encoding = {
  kind: "ipv6",
  range: "an IPv6 address such as 2001:db8::1",
  octets: ipv6Octets,
  text: ipv6Text,
};

const withAddress = (field: Field<Uint8Array>): Field<Uint8Array> => ({
  ...field,
  replace: (value, by) => by.address?.(value) ?? value,
});

export const ipv4 = (name: string, description: string) =>
  withAddress(octetsField(ipv4Encoding, (wire) => wire.take(4), name, description));
export const ipv6 = (name: string, description: string) =>
  withAddress(octetsField(ipv6Encoding, (wire) => wire.take(16), name, description));
