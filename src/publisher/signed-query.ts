/**
 * One question to a secondary and its answer, signed with its TSIG key when it has one (RFC 8945 §5). An answer must repeat the
 * question, and be signed when the question was; only errors, which a server may be unable to sign, and the empty acknowledgement of
 * a NOTIFY are taken unsigned.
 */

import { Malformed } from "../dns/malformed.ts";
import { Class, Flag, Opcode, Rcode } from "../dns/message/header.ts";
import { type Message, type Question, readMessage } from "../dns/message/message-reader.ts";
import { MessageWriter } from "../dns/message/message-writer.ts";
import { readTsig, signMessage, TsigError, verifyTsig } from "../dns/message/tsig.ts";
import { lowerName, zoneNameWire } from "../dns/name.ts";
import { TypeCode } from "../dns/type-codes.ts";
import { sameOctets } from "../dns/wire.ts";
import type { Correspondent } from "../secondary/sighting.ts";
import { exchangeOverTcp } from "./tcp-client.ts";
import type { UdpSockets } from "./udp-client.ts";

/** What came of a question: an answer, a TSIG that was refused, or nothing. Words are for the operator. */
export type Told =
  | { readonly kind: "answer"; readonly message: Message }
  | { readonly kind: "tsig"; readonly words: string }
  | { readonly kind: "silence"; readonly words: string };

/** A question about a zone's SOA: NOTIFY, or a query that asks for signatures too. */
export interface Asked {
  readonly opcode: typeof Opcode.NOTIFY | typeof Opcode.QUERY;
  readonly zone: string;
  readonly timeoutMs: number;
  readonly overTcp?: boolean;
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Asks a secondary once. */
export async function ask(sockets: UdpSockets, secondary: Correspondent, asked: Asked): Promise<Told> {
  if (secondary.keyError !== undefined) return { kind: "tsig", words: secondary.keyError };
  const question: Question = { name: zoneNameWire(asked.zone), type: TypeCode.SOA, class: Class.IN };
  const { key } = secondary;
  let mac: Uint8Array | undefined;
  let doubt: string | undefined;
  const packet = (id: number) => {
    const unsigned = write(id, asked, question);
    if (!key) return unsigned;
    const signed = signMessage(unsigned, key, { keyName: zoneNameWire(key.name), time: nowSeconds() });
    mac = signed.mac;
    return signed.octets;
  };
  const judge = (octets: Uint8Array): Told | undefined => {
    const judged = judgeAnswer(octets, asked, question, secondary, mac);
    if (typeof judged !== "string") return judged;
    doubt = judged;
    return undefined;
  };
  const exchange = { packet, judge, timeoutMs: asked.timeoutMs };
  const outcome = await (asked.overTcp ? exchangeOverTcp(secondary, exchange) : sockets.exchange(secondary, exchange));
  if ("answer" in outcome) return outcome.answer;
  return doubt === undefined ? { kind: "silence", words: outcome.silence } : { kind: "tsig", words: doubt };
}

function write(id: number, { opcode }: Asked, question: Question): Uint8Array {
  // RFC 1996 §4.5: a NOTIFY has AA set.
  const writer = new MessageWriter({ id, flags: (opcode << 11) | (opcode === Opcode.NOTIFY ? Flag.AA : 0) });
  writer.question(question);
  if (opcode === Opcode.QUERY) writer.edns(1232, 0, true);
  return writer.finish();
}

/** An answer that counts, the words of a doubt about its signature, or undefined for what is no answer to this question. */
function judgeAnswer(
  octets: Uint8Array,
  { opcode }: Asked,
  question: Question,
  { key }: Correspondent,
  mac: Uint8Array | undefined,
): Told | string | undefined {
  try {
    const message = readMessage(octets);
    if ((message.flags & Flag.QR) === 0 || message.opcode !== opcode || !repeats(message, question)) return undefined;
    if (!key) return { kind: "answer", message };
    const tsig = readTsig(message);
    if (!tsig) {
      if (message.rcode === Rcode.NOTAUTH && opcode === Opcode.QUERY)
        return { kind: "tsig", words: notAccepted(key.name) };
      if (message.rcode !== Rcode.NOERROR || opcode === Opcode.NOTIFY) return { kind: "answer", message };
      return "its answer is not signed, although the question was";
    }
    if (tsig.error !== TsigError.NONE) return { kind: "tsig", words: tsigWords(tsig.error, key.name) };
    const error = verifyTsig(octets, message.tsigAt, tsig, key, nowSeconds(), { previousMac: mac });
    if (error === TsigError.NONE) return { kind: "answer", message };
    return `its answer is not signed as it should be: ${tsigWords(error, key.name)}`;
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/** Servers may leave the question out of an error. */
function repeats(message: Message, question: Question): boolean {
  const [asked, ...others] = message.questions;
  if (!asked) return message.rcode !== Rcode.NOERROR;
  return others.length === 0 && asked.type === question.type && sameOctets(lowerName(asked.name), question.name);
}

/**
 * PowerDNS refuses a signature so, without the TSIG that would say why (RFC 8945 §5.2). A NOTIFY may be answered so by a server that
 * lacks the zone.
 */
const notAccepted = (key: string) =>
  `it answers NOTAUTH unsigned: it does not know the key ${key}, or its secret for it is another one`;

function tsigWords(error: number, key: string): string {
  if (error === TsigError.BADKEY)
    return `BADKEY: it does not know the key ${key} with this algorithm; put the key into its configuration`;
  if (error === TsigError.BADSIG) return `BADSIG: its secret for the key ${key} is another one`;
  if (error === TsigError.BADTIME) return "BADTIME: its clock and ours differ by more than five minutes";
  if (error === TsigError.BADTRUNC) return `BADTRUNC: the signature with the key ${key} is too short`;
  return `TSIG error ${error} with the key ${key}`;
}

const rcodeNames = new Map<number, string>(Object.entries(Rcode).map(([name, code]) => [code, name]));

/** An rcode in words, such as REFUSED. */
export function rcodeText(rcode: number): string {
  return rcodeNames.get(rcode) ?? `rcode ${rcode}`;
}
