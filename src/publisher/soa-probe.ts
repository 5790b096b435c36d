/**
 * Sighting: asks a secondary for a zone's SOA and says what it serves. Signatures are asked for too (DO, RFC 3225): an SOA that comes
 * with an RRSIG was signed there, as none of ours is, and its serial may run ahead of ours. The catalog is asked for over TCP, where
 * Knot shows it to a key that may transfer it.
 */
import { Flag, Opcode, Rcode } from "../dns/message/header.ts";
import type { Message } from "../dns/message/message-reader.ts";
import { lowerName, zoneNameWire } from "../dns/name.ts";
import { uncheckedSoaSerial } from "../dns/rdata/soa.ts";
import type { Serial } from "../dns/serial.ts";
import { TypeCode } from "../dns/type-codes.ts";
import { sameOctets } from "../dns/wire.ts";
import type { Correspondent, Target } from "../secondary/sighting.ts";
import { ask, rcodeText } from "./signed-query.ts";
import type { UdpSockets } from "./udp-client.ts";

/**
 * What was seen: the serial served; that it does not have the zone (an answer about a parent zone says so too); something that tells
 * nothing about the zone, such as SERVFAIL; or no answer at all.
 */
export type Sight =
  | { readonly kind: "serial"; readonly serial: Serial; readonly isSigned: boolean; readonly words: string }
  | { readonly kind: "refused"; readonly words: string }
  | { readonly kind: "failed"; readonly words: string; readonly tsigError?: string }
  | { readonly kind: "silent"; readonly words: string };

const lacking: readonly number[] = [Rcode.NOERROR, Rcode.NXDOMAIN, Rcode.REFUSED, Rcode.NOTAUTH];

/** Looks once at what a secondary serves of a zone. */
export async function sight(
  sockets: UdpSockets,
  at: Correspondent,
  { zone, isCatalog }: Target,
  timeoutMs: number,
): Promise<Sight> {
  const told = await ask(sockets, at, { opcode: Opcode.QUERY, zone, timeoutMs, overTcp: isCatalog });
  if (told.kind === "tsig") return { kind: "failed", words: told.words, tsigError: told.words };
  if (told.kind === "silence") return { kind: "silent", words: told.words };
  return readSight(told.message, zone);
}

function readSight(message: Message, zone: string): Sight {
  const name = zoneNameWire(zone);
  const own = message.answers.filter((record) => sameOctets(lowerName(record.name), name));
  const soa = own.find(({ type }) => type === TypeCode.SOA);
  const { rcode } = message;
  if (soa && rcode === Rcode.NOERROR) {
    if ((message.flags & Flag.AA) === 0)
      return {
        kind: "failed",
        words: "it answers without authority, as a resolver does; give the address of the server itself",
      };
    const seen = uncheckedSoaSerial(soa.rdata);
    if (seen === undefined) return { kind: "failed", words: "its SOA record is malformed" };
    return {
      kind: "serial",
      serial: seen,
      isSigned: own.some(({ type }) => type === TypeCode.RRSIG),
      words: String(seen),
    };
  }
  if (lacking.includes(rcode))
    return { kind: "refused", words: rcode === Rcode.NOERROR ? "no such zone" : rcodeText(rcode) };
  return { kind: "failed", words: rcodeText(rcode) };
}
