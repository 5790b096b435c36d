/**
 * A name server of the test's own, over real UDP and TCP: it answers NOTIFY and SOA queries as the test says, and remembers what it was sent.
 */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { Readable } from "node:stream";
import { lengthPrefix } from "../../../src/dns/message/framing.ts";
import { Class, Flag, MetaType, Opcode, Rcode, Section } from "../../../src/dns/message/header.ts";
import { type Message, readMessage } from "../../../src/dns/message/message-reader.ts";
import { MessageWriter } from "../../../src/dns/message/message-writer.ts";
import { readTsig, signMessage, TsigError, type TsigKey, verifyTsig } from "../../../src/dns/message/tsig.ts";
import { nameText, zoneNameWire } from "../../../src/dns/name.ts";
import { parseRdata } from "../../../src/dns/rdata/rdata.ts";
import { recordType } from "../../../src/dns/rdata/record-type-registry.ts";
import { secondsNow } from "../basics/clock.ts";
import { freePort } from "../basics/free-port.ts";

export interface Received {
  readonly zone: string;
  readonly isSigned: boolean;
  /** The port that it came from, which is that of one publisher; undefined over TCP. */
  readonly port: number | undefined;
}

export class Responder {
  readonly notifies: Received[] = [];
  readonly queries: Received[] = [];
  /** The protocols and addresses that it was asked from, such as `UDP 127.0.0.1`. */
  readonly sources = new Set<string>();
  /** What it serves: the serial of each zone. */
  readonly serials = new Map<string, number>();
  /** Zones whose SOA it shows as signed. */
  readonly signed = new Set<string>();
  /** How it answers NOTIFY: an rcode, or not at all. */
  onNotify: (zone: string) => number | undefined = () => Rcode.NOERROR;
  /** How it answers queries for a zone it does not serve. */
  missing: number = Rcode.REFUSED;
  /**
   * Answers a request for a transfer with messages, which may have no end, and closes the connection; unless a test says otherwise, without any.
   * Undefined: it does not answer.
   */
  onTransfer: (zone: string, request: Uint8Array) => Iterable<Uint8Array> | undefined = () => [];
  /** How it truncates answers over UDP, with TC: to empty sections, or with all records there. */
  truncates: "empty" | "whole" | undefined;
  mute = false;
  /** Whether it closes the connection on which a query comes. */
  closesTcp = false;
  key: { readonly name: string; readonly key: TsigKey } | undefined;
  /** Where it listens; an address of the loopback network. */
  address = "127.0.0.1";
  port = 0;
  private socket: Socket | undefined;
  private server: Server | undefined;

  /** Listens on a port that is free on UDP and TCP, or on the one it had before. */
  async open(): Promise<this> {
    if (this.port === 0) this.port = await freePort();
    this.server = createServer((connection) => {
      connection.on("error", () => {});
      this.sources.add(`TCP ${connection.remoteAddress}`);
      connection.on("data", (data) => {
        const answers = this.mute ? undefined : this.answers(data.subarray(2));
        if (answers) Readable.from(framed(answers)).pipe(connection);
      });
    });
    this.server.listen(this.port, this.address);
    await once(this.server, "listening");
    const socket = createSocket("udp4");
    this.socket = socket;
    socket.on("message", (octets, from) => {
      this.sources.add(`UDP ${from.address}`);
      const answer = this.mute ? undefined : this.answer(octets, from.port);
      if (answer) socket.send(answer, from.port, from.address);
    });
    socket.bind(this.port, this.address);
    await once(socket, "listening");
    return this;
  }

  async close(): Promise<void> {
    const { socket } = this;
    this.socket = undefined;
    this.server?.close();
    if (!socket) return;
    socket.close();
    await once(socket, "close");
  }

  notified(zone: string): readonly Received[] {
    return this.notifies.filter((received) => received.zone === zone);
  }

  private answers(octets: Uint8Array): Iterable<Uint8Array> | undefined {
    const [question] = readMessage(octets).questions;
    if (question?.type === MetaType.AXFR) return this.onTransfer(nameText(question.name).slice(0, -1), octets);
    if (this.closesTcp) return [];
    const answer = this.answer(octets);
    return answer && [answer];
  }

  private answer(octets: Uint8Array, port?: number): Uint8Array | undefined {
    const message = readMessage(octets);
    const [question] = message.questions;
    if (!question) return undefined;
    const zone = nameText(question.name).slice(0, -1);
    const received = { zone, isSigned: message.tsig !== undefined, port };
    (message.opcode === Opcode.NOTIFY ? this.notifies : this.queries).push(received);
    const serial = this.serials.get(zone);
    const rcodeOfQuery = serial === undefined ? this.missing : Rcode.NOERROR;
    const rcode = message.opcode === Opcode.NOTIFY ? this.onNotify(zone) : rcodeOfQuery;
    if (rcode === undefined) return undefined;
    const truncates = message.opcode === Opcode.QUERY && port !== undefined ? this.truncates : undefined;
    const flags = Flag.QR | Flag.AA | (truncates ? Flag.TC : 0) | (message.opcode << 11) | rcode;
    const writer = new MessageWriter({ id: message.id, flags });
    writer.question(question);
    if (message.opcode === Opcode.QUERY && serial !== undefined && truncates !== "empty")
      this.addSoa(writer, zone, serial);
    return this.sign(message, octets, writer.finish());
  }

  private addSoa(writer: MessageWriter, zone: string, serial: number): void {
    const name = zoneNameWire(zone);
    const text = `ns.example.net. host.example.net. ${serial} 1 1 1 1`;
    const rdata = parseRdata(recordType("SOA"), text, { origin: name, context: "master" });
    writer.add(Section.ANSWER, { name, type: 6, class: Class.IN, ttl: 1, rdata });
    if (this.signed.has(zone))
      writer.add(Section.ANSWER, { name, type: 46, class: Class.IN, ttl: 1, rdata: new Uint8Array(40) });
  }

  private sign(request: Message, octets: Uint8Array, answer: Uint8Array): Uint8Array | undefined {
    const tsig = readTsig(request);
    if (!this.key || !tsig) return answer;
    const time = secondsNow();
    const { key, name } = this.key;
    if (verifyTsig(octets, request.tsigAt, tsig, key, time) !== TsigError.NONE) return undefined;
    return signMessage(answer, key, { keyName: zoneNameWire(name), time, previousMac: tsig.mac }).octets;
  }
}

/** The messages in pieces of a few kilobytes: segments of some octets fill the buffer of the receiver's system, which then drops them. */
function* framed(messages: Iterable<Uint8Array>): Generator<Uint8Array> {
  let [piece, size] = [[] as Uint8Array[], 0];
  for (const message of messages) {
    piece.push(lengthPrefix(message), message);
    size += message.length;
    if (size < 4096) continue;
    yield Buffer.concat(piece);
    [piece, size] = [[], 0];
  }
  yield Buffer.concat(piece);
}
