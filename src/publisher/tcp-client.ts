/**
 * One question over TCP (RFC 7766): for the catalog, which Knot shows over TCP only, signed, and to those who may transfer it.
 */
import { randomInt } from "node:crypto";
import { connect } from "node:net";
import { FrameReader, lengthPrefix } from "../dns/message/framing.ts";
import type { Exchange, Outcome, Peer } from "./udp-client.ts";

/** Sends a packet on a connection of its own and waits for its answer. */
export function exchangeOverTcp<T>(peer: Peer, { packet, judge, timeoutMs }: Exchange<T>): Promise<Outcome<T>> {
  return new Promise((resolve) => {
    const socket = connect({ host: peer.address, port: peer.port });
    const end = (outcome: Outcome<T>) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => end({ silence: `no answer within ${timeoutMs / 1000} s` }), timeoutMs);
    const frames = new FrameReader();
    socket.on("connect", () => {
      const octets = packet(randomInt(65536));
      socket.write(Buffer.concat([lengthPrefix(octets), octets]));
    });
    socket.on("data", (data) => {
      for (const message of frames.push(data)) {
        const answer = judge(message);
        return end(answer === undefined ? { silence: "its answer is none to our question" } : { answer });
      }
    });
    socket.on("error", (error) => end({ silence: `it cannot be reached (${(error as NodeJS.ErrnoException).code})` }));
    socket.on("close", () => end({ silence: "it closed the connection" }));
  });
}
