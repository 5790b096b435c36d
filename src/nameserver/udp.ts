/**
 * DNS over UDP (RFC 1035 §4.2.1). The number of packets in work is limited; further ones are dropped. Each address of a secondary has its
 * own places. Limitations: packets that the system drops may come from any client; addresses can be forged; on a wildcard address of a
 * machine with several, an answer leaves from the one that routing picks.
 */
import { createSocket, type Socket, type SocketOptions } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { type Reply, respond, type ServerDeps } from "./dispatch.ts";

/** Packets in work: for each secondary's address (few, since it can be forged), and for all clients together. */
const maxPendingOfSecondary = 64;
const maxPending = 500;

const noLookup: SocketOptions["lookup"] = (address, _options, done) => done(null, address, 0);

const ignore = () => {};

export class UdpServer {
  readonly #deps: ServerDeps;
  readonly #socket: Socket;
  /** By secondary's address; the common places have the key "". */
  readonly #pending = new Map<string, Set<Promise<void>>>();

  constructor(deps: ServerDeps, address: string) {
    this.#deps = deps;
    const type = isIPv6(address) ? "udp6" : "udp4";
    this.#socket = createSocket({ type, recvBufferSize: 1 << 20, lookup: noLookup });
    this.#socket.on("message", (octets, { address, port }) => this.#accept(octets, address, port));
  }

  async listen(address: string, port: number): Promise<void> {
    const bound = once(this.#socket, "listening");
    this.#socket.bind(port, address);
    await bound;
    // A network error about a sent packet is no reason to stop.
    this.#socket.on("error", (error) => this.#deps.refusals.warn({ err: error }, "a UDP answer failed"));
  }

  #accept(octets: Uint8Array, address: string, port: number): void {
    if (port === 0) return;
    const kept = this.#deps.answers.current("udp", octets);
    if (kept) {
      this.#deps.counts.add("udp", kept);
      this.#socket.send(kept, port, address, ignore);
      return;
    }
    const isSecondary = this.#deps.hooks.isSecondary?.(address) ?? false;
    const pending =
      (isSecondary ? this.#placeAmong(address, maxPendingOfSecondary) : undefined) ?? this.#placeAmong("", maxPending);
    if (!pending) {
      this.#deps.counts.dropped += 1;
      return;
    }
    const task = this.#answer(octets, address, port).finally(() => pending.delete(task));
    pending.add(task);
  }

  /** Undefined when all places are occupied. */
  #placeAmong(share: string, places: number): Set<Promise<void>> | undefined {
    const pending = this.#pending.get(share) ?? new Set();
    this.#pending.set(share, pending);
    return pending.size < places ? pending : undefined;
  }

  async #answer(octets: Uint8Array, address: string, port: number): Promise<void> {
    const reply: Reply = await respond(this.#deps, octets, { protocol: "udp", address, port });
    if (!(reply instanceof Uint8Array)) return;
    this.#deps.counts.add("udp", reply);
    this.#socket.send(reply, port, address, ignore);
  }

  async stop(): Promise<void> {
    this.#socket.removeAllListeners("message");
    await Promise.all([...this.#pending.values()].flatMap((pending) => [...pending]));
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}
