/**
 * One question over TCP (RFC 7766): for the catalog, which Knot shows over TCP only, signed, and to those who may transfer it.
 */
import { randomInt } from "node:crypto";
import { connect } from "node:net";
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
    let received = Buffer.alloc(0);
    socket.on("connect", () => {
      const octets = packet(randomInt(65536));
      socket.write(Buffer.concat([Uint8Array.of(octets.length >> 8, octets.length & 255), octets]));
    });
    socket.on("data", (data) => {
      received = Buffer.concat([received, data]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
      const answer = judge(received.subarray(2, 2 + received.readUInt16BE(0)));
      end(answer === undefined ? { silence: "its answer is none to our question" } : { answer });
    });
    socket.on("error", (error) => end({ silence: `it cannot be reached (${(error as NodeJS.ErrnoException).code})` }));
    socket.on("close", () => end({ silence: "it closed the connection" }));
  });
}
