/** One request over TCP (RFC 7766). */
import { randomInt } from "node:crypto";
import { connect } from "node:net";
import { FrameReader, lengthPrefix } from "../../dns/message/framing.ts";
import type { DnsOutcome, DnsRequest, Peer } from "./udp-client.ts";
import { unreachableText } from "./unreachable.ts";

/** Sends a packet on a new connection, from the address `source` if given. */
export function exchangeOverTcp<T>(
  peer: Peer,
  source: string | undefined,
  { packet, accept, timeoutMs }: DnsRequest<T>,
): Promise<DnsOutcome<T>> {
  return new Promise((resolve) => {
    const socket = connect({ host: peer.address, port: peer.port, ...(source && { localAddress: source }) });
    const end = (outcome: DnsOutcome<T>) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => end({ failure: `no answer within ${timeoutMs / 1000} s` }), timeoutMs);
    const frames = new FrameReader();
    socket.on("connect", () => {
      const octets = packet(randomInt(65536));
      socket.write(Buffer.concat([lengthPrefix(octets), octets]));
    });
    socket.on("data", (data) => {
      for (const message of frames.push(data)) {
        const response = accept(message);
        return end(response === undefined ? { failure: "its answer does not match our question" } : { response });
      }
    });
    socket.on("error", (error) => end({ failure: unreachableText(error) ?? error.message }));
    socket.on("close", () => end({ failure: "it closed the connection" }));
  });
}
