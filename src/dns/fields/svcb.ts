/**
 * Service parameters (RFC 9460 §2.1, §2.2 and appendix A; dohpath RFC 9461 §5), sorted by key. Keys after ipv6hint are printed as keyNNN.
 */

import { Malformed } from "../malformed.ts";
import type { TextReader } from "../text-reader.ts";
import { maxRdataLength, type WireReader } from "../wire.ts";
import { plainText, quotedText, textOctets } from "./character-string.ts";
import type { Field, Replacements } from "./field.ts";
import { base64Octets, base64Text } from "./hex-base64.ts";
import { ipv4Encoding, ipv6Encoding } from "./ip-address.ts";
import { decimal } from "./number.ts";
import type { Encoding } from "./octets.ts";

/** The value is its wire. */
interface Parameter {
  readonly key: number;
  readonly value: Uint8Array;
}

/** `octets` have their escapes decoded; undefined when the value is malformed. */
interface ValueForm {
  readonly name: string;
  readonly range: string;
  parse(octets: Uint8Array): Uint8Array | undefined;
  /** Whether the value may contain escapes. Servers refuse a backslash in values of other keys. */
  readonly escapes?: true;
  /** Returns the text after the equals sign; undefined when the wire is malformed. */
  print(value: Uint8Array): string | undefined;
}

/** The keys that other code refers to (RFC 9460 §14.3.2). */
const Key = { mandatory: 0, alpn: 1, noDefaultAlpn: 2, ipv4hint: 4, ipv6hint: 6 } as const;
const comma = 0x2c;
const backslash = 0x5c;
const ascii = (octets: Uint8Array) => String.fromCharCode(...octets.subarray(0, 65535));

