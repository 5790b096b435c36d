/** NOTIFY (RFC 1996), without an SOA: the secondary queries for the one that is committed then. */
import { Opcode, Rcode } from "../../dns/message/header.ts";
import { type QueryPeer, rcodeText, sendQuery } from "./signed-query.ts";
import type { UdpSockets } from "./udp-client.ts";

/**
 * `unknown`: the secondary does not have the zone yet (Knot and BIND respond NOTAUTH, NSD NXDOMAIN, PowerDNS REFUSED). `failed`: any other
 * error, or a bad signature. `silent`: no response. `message` is the rcode or the problem, for the operator.
 */
export interface NotifyResult {
  readonly outcome: "acknowledged" | "unknown" | "failed" | "silent";
  readonly message: string;
  readonly tsigError?: string;
}

const unknownZoneRcodes: readonly number[] = [Rcode.NXDOMAIN, Rcode.REFUSED, Rcode.NOTAUTH];

export async function notify(
  sockets: UdpSockets,
  secondary: QueryPeer,
  zone: string,
  timeoutMs: number,
): Promise<NotifyResult> {
  const result = await sendQuery(sockets, secondary, { opcode: Opcode.NOTIFY, zone, timeoutMs });
  if (result.kind === "tsigFailure") return { outcome: "failed", message: result.message, tsigError: result.message };
  if (result.kind === "noResponse") return { outcome: "silent", message: result.message };
  const { rcode } = result.response;
  if (rcode === Rcode.NOERROR) return { outcome: "acknowledged", message: "NOERROR" };
  return { outcome: unknownZoneRcodes.includes(rcode) ? "unknown" : "failed", message: rcodeText(rcode) };
}
