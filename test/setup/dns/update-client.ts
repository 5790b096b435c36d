/**
 * A small client of dynamic updates: lines as nsupdate takes them become a message, signed and sent over UDP or TCP, and the answer is
 * checked as a client checks it: its id, its opcode, its signature.
 */
import { Class, MetaType, Opcode, Rcode, Section } from "../../../src/dns/message/header.ts";
import { type ResourceRecord, readMessage } from "../../../src/dns/message/message-reader.ts";
import { MessageWriter } from "../../../src/dns/message/message-writer.ts";
import type { Tsig, TsigAlgorithm, TsigKey } from "../../../src/dns/message/tsig.ts";
import { readTsig, signMessage, TsigError, verifyTsig } from "../../../src/dns/message/tsig.ts";
import { type Name, parseName, zoneNameWire } from "../../../src/dns/name.ts";
import { parseRdata } from "../../../src/dns/rdata/rdata.ts";
import { recordType } from "../../../src/dns/rdata/record-type-registry.ts";
import { secondsNow } from "../basics/clock.ts";
import { overUdp, TcpClient } from "./dns-client.ts";

export interface ClientKey extends TsigKey {
  readonly name: string;
}

/** What createTsigKey answered, as a client holds it. */
export function clientKey(name: string, secret: string, algorithm: TsigAlgorithm = "hmac-sha256"): ClientKey {
  return { name, algorithm, secret: Buffer.from(secret, "base64") };
}

interface Sending {
  readonly key?: ClientKey | undefined;
  readonly protocol?: "udp" | "tcp";
  /** The client's clock, seconds. */
  readonly time?: number;
}

/** A record of an update by its line; names are relative to the zone unless they end in a dot. */
function recordOf(line: string, zone: Name): { section: Section; record: ResourceRecord } {
  const [verb = "", ...words] = line.split(" ");
  const isPrerequisite = /^(yx|nx)/.test(verb);
  const name = parseName(words.shift() ?? "", zone);
  const ttl = verb === "add" ? Number(words.shift()) : 0;
  const [type, ...rdata] = words;
  const code = type === undefined ? MetaType.ANY : recordType(type).code;
  const wire =
    rdata.length === 0
      ? new Uint8Array()
      : parseRdata(recordType(type as string), rdata.join(" "), { origin: zone, context: "field" });
  const hasData = wire.length > 0;
  const isIn = verb === "add" || (verb.startsWith("yx") && hasData);
  const of = isIn ? Class.IN : verb.startsWith("nx") || (verb === "del" && hasData) ? Class.NONE : Class.ANY;
  const section = isPrerequisite ? Section.ANSWER : Section.AUTHORITY;
  return { section, record: { name, type: code, class: of, ttl, rdata: wire } };
}

/** The id of the last update: no two are copies of each other. */
let lastId = 0;

/** An update of a zone, unsigned; `extra` records are taken as they are. */
export function updateMessage(
  zone: string,
  lines: readonly string[],
  extra: readonly { section: Section; record: ResourceRecord }[] = [],
): Uint8Array {
  const apex = zoneNameWire(zone);
  lastId = (lastId + 1) % 65536;
  const writer = new MessageWriter({ id: lastId, flags: Opcode.UPDATE << 11 });
  writer.question({ name: apex, type: 6, class: Class.IN });
  const records = [...lines.map((line) => recordOf(line, apex)), ...extra];
  for (const section of [Section.ANSWER, Section.AUTHORITY])
    for (const each of records)
      if (each.section === section && !writer.add(section, each.record)) throw new Error("full");
  return Uint8Array.from(writer.finish());
}

/** An answer: its rcode in words, and whether and how it was signed. */
interface UpdateAnswer {
  readonly rcode: string;
  readonly tsigError: number | undefined;
  readonly tsig: Tsig | undefined;
}

export class UpdateClient {
  private readonly port: () => number;

  constructor(port: () => number) {
    this.port = port;
  }

  /** Updates a zone; returns the rcode, once the answer's signature is found good. */
  async update(zone: string, lines: readonly string[], sending: Sending = {}): Promise<UpdateAnswer> {
    return this.send(updateMessage(zone, lines), sending);
  }

  async send(unsigned: Uint8Array, sending: Sending = {}): Promise<UpdateAnswer> {
    const { key, time = secondsNow() } = sending;
    const signed = key && signMessage(unsigned, key, { keyName: parseName(`${key.name}.`), time });
    const octets = await this.exchange(signed?.octets ?? unsigned, sending.protocol);
    return readAnswer(octets, unsigned, key, signed?.mac);
  }

  async exchange(octets: Uint8Array, protocol: "udp" | "tcp" = "udp"): Promise<Uint8Array> {
    if (protocol === "udp") {
      const answer = await overUdp(this.port(), octets, 15_000);
      if (!answer) throw new Error("no answer came");
      return answer;
    }
    const client = await TcpClient.open(this.port());
    try {
      client.send(octets);
      for await (const answer of client.messages()) return answer;
      throw new Error("the connection closed without an answer");
    } finally {
      client.socket.destroy();
    }
  }
}

function readAnswer(
  octets: Uint8Array,
  request: Uint8Array,
  key: ClientKey | undefined,
  mac: Uint8Array | undefined,
): UpdateAnswer {
  const answer = readMessage(octets);
  const id = Buffer.from(request).readUInt16BE(0);
  if (answer.id !== id || answer.opcode !== Opcode.UPDATE || !(answer.flags & 0x8000))
    throw new Error("this does not answer the update");
  const tsig = readTsig(answer);
  if (key && tsig?.error === TsigError.NONE) {
    const verdict = verifyTsig(octets, answer.tsigAt, tsig, key, secondsNow(), { previousMac: mac });
    if (verdict !== TsigError.NONE) throw new Error(`the answer's signature is wrong: ${verdict}`);
  }
  const rcode = Object.entries(Rcode).find(([, value]) => value === answer.rcode)?.[0] ?? String(answer.rcode);
  return { rcode, tsigError: tsig?.error, tsig };
}
