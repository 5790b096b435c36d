/**
 * UDP towards secondaries: one socket per address family, opened when first needed. An answer counts only when it comes from the
 * address and port that were asked, under the random id of the question (RFC 5452 §4, §9.1), and passes the asker's judgement; what
 * does not is dropped and the wait goes on.
 * Limitations: no TCP, the answers here are short; one source port per socket's life, so that an unsigned answer is guarded by its
 * id and the port alone; an ICMP "unreachable" is not heard, the time limit tells the same.
 */
import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { ipv6Octets } from "../dns/fields/field.ts";

/** Where packets go. */
export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** A packet to send. `judge` looks at an answer, and answers undefined for one that is not to be believed. */
export interface Exchange<T> {
  readonly packet: (id: number) => Uint8Array;
  readonly judge: (answer: Uint8Array) => T | undefined;
  readonly timeoutMs: number;
}

/** How an exchange ended: with an answer, or without one and why. */
export type Outcome<T> = { readonly answer: T } | { readonly silence: string };

type Family = "udp4" | "udp6";

export class UdpSockets {
  readonly #source: string | undefined;
  readonly #sockets = new Map<Family, Promise<Socket>>();
  /** Who waits for an answer, by peer and id. */
  readonly #waiting = new Map<string, (answer: Uint8Array) => void>();
  readonly #ending = new Set<() => void>();
  #closed = false;

  /** Packets leave from the address `source` when the machine has it; otherwise from any. */
  constructor(source?: string) {
    this.#source = source;
  }

  /** Sends a packet and waits for its answer. */
  async exchange<T>(peer: Peer, { packet, judge, timeoutMs }: Exchange<T>): Promise<Outcome<T>> {
    const family = isIPv6(peer.address) ? "udp6" : "udp4";
    const socket = await this.#socket(family).catch(() => undefined);
    if (!socket) return { silence: `no ${family} socket can be opened here` };
    if (this.#closed) return { silence: "the publisher has stopped" };
    const { id, name } = this.#freeId(peer);
    return new Promise((resolve) => {
      const end = (outcome: Outcome<T>) => {
        clearTimeout(timer);
        this.#waiting.delete(name);
        this.#ending.delete(cancel);
        resolve(outcome);
      };
      const cancel = () => end({ silence: "the publisher has stopped" });
      const timer = setTimeout(() => end({ silence: `no answer within ${timeoutMs / 1000} s` }), timeoutMs);
      this.#ending.add(cancel);
      this.#waiting.set(name, (answer) => {
        const judged = judge(answer);
        if (judged !== undefined) end({ answer: judged });
      });
      const unreachable = (error: unknown) =>
        end({ silence: `it cannot be reached (${(error as NodeJS.ErrnoException).code})` });
      try {
        socket.send(packet(id), peer.port, peer.address, (error) => error && unreachable(error));
      } catch (error) {
        unreachable(error);
      }
    });
  }

  close(): void {
    this.#closed = true;
    for (const cancel of [...this.#ending]) cancel();
    for (const opening of this.#sockets.values()) opening.then((socket) => socket.close()).catch(() => {});
  }

  #freeId(peer: Peer): { id: number; name: string } {
    for (;;) {
      const id = randomInt(65536);
      const name = nameOf(peer, id);
      if (!this.#waiting.has(name)) return { id, name };
    }
  }

  #socket(family: Family): Promise<Socket> {
    const known = this.#sockets.get(family);
    if (known) return known;
    const opening = this.#open(family);
    this.#sockets.set(family, opening);
    opening.catch(() => this.#sockets.delete(family));
    return opening;
  }

  async #open(family: Family): Promise<Socket> {
    const source =
      this.#source !== undefined && isIPv6(this.#source) === (family === "udp6") ? this.#source : undefined;
    const socket = (source && (await bind(family, source))) || (await bind(family, undefined));
    if (!socket) throw new Error(`A ${family} socket cannot be opened.`);
    socket.on("message", (answer, from) => {
      if (answer.length >= 2) this.#waiting.get(nameOf(from, answer.readUInt16BE(0)))?.(answer);
    });
    socket.on("error", () => {
      this.#sockets.delete(family);
      socket.close();
    });
    return socket;
  }
}

async function bind(family: Family, address: string | undefined): Promise<Socket | undefined> {
  const socket = createSocket({ type: family, recvBufferSize: 1 << 20 });
  try {
    socket.bind({ port: 0, ...(address !== undefined && { address }) });
    await once(socket, "listening");
    return socket;
  } catch {
    socket.close();
    return undefined;
  }
}

/** One spelling for every way to write an address, with port and id. */
function nameOf({ address, port }: Peer, id: number): string {
  const octets = isIPv6(address) ? ipv6Octets(address.replace(/%.*$/, "")) : undefined;
  return `${octets ? Buffer.from(octets).toString("hex") : address} ${port} ${id}`;
}
