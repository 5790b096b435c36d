/** Variables of templates: a value is read by its kind before it is written, so that the record has only one meaning. */
import { plainText } from "../dns/fields/character-string.ts";
import { ipv4Octets, ipv4Text, ipv6Octets, ipv6Text } from "../dns/fields/ip-address.ts";
import { Malformed } from "../dns/malformed.ts";
import { nameText, readName, zoneNameWire } from "../dns/name.ts";
import { Refusal } from "../errors.ts";
import { enumType } from "../graphql/scalars/enum-type.ts";

export const VariableKind = enumType("VariableKind", "The kind of a variable's value.", {
  IPV4: "An IPv4 address.",
  IPV6: "An IPv6 address.",
  NAME: "A domain name: absolute with a trailing dot, one label relative to the zone, or `@`.",
  TEXT: "A text, which may be used only between quotes.",
  INTEGER: "A whole number from 0 to 4294967295.",
});
export type VariableKind = keyof typeof VariableKind;

/** A value in the notation of a record: between quotes, and elsewhere. A TEXT has no notation outside of quotes. */
export interface WrittenValue {
  readonly quoted: string;
  readonly plain: string | undefined;
}

/** The longest value, characters. */
const maxValueLength = 2000;

/** A value of each kind, used when a template is checked. */
export const sampleValues: Readonly<Record<VariableKind, string>> = {
  IPV4: "192.0.2.1",
  IPV6: "2001:db8::1",
  NAME: "sample",
  TEXT: "sample",
  INTEGER: "1",
};

const quoted = (text: string) => plainText(Buffer.from(text));

/** A value with one notation, between quotes and elsewhere. */
export const writtenBoth = (text: string): WrittenValue => ({ quoted: quoted(text), plain: text });

/** An absolute name. Between quotes it has no trailing dot, as in an SPF policy. */
export const writtenName = (absolute: string): WrittenValue => ({
  quoted: quoted(absolute.length > 1 ? absolute.slice(0, -1) : absolute),
  plain: absolute,
});

/** Returns a value for a variable in a zone; throws INVALID_VALUE when it is not of the kind. */
export function readValue(kind: VariableKind, text: string, zone: string, field: string): WrittenValue {
  if (text.length > maxValueLength) throw refused(field, `write at most ${maxValueLength} characters`);
  if (kind === "IPV4") {
    const octets = ipv4Octets(text);
    if (octets) return writtenBoth(ipv4Text(octets));
  } else if (kind === "IPV6") {
    const octets = ipv6Octets(text);
    if (octets) return writtenBoth(ipv6Text(octets));
  } else if (kind === "INTEGER") {
    if (/^(0|[1-9]\d{0,9})$/.test(text) && Number(text) < 2 ** 32) return writtenBoth(text);
  } else if (kind === "NAME") {
    return writtenName(absoluteName(text, zone, field));
  } else {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
    if (/[\x00-\x1f\x7f]/.test(text)) throw refused(field, "write it without control characters");
    return { quoted: quoted(text), plain: undefined };
  }
  const forms = { IPV4: "an IPv4 address such as 192.0.2.1", IPV6: "an IPv6 address such as 2001:db8::1" };
  throw refused(field, `write ${kind === "INTEGER" ? "a whole number from 0 to 4294967295" : forms[kind]}`);
}

/** Returns a name in absolute form. A name of several labels needs its trailing dot, unlike in record data. */
function absoluteName(text: string, zone: string, field: string): string {
  try {
    const { name, relativeLabels } = readName(text, zoneNameWire(zone));
    if (relativeLabels <= 1) return nameText(name);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw refused(field, error.message.replace(/\.$/, ""));
  }
  throw refused(field, "a name of several labels can be relative or absolute; end it with a dot");
}

const refused = (field: string, advice: string) => new Refusal("INVALID_VALUE", `${field}: ${advice}.`, { field });
