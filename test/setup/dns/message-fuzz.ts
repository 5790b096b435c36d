/*
 * Mutated messages, thrown at the readers of messages and TSIG: they are taken or Malformed, and what is taken is stable.
 * Runs alone too: `node test/setup/dns/message-fuzz.ts [times] [seed]`, a million times by default.
 */

import { Malformed } from "../../../src/dns/malformed.ts";
import { Class, Flag, headerLength, MetaType, Opcode, Section } from "../../../src/dns/message/header.ts";
import { type Message, type ResourceRecord, readMessage } from "../../../src/dns/message/message-reader.ts";
import { MessageWriter } from "../../../src/dns/message/message-writer.ts";
import { readTsig, signMessage, type TsigKey, verifyTsig } from "../../../src/dns/message/tsig.ts";
import { nameText, parseName } from "../../../src/dns/name.ts";
import { checkRdata, parseRdata } from "../../../src/dns/rdata/rdata.ts";
import { recordTypeByCode, recordTypes } from "../../../src/dns/rdata/record-type-registry.ts";
import { randomFrom } from "./rdata-fuzz.ts";

const origin = parseName("example.com.");
/** The key that the signed seeds are signed with, as fuzz.example. */
export const key: TsigKey = { algorithm: "hmac-sha256", secret: Buffer.from("a secret of the fuzzer's own......") };
const keyName = parseName("fuzz.example.");
const now = 1_800_000_000;

function queryOf(name: string, type: number, flags: number, authority: readonly ResourceRecord[] = []): Uint8Array {
  const writer = new MessageWriter({ id: 4711, flags });
  writer.question({ name: parseName(name, origin), type, class: Class.IN });
  writer.addAll(Section.AUTHORITY, authority);
  writer.edns(1232, 0, type % 2 === 0);
  return Uint8Array.from(writer.finish());
}

function soa(serial: number): ResourceRecord {
  const type = recordTypeByCode(6);
  const rdata = parseRdata(type, `ns1 hostmaster ${serial} 1 2 3 4`, { origin, context: "master" });
  return { name: origin, type: 6, class: Class.IN, ttl: 0, rdata };
}

function everyType(): Uint8Array {
  const writer = new MessageWriter({ id: 1, flags: Flag.QR });
  for (const type of recordTypes) {
    const rdata = parseRdata(type, type.example, { origin, context: "master" });
    writer.add(Section.ANSWER, { name: origin, type: type.code, class: Class.IN, ttl: 1, rdata });
  }
  return Uint8Array.from(writer.finish());
}

/** Messages that mutation starts from: queries, transfers, an update, a notification, answers, signed and not. */
export const seeds: readonly Uint8Array[] = [
  queryOf("www", 1, Flag.RD),
  queryOf("@", 6, 0),
  queryOf("a.b.c", MetaType.ANY, 0),
  queryOf("@", MetaType.IXFR, 0, [soa(2026112101)]),
  queryOf("@", MetaType.AXFR, 0),
  queryOf("@", 6, Opcode.UPDATE << 11, [{ ...soa(1), class: Class.ANY, ttl: 0, rdata: new Uint8Array() }]),
  queryOf("@", 6, Opcode.NOTIFY << 11),
  everyType(),
  signMessage(queryOf("www", 1, 0), key, { keyName, time: now }).octets,
  signMessage(queryOf("@", MetaType.AXFR, 0), key, { keyName, time: now }).octets,
];

/** One of the seeds with some of its octets, counts or pointers changed. */
export function mutated(random: (below: number) => number): Uint8Array {
  let octets = [...(seeds[random(seeds.length)] as Uint8Array)];
  for (let i = random(5); i >= 0; i -= 1) {
    const at = random(3) === 0 ? random(headerLength) : random(octets.length + 1);
    const kind = random(6);
    if (kind === 0) octets = octets.slice(0, at);
    else if (kind === 1) octets[at] = random(256);
    else if (kind === 2) octets.splice(at, 2, 0xc0 | random(4), random(256));
    else if (kind === 3) octets.splice(at, random(4), ...Array.from({ length: random(8) }, () => random(256)));
    else if (kind === 4) octets.splice(at, 0, ...octets.slice(random(octets.length), random(octets.length)));
    else octets[at] = [0, 1, 0x3f, 0x40, 0x7f, 0x80, 0xbf, 0xc0, 0xff][random(9)] as number;
  }
  return Uint8Array.from(octets.slice(0, 65535));
}

function rewritten(message: Message): Uint8Array {
  const writer = new MessageWriter(message, 1_000_000);
  for (const question of message.questions) writer.question(question);
  writer.addAll(Section.ANSWER, message.answers);
  writer.addAll(Section.AUTHORITY, message.authority);
  writer.addAll(Section.ADDITIONAL, message.additional);
  return writer.finish();
}

const shape = ({ questions, answers, authority, additional }: Message) =>
  JSON.stringify([questions, answers, authority, additional], (_key, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
  );

function take(octets: Uint8Array): void {
  const message = readMessage(octets);
  if (shape(readMessage(rewritten(message))) !== shape(message)) throw new Error("it reads back differently");
  for (const { name } of message.questions) nameText(name);
  for (const { type, rdata } of message.answers) {
    if (rdata.length > 0 && type !== 0) checkRdataCalmly(type, rdata);
  }
  const tsig = readTsig(message);
  if (tsig && verifyTsig(octets, message.tsigAt, tsig, key, now) === 0 && !seeds.some((seed) => same(seed, octets)))
    expectSameMeaning(octets, message);
}

/** Only what a MAC does not cover may differ in a message that verifies: its id, the letter case of the key's name. */
function expectSameMeaning(octets: Uint8Array, message: Message): void {
  const known = seeds.map((seed) => readMessage(seed)).filter(({ tsig }) => tsig);
  if (!known.some((seed) => shape(seed) === shape(message)))
    throw new Error(`a forged message verifies: ${Buffer.from(octets).toString("hex")}`);
}

const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

function checkRdataCalmly(type: number, rdata: Uint8Array): void {
  try {
    checkRdata(recordTypeByCode(type), rdata);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
  }
}

/** Throws on the first message that is neither taken and stable nor Malformed. */
export function fuzzMessages(times: number, seed: number): void {
  const random = randomFrom(seed);
  for (const octets of seeds) take(octets);
  for (let i = 0; i < times; i += 1) {
    const octets = mutated(random);
    try {
      take(octets);
    } catch (error) {
      if (!(error instanceof Malformed))
        throw new Error(`${error} for ${Buffer.from(octets).toString("hex")}`, { cause: error });
    }
  }
}

if (process.argv[1] === import.meta.filename) {
  const [times = "1000000", seed = String(Date.now() % 2 ** 32)] = process.argv.slice(2);
  const start = performance.now();
  fuzzMessages(Number(times), Number(seed));
  console.log(`${times} messages, seed ${seed}: ${Math.round((performance.now() - start) / 1000)} s`);
}
