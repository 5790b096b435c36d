/**
 * DNS over UDP (RFC 1035 §4.2.1): one packet, one answer. So many are worked on at once; packets beyond that are dropped, and the
 * client asks again.
 * Limitation: on a wildcard address of a machine with several, an answer leaves from the address that routing picks.
 */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import { type Reply, respond, type ServerDeps } from "./dispatch.ts";

/** Packets that are worked on at once. */
const maxPending = 500;

export class UdpServer {
  readonly #deps: ServerDeps;
  readonly #socket: Socket;
  readonly #underWay = new Set<Promise<void>>();

  constructor(deps: ServerDeps, address: string) {
    this.#deps = deps;
    this.#socket = createSocket({ type: isIPv6(address) ? "udp6" : "udp4", recvBufferSize: 1 << 20 });
    this.#socket.on("message", (octets, { address, port }) => this.#take(octets, address, port));
  }

  /** Binds; rejects with node's error. */
  async listen(address: string, port: number): Promise<void> {
    const bound = once(this.#socket, "listening");
    this.#socket.bind(port, address);
    await bound;
    // What the network says of a packet that was sent is no reason to stop.
    this.#socket.on("error", (error) => this.#deps.refusals.warn({ err: error }, "a UDP answer failed"));
  }

  #take(octets: Uint8Array, address: string, port: number): void {
    if (this.#underWay.size >= maxPending || port === 0) return;
    const work = this.#answer(octets, address, port).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
  }

  async #answer(octets: Uint8Array, address: string, port: number): Promise<void> {
    const reply: Reply = await respond(this.#deps, octets, { protocol: "udp", address, port });
    if (reply instanceof Uint8Array) this.#socket.send(reply, port, address, () => {});
  }

  /** Stops receiving, and waits for the answers under way. */
  async stop(): Promise<void> {
    this.#socket.removeAllListeners("message");
    await Promise.all(this.#underWay);
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}
