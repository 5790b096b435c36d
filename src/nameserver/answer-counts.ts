/**
 * How many requests were answered, by transport and rcode: numbers that are counted up on the way of every answer, and read by whoever
 * shows them. Limitation: the rcode is that of the header, so that BADVERS counts as NOERROR (RFC 6891 §6.1.3).
 */
import { Rcode } from "../dns/message/header.ts";

/** The rcodes that the four bits of a header have. */
const rcodes = 16;

/** What requests came over; TLS counts apart from TCP. */
export type Transport = "udp" | "tcp" | "tls";

/** Answers with an rcode over a transport. */
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
  /** Requests over UDP that were left unanswered, as too many were in progress. */
  dropped = 0;

  /** Counts an answer; one of many messages, a transfer that has begun, as NOERROR. */
  add(transport: Transport, answer: Uint8Array | AsyncIterable<Uint8Array>): void {
    const rcode = answer instanceof Uint8Array ? (answer[3] as number) & 15 : Rcode.NOERROR;
    (this.#counts[transport][rcode] as number) += 1;
  }

  /** What was counted so far; rcodes that did not occur are left out. */
  *entries(): Generator<AnswerCount> {
    for (const transport of ["udp", "tcp", "tls"] as const)
      for (const [rcode, count] of this.#counts[transport].entries())
        if (count > 0) yield { transport, rcode: rcodeNames.get(rcode) ?? String(rcode), count };
  }
}

const rcodeNames: ReadonlyMap<number, string> = new Map(
  Object.entries(Rcode).map(([name, number]): [number, string] => [number as number, name]),
);
