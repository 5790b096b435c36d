/** A DNS client: messages over UDP, TCP and TLS sockets. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { Class } from "../../../src/dns/message/header.ts";
import { type Message, readMessage } from "../../../src/dns/message/message-reader.ts";
import { MessageWriter } from "../../../src/dns/message/message-writer.ts";
import { parseName } from "../../../src/dns/name.ts";
import { typeCode } from "../../../src/dns/type-codes.ts";
import { WireReader } from "../../../src/dns/wire.ts";

/** A query's octets; `type` is a mnemonic. */
export function queryOf(name: string, type: string, edit: (writer: MessageWriter) => void = () => {}): Uint8Array {
  const writer = new MessageWriter({ id: 4711, flags: 0 });
  writer.question({ name: parseName(name), type: typeCode(type) ?? metaTypes[type] ?? 0, class: Class.IN });
  edit(writer);
  return Uint8Array.from(writer.finish());
}

const metaTypes: Readonly<Record<string, number>> = { IXFR: 251, AXFR: 252, ANY: 255, OPT: 41, TSIG: 250, MAILB: 253 };

/** A signed message whose MAC is cut to so many octets. */
export function withMacOf(macLength: number, octets: Uint8Array): Uint8Array {
  const { tsig, tsigAt } = readMessage(octets);
  if (!tsig) throw new Error("it is not signed");
  const algorithm = new WireReader(tsig.rdata).name();
  const dataAt = tsigAt + tsig.name.length + 10;
  const sizeAt = dataAt + algorithm.length + 8;
  const message = Buffer.from(octets);
  const cut = message.readUInt16BE(sizeAt) - macLength;
  message.writeUInt16BE(tsig.rdata.length - cut, dataAt - 2);
  message.writeUInt16BE(macLength, sizeAt);
  const end = sizeAt + 2 + macLength;
  return Buffer.concat([message.subarray(0, end), message.subarray(end + cut)]);
}

/** Sends a packet, from an address of the loopback network, and waits for the answer; undefined when there is none within the time. */
export async function overUdp(
  port: number,
  octets: Uint8Array,
  within = 120_000,
  localAddress = "127.0.0.1",
): Promise<Uint8Array | undefined> {
  const socket = createSocket("udp4").bind(0, localAddress);
  try {
    const answer = new Promise<Uint8Array | undefined>((resolve) => {
      socket.once("message", resolve);
      setTimeout(() => resolve(undefined), within).unref();
    });
    socket.send(octets, port, "127.0.0.1");
    return await answer;
  } finally {
    socket.close();
  }
}

export async function ask(port: number, octets: Uint8Array): Promise<Message> {
  const answer = await overUdp(port, octets);
  if (!answer) throw new Error("no answer came");
  return readMessage(answer);
}

/** A TCP or TLS connection that speaks in whole messages. */
export class TcpClient {
  readonly socket: Socket;
  /** Kept when the other side has ended, or the connection broke. */
  readonly closed: Promise<unknown>;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => socket.on("end", resolve).on("close", resolve));
  }

  /** Connects to a port of 127.0.0.1, from an address of the loopback network. */
  static async open(port: number, localAddress = "127.0.0.1"): Promise<TcpClient> {
    const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true });
    await once(socket, "connect");
    return new TcpClient(socket);
  }

  /** Connects to a port of 127.0.0.1 by TLS, as DNS over TLS unless `options` say otherwise; throws when the handshake fails. */
  static async openTls(port: number, options: ConnectionOptions & { localAddress?: string }): Promise<TcpClient> {
    const ofDns = { port, host: "127.0.0.1", ALPNProtocols: ["dot"], allowHalfOpen: true };
    const socket = connectTls({ ...ofDns, ...options });
    await once(socket, "secureConnect");
    return new TcpClient(socket);
  }

  send(octets: Uint8Array): void {
    this.socket.write(Buffer.concat([Uint8Array.of(octets.length >> 8, octets.length & 255), octets]));
  }

  /** The messages as they come, until the other side ends. */
  async *messages(): AsyncGenerator<Uint8Array> {
    let pending = Buffer.alloc(0);
    for await (const chunk of this.socket.iterator({ destroyOnReturn: false })) {
      pending = Buffer.concat([pending, chunk as Buffer]);
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const end = 2 + pending.readUInt16BE(0);
        yield pending.subarray(2, end);
        pending = pending.subarray(end);
      }
    }
  }

  async take(count: number): Promise<Message[]> {
    const taken: Message[] = [];
    for await (const message of this.messages()) if (taken.push(readMessage(message)) === count) break;
    return taken;
  }
}
