/**
 * Transfers a zone from a secondary (AXFR, RFC 5936). Of a signed transfer the first and the last message are signed, and at least every
 * hundredth (RFC 8945 §5.3.1). Memory holds one message, and up to 64 KiB of unsigned messages that the next signature covers.
 */
import { randomInt } from "node:crypto";
import { connect } from "node:net";
import { Malformed } from "../../dns/malformed.ts";
import { FrameReader, lengthPrefix } from "../../dns/message/framing.ts";
import { Class, Flag, MetaType, Rcode } from "../../dns/message/header.ts";
import { type Message, type ResourceRecord, readMessage } from "../../dns/message/message-reader.ts";
import { MessageWriter } from "../../dns/message/message-writer.ts";
import { readTsig, signMessage, TsigError, type TsigKey, verifyTsig } from "../../dns/message/tsig.ts";
import { zoneNameWire } from "../../dns/name.ts";
import { TypeCode } from "../../dns/type-codes.ts";
import { sameOctets } from "../../dns/wire.ts";
import type { SecondaryEndpoint } from "../../secondary/endpoint.ts";
import { nowSeconds, rcodeText, tsigMessage } from "./signed-query.ts";
import { unreachableText } from "./unreachable.ts";

/** The maximum silence of the secondary during the transfer, ms. */
const silenceMs = 10_000;
const answerMs = 60_000;
const maxUnsignedMessages = 99;

/** `keyError` says why the key is unusable. */
export interface TransferSource extends Pick<SecondaryEndpoint, "address" | "port" | "keyError"> {
  readonly key: SigningKey | undefined;
  readonly localAddress?: string | undefined;
}

type SigningKey = TsigKey & { readonly name: string };

/** `mayPass`: the secondary may allow the transfer later. */
export class TransferRefused extends Error {
  readonly mayPass: boolean;

  constructor(message: string, mayPass: boolean) {
    super(message);
    this.mayPass = mayPass;
  }
}

/** The permanent refusals; SERVFAIL, for one, may pass. */
const refusals: readonly number[] = [Rcode.REFUSED, Rcode.NOTAUTH, Rcode.NOTIMP];

/** The receiver of records, with limits: octets on the wire, and milliseconds from the beginning. */
interface TransferTaker {
  readonly octets: number;
  readonly ms: number;
  /** Returns false when no more records are needed. */
  onRecord(record: ResourceRecord): boolean;
}

/**
 * Transfers a zone, with its SOA first and last; after `onRecord` has returned false, only up to the next signed message. Calls `begin`
 * when the secondary agrees, and returns its taker. Throws TransferRefused, or an Error with the problem.
 */
export async function transferZone<Taker extends TransferTaker>(
  secondary: TransferSource,
  zone: string,
  begin: () => Promise<Taker>,
  signal: AbortSignal,
): Promise<Taker> {
  if (secondary.keyError !== undefined) throw new Error(secondary.keyError);
  const id = randomInt(65536);
  const { octets, check } = signedQuery(id, zone, secondary.key);
  const { address, port, localAddress } = secondary;
  const socket = connect({ host: address, port, ...(localAddress && { localAddress }) });
  const abort = () => socket.destroy(new Error("the publisher has stopped"));
  const endIn = (ms: number) =>
    setTimeout(() => socket.destroy(new Error(`its transfer did not end within ${ms / 1000} s`)), ms);
  let timer = endIn(answerMs);
  signal.addEventListener("abort", abort);
  socket.setTimeout(silenceMs, () => socket.destroy(new Error(`it sent nothing for ${silenceMs / 1000} s`)));
  const start = async () => {
    clearTimeout(timer);
    socket.setTimeout(0); // nothing is read meanwhile
    const taker = await begin();
    timer = endIn(taker.ms);
    socket.setTimeout(silenceMs);
    return taker;
  };
  try {
    socket.write(Buffer.concat([lengthPrefix(octets), octets]));
    const frames = new FrameReader();
    let first: ResourceRecord | undefined;
    let isEnough = false;
    let taker: Taker | undefined;
    for await (const chunk of socket) {
      if (taker && socket.bytesRead > taker.octets)
        throw new Error(`it sends more than ${taker.octets} octets, more than our zone can take`);
      for (const frame of frames.push(chunk as Buffer)) {
        const message = readMessage(frame);
        if (message.id !== id || (message.flags & Flag.QR) === 0)
          throw new Error("its answer does not match our question");
        if (message.rcode !== Rcode.NOERROR) throw refusalOf(message, secondary.key);
        taker ??= await start();
        let isLast = false;
        for (const record of message.answers) {
          if (isLast) throw new Error("records follow the SOA at the end of its transfer");
          if (!first && record.type !== TypeCode.SOA) throw new Error("its transfer does not begin with the SOA");
          if (!taker.onRecord(record)) isEnough = true;
          isLast = first !== undefined && record.type === TypeCode.SOA && sameOctets(record.rdata, first.rdata);
          first ??= record;
        }
        const isVerified = check(frame, message, isLast);
        if (isLast || (isEnough && isVerified)) return taker;
      }
    }
    throw new Error(taker ? "it ended the transfer early" : "it closed the connection without a DNS answer");
  } catch (error) {
    if (error instanceof Malformed) throw new Error(`its transfer is malformed: ${error.message}`, { cause: error });
    const unreachable = unreachableText(error);
    throw unreachable === undefined ? error : new Error(unreachable, { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    socket.destroy();
  }
}

function refusalOf(message: Message, key: SigningKey | undefined): TransferRefused {
  const tsigError = readTsig(message)?.error ?? TsigError.NONE;
  if (key && tsigError !== TsigError.NONE) return new TransferRefused(tsigMessage(tsigError, key.name), true);
  const rcode = rcodeText(message.rcode);
  return refusals.includes(message.rcode)
    ? new TransferRefused(`it refuses the transfer of the zone (${rcode})`, false)
    : new TransferRefused(`it does not transfer the zone now (${rcode})`, true);
}

/** The question, and a check of each message: whether all so far are verified. It throws for a missing or invalid signature. */
function signedQuery(id: number, zone: string, key: SigningKey | undefined) {
  const writer = new MessageWriter({ id, flags: 0 });
  writer.question({ name: zoneNameWire(zone), type: MetaType.AXFR, class: Class.IN });
  const octets = writer.finish();
  if (!key) return { octets, check: () => true };
  const signed = signMessage(octets, key, { keyName: zoneNameWire(key.name), time: nowSeconds() });
  let previousMac = signed.mac;
  let unsigned: Uint8Array[] = [];
  let isFirst = true;
  const check = (frame: Uint8Array, message: Message, isLast: boolean) => {
    const tsig = readTsig(message);
    if (!tsig && (isFirst || isLast || unsigned.length === maxUnsignedMessages))
      throw new Error("its transfer is not signed, although our question was");
    if (!tsig) {
      unsigned.push(frame);
      return false;
    }
    const error = verifyTsig(frame, message.tsigAt, tsig, key, nowSeconds(), {
      previousMac,
      later: !isFirst,
      unsigned,
    });
    if (error !== TsigError.NONE) throw new Error("the signature of its transfer is not valid");
    previousMac = tsig.mac;
    unsigned = [];
    isFirst = false;
    return true;
  };
  return { octets: signed.octets, check };
}
