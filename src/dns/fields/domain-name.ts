/** Fields of domain names (RFC 1035 §3.3). */
import { type Name, nameText } from "../name.ts";
import type { Field } from "./field.ts";

export function name(fieldName: string, description: string): Field<Name> {
  return {
    name: fieldName,
    kind: "name",
    range: "a domain name; without a trailing dot it is relative to the zone",
    description,
    holds: "text",
    parse: (text) => text.name(),
    print: nameText,
    write: (value, wire) => wire.bytes(value),
    read: (wire) => wire.name(),
    names: (value) => [value],
    replace: (value, by) => by.name?.(value) ?? value,
  };
}

/** A mailbox as a domain name (RFC 1035 §8); its text may contain an @. */
export function mailbox(fieldName: string, description: string): Field<Name> {
  return { ...name(fieldName, description), parse: (text) => text.mailbox() };
}

/** Up to the end of the data; the list may be empty. */
export function names(fieldName: string, description: string): Field<readonly Name[]> {
  return {
    name: fieldName,
    kind: "names",
    range: "domain names; without a trailing dot they are relative to the zone",
    description,
    holds: "texts",
    optional: true,
    parse: (text) => text.list(() => text.name()),
    print: (value) => value.map(nameText).join(" "),
    write(value, wire) {
      for (const each of value) wire.bytes(each);
    },
    read: (wire) => wire.list(() => wire.name()),
    data: (value) => value.map(nameText),
    names: (value) => value,
    replace: (value, by) => value.map((each) => by.name?.(each) ?? each),
  };
}
