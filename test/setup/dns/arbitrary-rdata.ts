/*
 * Generated record data: for every kind of field texts that it must take, so that a new row of the table is covered as it stands.
 * Where fields depend on each other, the row's own generator stands in `related`.
 */

import type { Field } from "../../../src/dns/fields/field.ts";
import { nameText } from "../../../src/dns/name.ts";
import type { RecordType } from "../../../src/dns/rdata/record-type-registry.ts";
import fc from "../basics/property.ts";

type Text = fc.Arbitrary<string>;

const integer = (max: number): Text => fc.integer({ min: 0, max }).map(String);
const octets = (min: number, max: number) => fc.uint8Array({ minLength: min, maxLength: max });
const escaped = (value: Uint8Array) => Array.from(value, (octet) => `\\${String(octet).padStart(3, "0")}`).join("");
const hexOf = (value: Uint8Array) => Buffer.from(value).toString("hex");
const base64Of = (value: Uint8Array) => Buffer.from(value).toString("base64");
const list = (item: Text, min: number, separator: string, max = 4): Text =>
  fc.array(item, { minLength: min, maxLength: max }).map((items) => items.join(separator));

const label = octets(1, 20);
/** A name as text: absolute, relative, or the origin. */
export const anyName: Text = fc.oneof(
  fc.constant("@"),
  fc.constant("."),
  fc.constantFrom("www", "*.a", "_dmarc.b", "0/25.x", "bücher", "ns1.example.net.", "A.Example.NET."),
  fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => {
    const wire = labels.flatMap((octetsOf) => [octetsOf.length, ...octetsOf]);
    return nameText(Uint8Array.from([...wire, 0]));
  }),
);
const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();
const string = fc.oneof(
  octets(0, 255).map((value) => `"${escaped(value)}"`),
  fc.string({ maxLength: 60 }).map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`),
);
const types: Text = fc.constantFrom("A", "NS", "txt", "TYPE0", "TYPE255", "TYPE65280", "NSAP-PTR", "CAA", "TYPE65535");
const metres: Text = fc.integer({ min: 0, max: 9_000_000_00 }).map((cm) => `${(cm / 100).toFixed(2)}m`);
const angle = (degrees: number, directions: string): Text =>
  fc
    .tuple(integer(degrees - 1), integer(59), fc.integer({ min: 0, max: 59_999 }), fc.constantFrom(...directions))
    .map(([d, m, thousandths, direction]) => `${d} ${m} ${(thousandths / 1000).toFixed(3)} ${direction}`);
const parameter: Text = fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { maxLength: 8 }).map((chosen) => {
  const plain = ["port=53", "ipv4hint=192.0.2.1,192.0.2.2", "ech=AQID", "ipv6hint=::1", "key7=/{?dns}"];
  const values = ['alpn="h2,h\\\\,3"', ...plain, 'key9="a b"', "key10"];
  const parameters = chosen.map((i) => values[i] ?? "");
  return chosen.includes(0) ? `${parameters.join(" ")} no-default-alpn mandatory=alpn` : parameters.join(" ");
});

const kinds: Readonly<Record<string, Text>> = {
  u8: integer(255),
  u16: integer(65535),
  u32: integer(2 ** 32 - 1),
  serial: integer(2 ** 32 - 1),
  time: fc.oneof(integer(2 ** 32 - 1), fc.constantFrom("1w2d3h4m5s", "1H", "0s")),
  name: anyName,
  names: list(anyName, 0, " "),
  ipv4,
  ipv6,
  charstring: string,
  charstrings: list(string, 1, " "),
  longstring: string,
  tag: fc.stringMatching(/^[a-z0-9]{1,20}$/),
  hex: octets(1, 60).map(hexOf),
  base64: octets(1, 60).map(base64Of),
  salt: fc.oneof(fc.constant("-"), octets(1, 255).map(hexOf)),
  base32hex: fc.constantFrom("CPNMUOJ1", "2t7b4g4vsa5smi47k61mv5bv1a22bojr", "00"),
  algorithm: fc.oneof(integer(255), fc.constantFrom("RSASHA256", "ed25519")),
  certificate: fc.oneof(integer(65535), fc.constantFrom("PKIX", "oid")),
  scheme: fc.oneof(integer(255), fc.constant("NOTIFY")),
  type: types,
  types: list(types, 1, " ", 6),
  moment: fc.oneof(integer(2 ** 32 - 1), fc.constant("20260322173103")),
  eui48: octets(6, 6).map((value) => hexOf(value).replace(/..(?=.)/g, "$&-")),
  eui64: octets(8, 8).map((value) => hexOf(value).replace(/..(?=.)/g, "$&-")),
  ilnp64: octets(8, 8).map((value) => hexOf(value).replace(/....(?=.)/g, "$&:")),
  nsap: octets(1, 20).map((value) => `0x${hexOf(value)}`),
  psdn: fc.stringMatching(/^[0-9]{4,20}$/),
  bit: fc.constantFrom("0", "1"),
  prefixes: list(
    fc.oneof(
      fc.tuple(ipv4, integer(32)).map(([address, length]) => `1:${address}/${length}`),
      fc.tuple(ipv6, integer(128)).map(([address, length]) => `!2:${address}/${length}`),
    ),
    0,
    " ",
  ),
  loc: fc
    .tuple(angle(90, "NS"), angle(180, "EW"), metres, list(metres, 0, " ", 3))
    .map((parts) => parts.join(" ").replace(/[1-9][0-9]{7}(?=\.)/, "9999999")),
  svcparams: parameter,
  substitution: fc.constantFrom('""', '"!^.*$!sip:info@example.com!"', '"!^([0-9]+)$!\\\\1!i"'),
};

const key = octets(1, 40).map((value) => `256 3 13 ${base64Of(value)}`);
const digest = (type: string, length: number): Text => octets(length, length).map((value) => `${type} ${hexOf(value)}`);
const digests = fc.oneof(digest("1", 20), digest("2", 32), digest("4", 48), digest("5", 7));
const gateways: Text = fc.oneof(
  fc.constant("0 KEY ."),
  ipv4.map((address) => `1 KEY ${address}`),
  ipv6.map((address) => `2 KEY ${address}`),
  anyName.map((name) => `3 KEY ${name}`),
);
const delegation = fc.tuple(integer(65535), integer(255), digests).map((parts) => parts.join(" "));

const related: Readonly<Record<string, Text>> = {
  DS: delegation,
  CDS: delegation,
  DLV: delegation,
  TA: delegation,
  SSHFP: fc
    .tuple(integer(255), fc.oneof(digest("1", 20), digest("2", 32), digest("3", 5)))
    .map((parts) => parts.join(" ")),
  ZONEMD: fc
    .tuple(integer(2 ** 32 - 1), integer(255), fc.oneof(digest("1", 48), digest("2", 64), digest("240", 12)))
    .map((parts) => parts.join(" ")),
  KEY: key,
  DNSKEY: key,
  CDNSKEY: key,
  RKEY: octets(1, 40).map((key) => `0 3 13 ${base64Of(key)}`),
  NSEC3: list(types, 0, " ").map((bitmap) => `1 0 10 76931F AJHVGTICN6K0VDA53GCHFMT219SRRQLM ${bitmap}`),
  RRSIG: octets(1, 40).map(
    (signature) => `A 13 3 3600 20260322173103 20260220173103 2642 example.com. ${base64Of(signature)}`,
  ),
  ISDN: list(string, 1, " ", 2),
  IPSECKEY: fc
    .tuple(integer(255), gateways, octets(1, 40))
    .map(([precedence, gateway, key]) => `${precedence} ${gateway.replace("KEY", "2")} ${base64Of(key)}`),
  AMTRELAY: fc
    .tuple(integer(255), kinds.bit ?? integer(1), gateways)
    .map(([precedence, bit, relay]) => `${precedence} ${bit} ${relay.replace("KEY ", "")}`),
};

function ofField(field: Field): Text {
  const text = kinds[field.kind];
  if (text === undefined) throw new Error(`no generator for fields of kind ${field.kind}: add one to arbitrary.ts`);
  return text;
}

/** Texts of one type's data. */
export function rdataOf(type: RecordType): Text {
  const special = related[type.mnemonic];
  if (special) return special;
  return fc.tuple(...type.fields.filter((field) => !field.silent).map(ofField)).map((texts) => texts.join(" "));
}
