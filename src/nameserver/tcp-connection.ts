/**
 * One connection over TCP (RFC 7766) or TLS (RFC 7858). Messages are answered in their order, one at a time. None is read while an answer
 * is being made or the last ones are unread, which limits the memory. Limitation: answers in buffers of the system are not counted; on
 * Linux net.ipv4.tcp_wmem limits them.
 */
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { FrameReader, lengthPrefix } from "../dns/message/framing.ts";
import { headerLength } from "../dns/message/header.ts";
import type { Activity } from "./connection-shares.ts";
import type { Reply } from "./dispatch.ts";
import type { Client } from "./hooks.ts";
import { dotProtocol } from "./tls.ts";

export interface ConnectionHost {
  readonly isStopping: boolean;
  /** How long the connection may be idle from now on, or its answers unread, ms. */
  idleMs(connection: TcpConnection): number;
  slowReaderMs(connection: TcpConnection): number;
  mark(connection: TcpConnection, activity: Activity): void;
  sign(connection: TcpConnection, holder: string): void;
  respond(connection: TcpConnection, message: Uint8Array): Promise<Reply>;
}

export class TcpConnection {
  readonly client: Client;
  readonly #socket: Socket;
  /** After the TLS handshake. */
  readonly #secured: Promise<TLSSocket> | undefined;
  #stream: Socket;
  readonly #host: ConnectionHost;
  #idleTimer: NodeJS.Timeout | undefined;
  #isIdle = true;

  constructor(socket: Socket, host: ConnectionHost, secured?: Promise<TLSSocket>) {
    this.#socket = socket;
    this.#stream = socket;
    this.#host = host;
    this.#secured = secured;
    this.client = {
      protocol: "tcp",
      tls: secured && { isDot: () => (this.#stream as TLSSocket).alpnProtocol === dotProtocol },
      address: socket.remoteAddress ?? "",
      port: socket.remotePort ?? 0,
      onSigned: (holder) => host.sign(this, holder),
    };
  }

  get isIdle(): boolean {
    return this.#isIdle;
  }

  /** Answers until the client ends its side. Throws why the connection has to be cut off. */
  async serve(): Promise<void> {
    const frames = new FrameReader();
    try {
      this.#mark("idle");
      if (this.#secured) this.#stream = await this.#secured;
      for await (const chunk of this.#stream.iterator({ destroyOnReturn: false })) {
        for (const message of frames.push(chunk as Buffer)) await this.#answer(message);
        // A connection with a next message in its buffer is not idle.
        if (this.#stream.readableLength === 0 && !this.#isIdle) this.#mark("idle");
      }
      this.#stream.setTimeout(this.#host.slowReaderMs(this), () => this.#stream.destroy());
      this.#stream.end();
    } catch (error) {
      // A client that disconnects ends the loop with an error of the socket.
      throw this.#stream.destroyed ? new ClientGone() : error;
    } finally {
      clearTimeout(this.#idleTimer);
    }
  }

  /** Discards unread answers, also those in buffers of the system. */
  cut(): void {
    if (this.#stream.writableEnded) this.#stream.destroy();
    else this.#socket.resetAndDestroy();
  }

  #mark(activity: Activity): void {
    clearTimeout(this.#idleTimer);
    this.#isIdle = activity === "idle";
    this.#host.mark(this, activity);
    if (!this.#isIdle) return;
    if (this.#host.isStopping) throw new ClientGone();
    this.#idleTimer = setTimeout(() => this.cut(), this.#host.idleMs(this));
  }

  async #answer(message: Uint8Array): Promise<void> {
    if (message.length < headerLength || this.#host.isStopping) throw new ClientGone();
    if (this.#isIdle) this.#mark("answering");
    const reply = await this.#host.respond(this, message);
    if (reply === undefined) return;
    if (reply instanceof Uint8Array) return this.#write(reply);
    for await (const each of reply) await this.#write(each);
  }

  async #write(message: Uint8Array): Promise<void> {
    if (this.#stream.destroyed) throw new ClientGone();
    this.#stream.cork();
    this.#stream.write(lengthPrefix(message));
    this.#stream.write(message);
    this.#stream.uncork();
    if (this.#stream.writableLength < this.#stream.writableHighWaterMark) return;
    this.#mark("unread");
    await drained(this.#stream, this.#host.slowReaderMs(this));
    this.#mark("answering");
  }
}

/** The client has left, or has to; there is nothing to report. */
export class ClientGone extends Error {}

/** Throws when the socket closes or its client reads too slowly. */
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
