/**
 * Counts of answers, by transport and rcode. Limitation: the rcode is that of the header, so that BADVERS counts as NOERROR (RFC 6891
 * §6.1.3).
 */
import { Rcode, rcodeName } from "../dns/message/header.ts";

/** The number of rcodes in the four bits of a header. */
const rcodes = 16;

/** The transport of a request; TLS counts apart from TCP. */
type Transport = "udp" | "tcp" | "tls";

/** The number of answers with an rcode over a transport. */
export interface AnswerCount {
  readonly transport: Transport;
  readonly rcode: string;
  readonly count: number;
}

export class AnswerCounts {
  readonly #counts: Readonly<Record<Transport, Float64Array>> = {
    udp: new Float64Array(rcodes),
    tcp: new Float64Array(rcodes),
    tls: new Float64Array(rcodes),
  };
  /** The number of requests over UDP without an answer, because too many were in progress. */
  dropped = 0;

  /** Counts an answer. An answer of many messages, a transfer that has begun, counts as NOERROR. */
  add(transport: Transport, answer: Uint8Array | AsyncIterable<Uint8Array>): void {
    const rcode = answer instanceof Uint8Array ? (answer[3] as number) & 15 : Rcode.NOERROR;
    (this.#counts[transport][rcode] as number) += 1;
  }

  /** The counts so far, without rcodes that did not occur. */
  *entries(): Generator<AnswerCount> {
    for (const transport of ["udp", "tcp", "tls"] as const)
      for (const [rcode, count] of this.#counts[transport].entries())
        if (count > 0) yield { transport, rcode: rcodeName(rcode) ?? String(rcode), count };
  }
}
