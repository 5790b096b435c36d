/** The fields of CAA (RFC 8659 §4.1). */

import { plainText, quotedText, textOctets } from "./character-string.ts";
import type { Field } from "./field.ts";

const tagRange = "letters and digits, such as issue";

/** ASCII letters and digits after a length octet; BIND drops a zone with any other tag. */
export function tag(name: string, description: string): Field<Uint8Array> {
  const text = (value: Uint8Array) => String.fromCharCode(...value);
  return {
    name,
    kind: "tag",
    range: tagRange,
    description,
    holds: "text",
    parse(reader) {
      const word = reader.word(tagRange);
      if (word.length > 255 || !/^[A-Za-z0-9]+$/.test(word)) reader.refuse(word, tagRange);
      // The case of a tag has no meaning (RFC 8659 §4.1): an API field is put in lower case, a master file keeps its case.
      return textOctets(reader.options.context === "field" ? word.toLowerCase() : word, name);
    },
    print: text,
    write: (value, wire) => wire.charString(value),
    read(wire) {
      const value = wire.charString();
      if (!/^[A-Za-z0-9]+$/.test(text(value))) wire.refuse("a tag is made of letters and digits");
      return value;
    },
  };
}

/** Up to the end of the data, without a length of its own. */
export function longString(name: string, description: string): Field<Uint8Array> {
  return {
    name,
    kind: "longstring",
    range: "a text",
    description,
    holds: "text",
    quoted: true,
    parse: (reader) => textOctets(reader.token("a text").text, name),
    print: quotedText,
    write: (value, wire) => wire.bytes(value),
    read: (wire) => wire.rest(),
    data: plainText,
    replace: (value, by) => by.text?.(value) ?? value,
  };
}
