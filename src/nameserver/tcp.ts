/**
 * DNS over TCP (RFC 7766): messages behind two octets of length, many on one connection, answered in their order. A
 * connection is read only while no answer is pending on it and written only as fast as the client reads, so that its
 * memory is bounded. When there are too many connections, the one that has been idle longest is closed.
 */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { FrameReader, lengthPrefix } from "../dns/message/framing.ts";
import { headerLength } from "../dns/message/header.ts";
import { respond, type ServerDeps } from "./dispatch.ts";

/** The most connections, and how long one may be idle, or its client not read, in milliseconds. */
export interface TcpLimits {
  readonly connections: number;
  readonly idleMs: number;
  readonly slowReaderMs: number;
}

/** How long connections with a pending answer may finish when the service stops, milliseconds. */
const stopGraceMs = 2000;

export class TcpServer {
  readonly #deps: ServerDeps;
  readonly #limits: TcpLimits;
  readonly #server: Server;
  /** In the order of their last message; true while an answer is pending. */
  readonly #connections = new Map<Socket, boolean>();
  #stopping = false;

  constructor(deps: ServerDeps, limits: TcpLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void this.#accept(socket));
  }

  /** Binds; rejects with node's error. Returns the port. */
  async listen(address: string, port: number): Promise<number> {
    const bound = once(this.#server, "listening");
    this.#server.listen(port, address);
    await bound;
    this.#server.on("error", (error) => this.#deps.refusals.warn({ err: error }, "a TCP connection failed"));
    return (this.#server.address() as { port: number }).port;
  }

  async #accept(socket: Socket): Promise<void> {
    socket.on("error", () => socket.destroy());
    if (this.#connections.size >= this.#limits.connections && !this.#dropIdleConnection()) {
      this.#deps.refusals.warn({ address: socket.remoteAddress }, "too many TCP connections");
      socket.destroy();
      return;
    }
    this.#connections.set(socket, false);
    try {
      await this.#serve(socket);
    } catch (error) {
      if (!(error instanceof ClientGone))
        this.#deps.refusals.warn({ address: socket.remoteAddress, err: error }, "a TCP connection was cut off");
      socket.destroy();
    } finally {
      this.#connections.delete(socket);
    }
  }

  /** Closes the connection that has been idle longest; false when none is idle. */
  #dropIdleConnection(): boolean {
    for (const [socket, busy] of this.#connections) {
      if (busy) continue;
      this.#connections.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  async #serve(socket: Socket): Promise<void> {
    const client = { protocol: "tcp", address: socket.remoteAddress ?? "", port: socket.remotePort ?? 0 } as const;
    const frames = new FrameReader();
    const startIdleTimer = () => setTimeout(() => socket.destroy(), this.#limits.idleMs);
    let timer = startIdleTimer();
    try {
      for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
        for (const message of frames.push(chunk as Buffer)) {
          if (message.length < headerLength) throw new ClientGone();
          clearTimeout(timer);
          this.#mark(socket, true);
          await this.#answer(socket, message, client);
          if (this.#stopping) throw new ClientGone();
          this.#mark(socket, false);
          timer = startIdleTimer();
        }
      }
      socket.setTimeout(this.#limits.slowReaderMs, () => socket.destroy());
      socket.end();
    } catch (error) {
      // A client that goes away ends the loop with an error of the socket.
      throw socket.destroyed ? new ClientGone() : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Moves a connection to the end of the order. */
  #mark(socket: Socket, busy: boolean): void {
    if (!this.#connections.delete(socket)) throw new ClientGone();
    this.#connections.set(socket, busy);
  }

  async #answer(
    socket: Socket,
    message: Uint8Array,
    client: { protocol: "tcp"; address: string; port: number },
  ): Promise<void> {
    const reply = await respond(this.#deps, message, client);
    if (reply === undefined) return;
    if (reply instanceof Uint8Array) return this.#write(socket, reply);
    for await (const each of reply) await this.#write(socket, each);
  }

  /** Writes one message and waits until the client has read enough of it. */
  async #write(socket: Socket, message: Uint8Array): Promise<void> {
    if (socket.destroyed) throw new ClientGone();
    socket.cork();
    socket.write(lengthPrefix(message));
    const flowing = socket.write(message);
    socket.uncork();
    if (!flowing) await drained(socket, this.#limits.slowReaderMs);
  }

  /** Stops listening; pending answers may finish for two seconds. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const [socket, busy] of this.#connections) if (!busy) socket.destroy();
    const cut = setTimeout(() => {
      for (const socket of this.#connections.keys()) socket.destroy();
    }, stopGraceMs);
    await closed;
    clearTimeout(cut);
  }
}

/** The client has gone, or its connection has to be closed; nothing to report. */
class ClientGone extends Error {}

/** Waits until a socket can be written to again; throws when it closes or its client reads too slowly. */
function drained(socket: Socket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      clearTimeout(timer);
      socket.off("drain", onDrain);
      socket.off("close", onClose);
      end();
    };
    const onDrain = () => settle(resolve);
    const onClose = () => settle(() => reject(new ClientGone()));
    const timer = setTimeout(() => settle(() => reject(new Error("the client reads too slowly"))), timeoutMs);
    socket.on("drain", onDrain);
    socket.on("close", onClose);
  });
}
