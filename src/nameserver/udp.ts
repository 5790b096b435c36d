/**
 * DNS over UDP (RFC 1035 §4.2.1): one packet, one answer. A bounded number is processed at a time; packets beyond that
 * are dropped, and the client tries again.
 * Limitation: on a wildcard address of a machine with several, an answer leaves from the address that routing picks.
 */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { type Reply, respond, type ServerDeps } from "./dispatch.ts";

/** Packets that are processed at a time. */
const maxPending = 500;

export class UdpServer {
  readonly #deps: ServerDeps;
  readonly #socket: Socket;
  readonly #pending = new Set<Promise<void>>();

  constructor(deps: ServerDeps, address: string) {
    this.#deps = deps;
    this.#socket = createSocket({ type: isIPv6(address) ? "udp6" : "udp4", recvBufferSize: 1 << 20 });
    this.#socket.on("message", (octets, { address, port }) => this.#accept(octets, address, port));
  }

  /** Binds; rejects with node's error. */
  async listen(address: string, port: number): Promise<void> {
    const bound = once(this.#socket, "listening");
    this.#socket.bind(port, address);
    await bound;
    // An error of the network about a packet that was sent is no reason to stop.
    this.#socket.on("error", (error) => this.#deps.refusals.warn({ err: error }, "a UDP answer failed"));
  }

  #accept(octets: Uint8Array, address: string, port: number): void {
    if (this.#pending.size >= maxPending || port === 0) return;
    const task = this.#answer(octets, address, port).finally(() => this.#pending.delete(task));
    this.#pending.add(task);
  }

  async #answer(octets: Uint8Array, address: string, port: number): Promise<void> {
    const reply: Reply = await respond(this.#deps, octets, { protocol: "udp", address, port });
    if (reply instanceof Uint8Array) this.#socket.send(reply, port, address, () => {});
  }

  /** Stops receiving, and waits for pending answers. */
  async stop(): Promise<void> {
    this.#socket.removeAllListeners("message");
    await Promise.all(this.#pending);
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}
