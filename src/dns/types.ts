/*
 * The record types: one row of fields each. Adding a type is adding a row.
 */
import { longString, tag } from "./caa.ts";
import { type Field, ipv4, ipv6, name, type Row, time, u8, u16, u32 } from "./fields.ts";
import { Malformed, quote } from "./malformed.ts";
import { charStrings } from "./strings.ts";

/** One record type: what its data is made of, in the order of its text. */
export interface RecordType {
  readonly mnemonic: string;
  /** 1 to 65535. */
  readonly code: number;
  readonly rfc: string;
  readonly description: string;
  /** Record data as a user would write it. */
  readonly example: string;
  /** False for what a signer owns and what no server holds as zone data. */
  readonly creatable: boolean;
  /** Undefined for a type known by its number alone, written `\# n hex` (RFC 3597). */
  readonly fields: readonly Field[];
  /** True for TXT and SPF: an API field may hold one literal text. */
  readonly literal?: true;
  /** What must hold between the fields: the sentence that says what does not. */
  check?(row: Row): string | undefined;
}

function type(
  mnemonic: string,
  code: number,
  rfc: string,
  description: string,
  example: string,
  fields: readonly Field[],
): RecordType {
  return { mnemonic, code, rfc, description, example, creatable: true, fields };
}

/** Every type of the table, by code. */
export const recordTypes: readonly RecordType[] = [
  type("A", 1, "RFC 1035 §3.4.1", "IPv4 address", "192.0.2.1", [ipv4("address", "the host's address")]),
  type("NS", 2, "RFC 1035 §3.3.11", "name server of a zone", "ns1.example.net.", [name("nsdname", "the name server")]),
  type("CNAME", 5, "RFC 1035 §3.3.1", "another name for this name", "www.example.net.", [
    name("target", "the canonical name"),
  ]),
  type(
    "SOA",
    6,
    "RFC 1035 §3.3.13",
    "start of a zone",
    "ns1.example.net. hostmaster.example.net. 2026010101 7200 3600 1209600 3600",
    [
      name("mname", "the primary name server"),
      name("rname", "the mailbox of the person responsible, its @ written as a dot"),
      u32("serial", "the version of the zone"),
      time("refresh", "how often a secondary looks for a new serial"),
      time("retry", "how soon it tries again after a failure"),
      time("expire", "after how long without contact it stops answering"),
      time("minimum", "how long a negative answer is cached"),
    ],
  ),
  type("PTR", 12, "RFC 1035 §3.3.12", "name of an address", "host.example.net.", [name("ptrdname", "the name")]),
  type("MX", 15, "RFC 1035 §3.3.9", "mail server of a domain", "10 mail.example.net.", [
    u16("preference", "the lowest is tried first"),
    name("exchange", "the mail server"),
  ]),
  {
    ...type("TXT", 16, "RFC 1035 §3.3.14", "text", '"v=spf1 mx -all"', [charStrings("strings", "the texts")]),
    literal: true,
  },
  type("AAAA", 28, "RFC 3596 §2.2", "IPv6 address", "2001:db8::1", [ipv6("address", "the host's address")]),
  type("SRV", 33, "RFC 2782", "server of a service", "10 20 5060 sip.example.net.", [
    u16("priority", "the lowest is tried first"),
    u16("weight", "the share of equals"),
    u16("port", "the port of the service"),
    name("target", "the server"),
  ]),
  type("CAA", 257, "RFC 8659", "certificate authorities that may issue", '0 issue "ca.example.net"', [
    u8("flags", "128 is critical"),
    tag("tag", "the property"),
    longString("value", "its value"),
  ]),
];

const byMnemonic = new Map(recordTypes.map((each) => [each.mnemonic, each]));
const byCode = new Map(recordTypes.map((each) => [each.code, each]));

/** Finds a type by mnemonic in any letter case, or as `TYPEnnn`; throws Malformed with reason `type`. */
export function recordType(text: string): RecordType {
  const mnemonic = text.toUpperCase();
  const known = byMnemonic.get(mnemonic);
  if (known) return known;
  const [, digits] = /^TYPE([0-9]{1,5})$/.exec(mnemonic) ?? [];
  const code = Number(digits);
  if (digits === undefined || code < 1 || code > 65535)
    throw new Malformed(
      "type",
      `${quote(text)} is not a record type; write a mnemonic such as MX, or TYPE1 to TYPE65535.`,
    );
  return recordTypeByCode(code);
}

/** Finds a type by its number, 1 to 65535; a type without a row is generic. */
export function recordTypeByCode(code: number): RecordType {
  return (
    byCode.get(code) ?? type(`TYPE${code}`, code, "RFC 3597", "a type known by its number alone", "\\# 4 0a000001", [])
  );
}

/** Refuses a type that is not for users to create, else answers it. */
export function mustBeCreatable(type: RecordType): RecordType {
  if (!type.creatable) throw new Malformed("type", `${type.mnemonic} records cannot be created here.`);
  return type;
}