/** A backslash before a comma or a backslash makes it literal (RFC 9460 appendix A.1). */
function commaList(octets: Uint8Array): Uint8Array[] {
  const items: number[][] = [[]];
  for (let at = 0; at < octets.length; at += 1) {
    const octet = octets[at] ?? 0;
    const next = octets[at + 1];
    if (octet === backslash && (next === comma || next === backslash)) items.at(-1)?.push(octets[++at] ?? 0);
    else if (octet === comma) items.push([]);
    else items.at(-1)?.push(octet);
  }
  return items.map((item) => Uint8Array.from(item));
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

const mandatory: ValueForm = {
  name: "mandatory",
  range: "keys such as alpn,port, each once and without mandatory itself",
  parse(octets) {
    const keys = plainText(octets).split(",").map(keyNumber);
    const sorted = keys.flatMap((key) => key ?? []).sort((a, b) => a - b);
    if (sorted.length < keys.length || sorted.length > 32767) return undefined;
    return Uint8Array.from(sorted.flatMap((key) => [key >> 8, key & 255]));
  },
  print(value) {
    const keys = keyList(value);
    const ascending = keys.every((key, i) => key > (i === 0 ? Key.mandatory : (keys[i - 1] ?? 0)));
    return value.length > 0 && value.length % 2 === 0 && ascending ? keys.map(keyText).join(",") : undefined;
  },
};

const alpn: ValueForm = {
  name: "alpn",
  escapes: true,
  range: "protocols such as h2,h3, each of 1 to 255 octets",
  parse(octets) {
    const items = commaList(octets);
    if (items.some((item) => item.length === 0 || item.length > 255)) return undefined;
    return concat(items.flatMap((item) => [Uint8Array.of(item.length), item]));
  },
  print(value) {
    const items: number[] = [];
    for (let at = 0; at < value.length; ) {
      const end = at + 1 + (value[at] ?? 0);
      if (end === at + 1 || end > value.length) return undefined;
      if (at > 0) items.push(comma);
      for (at += 1; at < end; at += 1) {
        const octet = value[at] ?? 0;
        if (octet === comma || octet === backslash) items.push(backslash);
        items.push(octet);
      }
    }
    return value.length > 0 ? quotedText(Uint8Array.from(items)) : undefined;
  },
};

const noDefaultAlpn: ValueForm = {
  name: "no-default-alpn",
  range: "no-default-alpn without a value",
  parse: (octets) => (octets.length === 0 ? octets : undefined),
  print: (value) => (value.length === 0 ? "" : undefined),
};

const port: ValueForm = {
  name: "port",
  range: "a port from 0 to 65535",
  parse(octets) {
    const number = decimal(ascii(octets), 65535);
    return number === undefined ? undefined : Uint8Array.of(number >> 8, number & 255);
  },
  print: ([high = 0, low = 0, ...more]) => (more.length > 0 ? undefined : String(high * 256 + low)),
};

const ech: ValueForm = {
  name: "ech",
  range: "base64 with its padding",
  parse: (octets) => (octets.length > 0 ? base64Octets(ascii(octets)) : undefined),
  print: base64Text,
};

function hint(name: string, size: number, { octets: octetsOf, text: textOf }: Encoding): ValueForm {
  return {
    name,
    range: "addresses with commas between",
    parse(octets) {
      const addresses = ascii(octets).split(",").map(octetsOf);
      const valid = addresses.flatMap((address) => address ?? []);
      return valid.length === addresses.length ? concat(valid) : undefined;
    },
    print(value) {
      if (value.length === 0 || value.length % size !== 0) return undefined;
      const addresses: string[] = [];
      for (let at = 0; at < value.length; at += size) addresses.push(textOf(value.subarray(at, at + size)));
      return addresses.join(",");
    },
  };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const escapedOctet = "%[0-9A-Fa-f]{2}";
const templateName = `(?:[A-Za-z0-9_]|${escapedOctet})(?:\\.?(?:[A-Za-z0-9_]|${escapedOctet}))*`;
const templateVariable = `${templateName}(?::[1-9][0-9]{0,3}|\\*)?`;
const templateExpression = `\\{[+#./;?&]?${templateVariable}(?:,${templateVariable})*\\}`;
/** RFC 6570 §2. */
const uriTemplate = new RegExp(`^/(?:[^\\x00-\\x20"'%<>\\\\^\`{|}\\x7f]|${escapedOctet}|${templateExpression})*$`);
const dnsVariable = /\{(?:[+#./;?&]|[^{}]*,)?dns[:*,}]/;

/** RFC 9461 §5: a relative URI template with the variable dns. */
function isDohPath(value: Uint8Array): boolean {
  try {
    const path = utf8.decode(value);
    return uriTemplate.test(path) && dnsVariable.test(path);
  } catch {
    return false;
  }
}

const dohpath: ValueForm = {
  name: "dohpath",
  escapes: true,
  range: "a path such as /dns-query{?dns}",
  parse: (octets) => (isDohPath(octets) ? octets : undefined),
  print: (value) => (isDohPath(value) ? quotedText(value) : undefined),
};

const opaque: ValueForm = {
  name: "",
  escapes: true,
  range: "a text",
  parse: (octets) => octets,
  print: (value) => (value.length === 0 ? "" : quotedText(value)),
};

/** The index of a value is its key. */
const registeredValues: readonly ValueForm[] = [
  mandatory,
  alpn,
  noDefaultAlpn,
  port,
  hint("ipv4hint", 4, ipv4Encoding),
  ech,
  hint("ipv6hint", 16, ipv6Encoding),
  dohpath,
];
const lastNamedKey = 6;

function keyNumber(text: string): number | undefined {
  const registered = registeredValues.findIndex((value) => value.name === text);
  if (registered >= 0) return registered;
  const [, digits] = /^key(0|[1-9][0-9]{0,4})$/.exec(text) ?? [];
  return digits === undefined ? undefined : decimal(digits, 65535);
}

function keyText(key: number): string {
  return (key <= lastNamedKey && registeredValues[key]?.name) || `key${key}`;
}

function keyList(value: Uint8Array): number[] {
  return Array.from({ length: value.length >> 1 }, (_, i) => (value[2 * i] ?? 0) * 256 + (value[2 * i + 1] ?? 0));
}

function parseParameter(reader: TextReader): Parameter {
  const word = reader.word("parameters such as alpn=h2");
  const equals = word.indexOf("=");
  const name = equals < 0 ? word : word.slice(0, equals);
  const key =
    keyNumber(name) ?? reader.refuse(word, "a key such as alpn or key65280, and its value after an equals sign");
  const raw = equals < 0 ? "" : word.slice(equals + 1);
  if (equals >= 0 && raw === "") reader.refuse(word, `a value right after the equals sign, or ${name} alone`);
  const octets = textOctets(raw.startsWith('"') ? raw.slice(1, -1) : raw, reader.field);
  // The value of a key written as a number is its wire (RFC 9460 §2.1), which is checked with the others.
  const registered = name.startsWith("key") ? opaque : (registeredValues[key] ?? opaque);
  const readable = octets.length <= maxRdataLength && (registered.escapes || !raw.includes("\\"));
  const value = readable ? registered.parse(octets) : undefined;
  return { key, value: value ?? reader.refuse(word, `${name} as ${registered.range}`) };
}

function readParameter(wire: WireReader): Parameter {
  return { key: wire.number(2), value: wire.take(wire.number(2)) };
}

/** What is wrong with a sorted list; undefined when it is valid. */
function wrongWith(list: readonly Parameter[]): string | undefined {
  const keys = new Set(list.map(({ key }) => key));
  for (const [i, { key, value }] of list.entries()) {
    const before = list[i - 1]?.key ?? -1;
    if (key === before) return `${keyText(key)} is given twice`;
    if (key < before) return "the keys are not in ascending order";
    const form = registeredValues[key] ?? opaque;
    if (form.print(value) === undefined || (form === port && value.length !== 2))
      return `${keyText(key)} is not ${form.range}`;
    if (key === Key.mandatory) {
      const absent = keyList(value).find((each) => !keys.has(each));
      if (absent !== undefined) return `mandatory names ${keyText(absent)}, which is not given`;
    }
  }
  return keys.has(Key.noDefaultAlpn) && !keys.has(Key.alpn) ? "no-default-alpn is given without alpn" : undefined;
}

function parameterText({ key, value }: Parameter): string {
  const printed = (key <= lastNamedKey ? registeredValues[key] : undefined) ?? opaque;
  const text = printed.print(value) ?? "";
  // An empty ech cannot be written by its name.
  if (text === "") return key === Key.noDefaultAlpn ? keyText(key) : `key${key}`;
  return `${keyText(key)}=${text}`;
}

const hintLengths: Readonly<Record<number, number>> = { [Key.ipv4hint]: 4, [Key.ipv6hint]: 16 };

function replaceHints(parameter: Parameter, by: Replacements): Parameter {
  const { key, value } = parameter;
  const length = hintLengths[key];
  if (length === undefined || !by.address) return parameter;
  const addresses: Uint8Array[] = [];
  for (let at = 0; at < value.length; at += length) addresses.push(by.address(value.subarray(at, at + length)));
  return { key, value: concat(addresses) };
}

export function serviceParameters(name: string, description: string): Field<readonly Parameter[]> {
  return {
    name,
    kind: "svcparams",
    range: "parameters such as alpn=h2,h3 port=8443",
    description,
    holds: "texts",
    optional: true,
    parse(reader) {
      const list = reader.list(parseParameter).sort((a, b) => a.key - b.key);
      const wrong = wrongWith(list);
      if (wrong !== undefined) throw new Malformed("rdata", `${name}: ${wrong}; correct or remove it.`, name);
      return list;
    },
    print: (value) => value.map(parameterText).join(" "),
    write(value, wire) {
      for (const each of value) {
        wire.number(each.key, 2);
        wire.number(each.value.length, 2);
        wire.bytes(each.value);
      }
    },
    read(wire) {
      const list = wire.list(readParameter);
      const wrong = wrongWith(list);
      return wrong === undefined ? list : wire.refuse(wrong);
    },
    data: (value) => value.map(parameterText),
    replace: (value, by) => value.map((each) => replaceHints(each, by)),
  };
}
