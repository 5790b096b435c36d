/** A gateway or relay whose form depends on another field (RFC 4025 §2.5, RFC 8777 §4.2). */

import type { Name } from "../name.ts";
import { name } from "./domain-name.ts";
import { type Field, oneWord, type Row } from "./field.ts";
import { ipv4, ipv6 } from "./ip-address.ts";
import { u8 } from "./number.ts";

const gatewayRange = "what the type before it asks for: 0 a dot, 1 an IPv4 address, 2 an IPv6 address, 3 a domain name";

const noneRange = "a dot, for none";

/** A dot as text, no octets on the wire. */
const none = (fieldName: string, description: string): Field<Uint8Array> => ({
  ...name(fieldName, description),
  range: noneRange,
  parse: oneWord(noneRange, (word) => (word === "." ? new Uint8Array(0) : undefined)),
  print: () => ".",
  read: () => new Uint8Array(0),
});

/** Its type, 0 to 3, is in the field `typeField`. */
export function gateway(fieldName: string, typeField: string, description: string): Field<Uint8Array> {
  const forms = [none, ipv4, ipv6, name].map((form) => form(fieldName, description));
  const form = (row: Row) => forms[Number(row[typeField])];
  const isName = (value: Uint8Array, row: Row) => value.length > 0 && row[typeField] === 3;
  return {
    name: fieldName,
    kind: "gateway",
    range: gatewayRange,
    description,
    holds: "text",
    parse: (reader, row) =>
      form(row)?.parse(reader, row) ?? reader.refuse(String(row[typeField]), "a type from 0 to 3"),
    print: (value, row) => form(row)?.print(value, row) ?? "",
    write: (value, wire) => wire.bytes(value),
    read: (wire, row) => form(row)?.read(wire, row) ?? wire.refuse("its type is not from 0 to 3"),
    names: (value, row) => (isName(value, row) ? [value as Name] : []),
    replace: (value, by, row) => (value.length > 0 ? (form(row)?.replace?.(value, by, row) ?? value) : value),
  };
}

/** The discovery-optional bit, which shares an octet with the relay type (RFC 8777 §4.2.2). */
export function discovery(fieldName: string, description: string): Field<number> {
  const range = "0 or 1";
  return {
    ...u8(fieldName, description),
    kind: "bit",
    range,
    max: 1,
    parse: oneWord(range, (word) => (word === "0" || word === "1" ? Number(word) : undefined)),
    write() {},
    read: (wire) => (wire.left > 0 ? (wire.octets[wire.at] ?? 0) >> 7 : wire.refuse("the data ends too early")),
  };
}

/** The relay type, the lower seven bits of that octet. */
export function relayType(fieldName: string, bitField: string, description: string): Field<number> {
  return {
    ...u8(fieldName, description),
    range: "a number from 0 to 3",
    max: 3,
    write: (value, wire, row) => wire.number(Number(row[bitField]) * 128 + value, 1),
    read: (wire) => wire.number(1) & 127,
  };
}
