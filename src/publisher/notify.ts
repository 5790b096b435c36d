/**
 * NOTIFY (RFC 1996): tells a secondary that a zone has changed. It carries no SOA: the secondary asks for it, and gets what is
 * committed then.
 */
import { Opcode, Rcode } from "../dns/message/header.ts";
import type { Correspondent } from "../secondary/sighting.ts";
import { ask, rcodeText } from "./signed-query.ts";
import type { UdpSockets } from "./udp-client.ts";

/**
 * How a secondary took a NOTIFY. `unknown`: it does not have the zone and must learn of it from the catalog, or from its operator:
 * Knot and BIND say NOTAUTH, NSD rcode 3 (NXDOMAIN), PowerDNS REFUSED. `failed`: another error. `silent`: no answer.
 */
export interface Notified {
  readonly outcome: "acknowledged" | "unknown" | "failed" | "silent";
  readonly words: string;
  readonly tsigError?: string;
}

const unknownZone: readonly number[] = [Rcode.NXDOMAIN, Rcode.REFUSED, Rcode.NOTAUTH];

/** Sends one NOTIFY and waits for its answer. */
export async function notify(
  sockets: UdpSockets,
  to: Correspondent,
  zone: string,
  timeoutMs: number,
): Promise<Notified> {
  const told = await ask(sockets, to, { opcode: Opcode.NOTIFY, zone, timeoutMs });
  if (told.kind === "tsig") return { outcome: "failed", words: told.words, tsigError: told.words };
  if (told.kind === "silence") return { outcome: "silent", words: told.words };
  const { rcode } = told.message;
  if (rcode === Rcode.NOERROR) return { outcome: "acknowledged", words: "NOERROR" };
  return { outcome: unknownZone.includes(rcode) ? "unknown" : "failed", words: rcodeText(rcode) };
}
