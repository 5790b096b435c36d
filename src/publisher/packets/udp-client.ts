/**
 * UDP client for queries to secondaries, with one socket for each address family. A response counts when it comes from the address and port
 * of the request, has its random id (RFC 5452 §4, §9.1) and is accepted by the sender. Limitations: one source port while a socket is open;
 * ICMP "unreachable" is not received, the timeout has its effect.
 */
import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { ipv6Octets } from "../../dns/fields/ip-address.ts";
import { unreachableText } from "./unreachable.ts";

export interface Peer {
  readonly address: string;
  readonly port: number;
}

/** `accept` reads a response; undefined for one that is not trusted. */
export interface DnsRequest<T> {
  readonly packet: (id: number) => Uint8Array;
  readonly accept: (response: Uint8Array) => T | undefined;
  readonly timeoutMs: number;
}

export type DnsOutcome<T> = { readonly response: T } | { readonly failure: string };

type Family = "udp4" | "udp6";

const receiveBufferBytes = 1 << 20;

/** The address to send from: that of the name server; undefined for a wildcard, or for loopback, the default. */
export function sourceOf(address: string): string | undefined {
  return /^(127\.0\.0\.1|0\.0\.0\.0|::1?)$/.test(address) ? undefined : address;
}

const familyOf = ({ address }: Peer): Family => (isIPv6(address) ? "udp6" : "udp4");

export class UdpSockets {
  readonly #source: string | undefined;
  readonly #sockets = new Map<Family, Promise<Socket>>();
  readonly #pending = new Map<string, (response: Uint8Array) => void>();
  readonly #cancellations = new Set<() => void>();
  #closed = false;

  /** Sends from `source` when the machine has that address, otherwise from any. */
  constructor(source?: string) {
    this.#source = source;
  }

  async exchange<T>(peer: Peer, { packet, accept, timeoutMs }: DnsRequest<T>): Promise<DnsOutcome<T>> {
    const family = familyOf(peer);
    const socket = await this.#socket(family).catch(() => undefined);
    if (!socket) return { failure: `no ${family} socket can be opened here` };
    if (this.#closed) return { failure: "the publisher has stopped" };
    const { id, key } = this.#freeId(peer);
    return new Promise((resolve) => {
      const end = (outcome: DnsOutcome<T>) => {
        clearTimeout(timer);
        this.#pending.delete(key);
        this.#cancellations.delete(cancel);
        resolve(outcome);
      };
      const cancel = () => end({ failure: "the publisher has stopped" });
      const timeOut = () =>
        this.#cancellations.has(cancel) && end({ failure: `no answer within ${timeoutMs / 1000} s` });
      // A response that arrived while the process was busy is read first: after the timers, before the immediates.
      const timer = setTimeout(() => setImmediate(timeOut), timeoutMs);
      this.#cancellations.add(cancel);
      this.#pending.set(key, (octets) => {
        const response = accept(octets);
        if (response !== undefined) end({ response });
      });
      const unreachable = (error: unknown) =>
        end({ failure: unreachableText(error) ?? `it cannot be reached: ${(error as Error).message}` });
      try {
        socket.send(packet(id), peer.port, peer.address, (error) => error && unreachable(error));
      } catch (error) {
        unreachable(error);
      }
    });
  }

  /** The address that packets to a peer leave from; undefined: any. */
  async sourceFor(peer: Peer): Promise<string | undefined> {
    const socket = await this.#socket(familyOf(peer)).catch(() => undefined);
    if (!socket || this.#closed) return undefined;
    const { address } = socket.address();
    return address === "0.0.0.0" || address === "::" ? undefined : address;
  }

  close(): void {
    this.#closed = true;
    for (const cancel of [...this.#cancellations]) cancel();
    for (const opening of this.#sockets.values()) opening.then((socket) => socket.close()).catch(() => {});
  }

  #freeId(peer: Peer): { id: number; key: string } {
    for (;;) {
      const id = randomInt(65536);
      const key = requestKey(peer, id);
      if (!this.#pending.has(key)) return { id, key };
    }
  }

  #socket(family: Family): Promise<Socket> {
    const existing = this.#sockets.get(family);
    if (existing) return existing;
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
    socket.on("message", (response, from) => {
      if (response.length >= 2) this.#pending.get(requestKey(from, response.readUInt16BE(0)))?.(response);
    });
    socket.on("error", () => {
      this.#sockets.delete(family);
      socket.close();
    });
    return socket;
  }
}

async function bind(family: Family, address: string | undefined): Promise<Socket | undefined> {
  const socket = createSocket({ type: family, recvBufferSize: receiveBufferBytes });
  try {
    socket.bind({ port: 0, ...(address !== undefined && { address }) });
    await once(socket, "listening");
    return socket;
  } catch {
    socket.close();
    return undefined;
  }
}

/** One string for every spelling of an IPv6 address. */
function requestKey({ address, port }: Peer, id: number): string {
  const octets = isIPv6(address) ? ipv6Octets(address.replace(/%.*$/, "")) : undefined;
  return `${octets ? Buffer.from(octets).toString("hex") : address} ${port} ${id}`;
}
