/** Counts of answers. Limitation: the rcode is that of the header, so that BADVERS counts as NOERROR (RFC 6891 §6.1.3). */
import { Rcode, rcodeName } from "../dns/message/header.ts";

const rcodes = 16;

/** TLS counts apart from TCP. */
type Transport = "udp" | "tcp" | "tls";

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
  /** Requests over UDP without an answer, because too many were in progress. */
  dropped = 0;

  /** A transfer, an answer of many messages, counts as NOERROR. */
  add(transport: Transport, answer: Uint8Array | AsyncIterable<Uint8Array>): void {
    const rcode = answer instanceof Uint8Array ? (answer[3] as number) & 15 : Rcode.NOERROR;
    (this.#counts[transport][rcode] as number) += 1;
  }

  *entries(): Generator<AnswerCount> {
    for (const transport of ["udp", "tcp", "tls"] as const)
      for (const [rcode, count] of this.#counts[transport].entries())
        if (count > 0) yield { transport, rcode: rcodeName(rcode) ?? String(rcode), count };
  }
}
