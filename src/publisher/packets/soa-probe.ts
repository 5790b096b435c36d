/**
 * SOA probe: the serial that a secondary serves. The query asks for signatures (DO, RFC 3225): an SOA with an RRSIG was signed there, and
 * its serial may run ahead of ours. The catalog is probed over TCP, since Knot shows it only there; so is an answer that was truncated over
 * UDP (RFC 2181 §9).
 */
import { Flag, Opcode, Rcode } from "../../dns/message/header.ts";
import type { Message } from "../../dns/message/message-reader.ts";
import { lowerName, zoneNameWire } from "../../dns/name.ts";
import { uncheckedSoaSerial } from "../../dns/rdata/soa.ts";
import type { Serial } from "../../dns/serial.ts";
import { TypeCode } from "../../dns/type-codes.ts";
import { sameOctets } from "../../dns/wire.ts";
import { type QueryPeer, rcodeText, sendQuery } from "./signed-query.ts";
import type { UdpSockets } from "./udp-client.ts";

/**
 * `refused`: the secondary does not have the zone. `unloaded`: SERVFAIL, for a configured zone without data. `failed`: a response that says
 * nothing about the zone. `silent`: no response. `message` is the serial, the rcode or the problem, for the operator.
 */
export type ProbeResult =
  | {
      readonly kind: "serial";
      readonly serial: Serial;
      readonly isSigned: boolean;
      readonly message: string;
      /** By the clock of the secondary, seconds; undefined without TSIG. */
      readonly signedAt?: number | undefined;
    }
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "unloaded"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string; readonly tsigError?: string }
  | { readonly kind: "silent"; readonly message: string };

const noZoneRcodes: readonly number[] = [Rcode.NOERROR, Rcode.NXDOMAIN, Rcode.REFUSED, Rcode.NOTAUTH];

export async function probeSoa(
  sockets: UdpSockets,
  secondary: QueryPeer,
  { zone, overTcp }: { readonly zone: string; readonly overTcp: boolean },
  timeoutMs: number,
): Promise<ProbeResult> {
  const result = await sendQuery(sockets, secondary, { opcode: Opcode.QUERY, zone, timeoutMs, overTcp });
  if (result.kind === "tsigFailure") return { kind: "failed", message: result.message, tsigError: result.message };
  if (result.kind === "noResponse") return { kind: "silent", message: result.message };
  if ((result.response.flags & Flag.TC) === 0) return readProbe(result.response, zone, result.signedAt);
  const problem = "its answer is truncated";
  if (overTcp) return { kind: "failed", message: problem };
  const whole = await probeSoa(sockets, secondary, { zone, overTcp: true }, timeoutMs);
  return whole.kind === "silent" ? { kind: "failed", message: `${problem}, and over TCP: ${whole.message}` } : whole;
}

function readProbe(response: Message, zone: string, signedAt: number | undefined): ProbeResult {
  const name = zoneNameWire(zone);
  const atApex = response.answers.filter((record) => sameOctets(lowerName(record.name), name));
  const soa = atApex.find(({ type }) => type === TypeCode.SOA);
  const { rcode } = response;
  if (soa && rcode === Rcode.NOERROR) {
    if ((response.flags & Flag.AA) === 0)
      return {
        kind: "failed",
        message: "it answers without authority, as a resolver does; register the address of the authoritative server",
      };
    const served = uncheckedSoaSerial(soa.rdata);
    if (served === undefined) return { kind: "failed", message: "its SOA record is malformed" };
    return {
      kind: "serial",
      serial: served,
      isSigned: atApex.some(({ type }) => type === TypeCode.RRSIG),
      message: String(served),
      signedAt,
    };
  }
  if (noZoneRcodes.includes(rcode))
    return { kind: "refused", message: rcode === Rcode.NOERROR ? "no such zone" : rcodeText(rcode) };
  return { kind: rcode === Rcode.SERVFAIL ? "unloaded" : "failed", message: rcodeText(rcode) };
}
