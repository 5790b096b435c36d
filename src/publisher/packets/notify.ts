/**
 * NOTIFY (RFC 1996): notifies a secondary that a zone has changed. The message carries no SOA: the secondary queries for the SOA that is
 * committed then.
 */
import { Opcode, Rcode } from "../../dns/message/header.ts";
import { type QueryPeer, rcodeText, sendQuery } from "./signed-query.ts";
import type { UdpSockets } from "./udp-client.ts";

/**
 * How a secondary responded to a NOTIFY. `unknown`: it does not have the zone yet and learns of it from the catalog or
 * from its operator (Knot and BIND respond NOTAUTH, NSD rcode 3, NXDOMAIN, PowerDNS REFUSED). `failed`: any other
 * error, or a bad signature. `silent`: it did not respond. `message` is the rcode or the problem, for the operator.
 */
export interface NotifyResult {
  readonly outcome: "acknowledged" | "unknown" | "failed" | "silent";
  readonly message: string;
  readonly tsigError?: string;
}

const unknownZoneRcodes: readonly number[] = [Rcode.NXDOMAIN, Rcode.REFUSED, Rcode.NOTAUTH];

/** Sends one NOTIFY and waits for the response. */
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
