/**
 * A line of the table as the record of a dynamic update. It is put on the wire when its owner is a domain name, its type a number of
 * 16 bits, its TTL seconds of 32 bits without sign, and its data octets: those that `\#` spells, those of `octets` below, or those of
 * the text where it can be read. What is left out are faults of text alone, which have no octets: a name without its dot, an address
 * in a spelling of its own, a comment, a quote that stays open.
 */

import { Malformed } from "../../src/dns/malformed.ts";
import type { ResourceRecord } from "../../src/dns/message/message-reader.ts";
import { parseName, zoneNameWire } from "../../src/dns/name.ts";
import { parseRdata } from "../../src/dns/rdata/rdata.ts";
import { recordType } from "../../src/dns/rdata/record-type-registry.ts";
import { typeCode } from "../../src/dns/type-codes.ts";
import type { Given } from "./table.ts";

/** Data that no reader of text lets through, octet for octet, by type and text. */
const octets: ReadonlyMap<string, string> = new Map([
  [`DS 1 8 2 ${"0A".repeat(31)}`, `00010802${"0a".repeat(31)}`],
  [`CDS 1 8 1 ${"0A".repeat(19)}`, `00010801${"0a".repeat(19)}`],
  [`SSHFP 4 2 ${"0A".repeat(20)}`, `0402${"0a".repeat(20)}`],
  [`ZONEMD 1 1 1 ${"0A".repeat(47)}`, `000000010101${"0a".repeat(47)}`],
  ["CDNSKEY 0 3 0", "00000300"],
  ['CAA 0 is-sue "ca.example.net"', `000669732d737565${Buffer.from("ca.example.net").toString("hex")}`],
  ['CAA 0 "" "ca.example.net"', `0000${Buffer.from("ca.example.net").toString("hex")}`],
  ["LOC 91 0 0 N 4 0 0 E 0m", "001216139386c78080dbba0000989680"],
  ["SVCB 1 . no-default-alpn", "00010000020000"],
  ["SVCB 1 . mandatory=port", "000100000000020003"],
  ["SVCB 1 . port=1 port=2", "000100000300020001000300020002"],
  ["IPSECKEY 10 1 0 192.0.2.38 AQID", "0a0100c0000226010203"],
  ["HINFO PC", "025043"],
  ["A ", ""],
  ["A 192.0.2.1 192.0.2.2", "c0000201c0000202"],
  ["AAAA 192.0.2.1", "c0000201"],
]);

/** Types that have a number and no text. */
const withoutText: ReadonlyMap<string, number> = new Map([
  ["NULL", 10],
  ["MD", 3],
  ["ANY", 255],
  ["AXFR", 252],
  ["OPT", 41],
  ["TSIG", 250],
]);

/** The record of a line in `zone`, class IN; undefined when no update can say it. */
export function onTheWire({ owner, type, ttl, rdata }: Given, zone: string): ResourceRecord | undefined {
  const code = codeOf(type);
  const name = attempt(() => parseName(owner === "" ? "@" : owner, zoneNameWire(zone)));
  const data = dataOf(type, rdata, zone);
  if (code === undefined || !name || !data || ttl < 0) return undefined;
  return { name, type: code, class: 1, ttl, rdata: data };
}

function codeOf(type: string): number | undefined {
  const [, number] = /^TYPE(\d+)$/i.exec(type) ?? [];
  if (number !== undefined) return Number(number) < 65536 ? Number(number) : undefined;
  return withoutText.get(type) ?? typeCode(type.toUpperCase());
}

function dataOf(type: string, rdata: string, zone: string): Uint8Array | undefined {
  const [, length, hex = ""] = /^\\# (\d+) ?([0-9A-Fa-f ]*)$/.exec(rdata) ?? [];
  const generic = Buffer.from(hex.replaceAll(" ", ""), "hex");
  if (length !== undefined) return generic.length === Number(length) ? Uint8Array.from(generic) : undefined;
  const known = octets.get(`${type} ${rdata}`);
  if (known !== undefined) return Uint8Array.from(Buffer.from(known, "hex"));
  if (withoutText.has(type)) return new Uint8Array();
  return attempt(() => parseRdata(recordType(type), rdata, { origin: zoneNameWire(zone), context: "field" }));
}

/** What a reader answers; undefined for what it finds malformed. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}
