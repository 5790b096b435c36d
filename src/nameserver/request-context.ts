/**
 * One request and what its answers have in common: header, question, size, EDNS (RFC 6891) and signature (RFC 8945).
 * Limitations: of EDNS options only padding is understood, over TLS (RFC 7830); the later messages of a transfer have none. A request without a question is answered without one.
 */
import { Flag, type Header, maxMessageLength, opcodeOf, Rcode, Section } from "../dns/message/header.ts";
import type { Message } from "../dns/message/message-reader.ts";
import { MessageWriter, optLength, paddingHeadLength, paddingOption } from "../dns/message/message-writer.ts";
import {
  isWeakAlgorithm,
  otherTimeLength,
  readTsig,
  refuseTsig,
  signMessage,
  type Tsig,
  TsigError,
  timeData,
  tsigLength,
  verifyTsig,
} from "../dns/message/tsig.ts";
import { zoneNameText } from "../dns/name.ts";
import type { Answer } from "./answer.ts";
import type { Client, NameserverHooks, SigningKey } from "./hooks.ts";

/** The maximum size of an answer over UDP, octets; the network would fragment larger ones. */
export const maxUdpAnswer = 1232;
const minUdpAnswer = 512;

/** The length of a padded answer is a multiple of this number of octets (RFC 8467 §4.1). */
const paddedBlock = 468;

/** A request's signature and the result of checking it. */
interface TsigCheck {
  readonly tsig: Tsig;
  readonly key: SigningKey | undefined;
  readonly error: TsigError;
}

/** Checks a request's signature; undefined when it has none. Throws Malformed where RFC 8945 says FORMERR. */
async function checkTsig(
  octets: Uint8Array,
  message: Message,
  { tsigKey }: NameserverHooks,
  now: number,
  allowWeak: boolean,
): Promise<TsigCheck | undefined> {
  const tsig = readTsig(message);
  if (!tsig) return undefined;
  const named = await tsigKey(zoneNameText(tsig.keyName));
  const key = named && (allowWeak || !isWeakAlgorithm(named.algorithm)) ? named : undefined;
  return { tsig, key, error: verifyTsig(octets, message.tsigAt, tsig, key, now) };
}

export class RequestContext {
  readonly message: Message;
  readonly client: Client;
  readonly #tsigCheck: TsigCheck | undefined;
  readonly #now: () => number;
  /** The last MAC of the chain, which the next one covers (RFC 8945 §5.3.1). */
  #previousMac: Uint8Array | undefined;
  #sealed = 0;

  private constructor(message: Message, client: Client, tsigCheck: TsigCheck | undefined, now: () => number) {
    this.message = message;
    this.client = client;
    this.#tsigCheck = tsigCheck;
    this.#now = now;
    this.#previousMac = tsigCheck?.tsig.mac;
  }

  /**
   * Checks the signature of a request; `now` is the clock in seconds, `allowWeak` whether sha1 and md5 are accepted.
   */
  static async open(
    octets: Uint8Array,
    message: Message,
    client: Client,
    hooks: NameserverHooks,
    now: () => number,
    allowWeak: boolean,
  ): Promise<RequestContext> {
    return new RequestContext(message, client, await checkTsig(octets, message, hooks, now(), allowWeak), now);
  }

  /** The name of the key in the signature; undefined without a signature. */
  get key(): string | undefined {
    return this.#tsigCheck && zoneNameText(this.#tsigCheck.tsig.keyName);
  }

  /** The key of the accepted signature; undefined without one. */
  get signer(): SigningKey | undefined {
    return this.#tsigCheck?.error === TsigError.NONE ? this.#tsigCheck.key : undefined;
  }

  /**
   * Identifies a signed message by its key and MAC. Copies of a message share it, also with another id or another case of names. The
   * signature must have been accepted.
   */
  get mark(): string {
    return `${this.key} ${Buffer.from(this.#tsigCheck?.tsig.mac ?? []).toString("latin1")}`;
  }

  /** The holder of the signer's key, who shares places and turns: its user, or the key itself; undefined without a signer. */
  get holder(): string | undefined {
    const { signer } = this;
    return signer && (signer.userId === null ? `key ${signer.name}` : `user ${signer.userId}`);
  }

  /** Why the signature was not accepted; undefined for an accepted signature and for an unsigned request. */
  get tsigFailure(): string | undefined {
    if (!this.#tsigCheck || this.#tsigCheck.error === TsigError.NONE) return undefined;
    const { tsig, error, key } = this.#tsigCheck;
    const algorithm = zoneNameText(tsig.algorithm);
    if (error === TsigError.BADSIG) return "the signature does not match: the secrets differ";
    if (error === TsigError.BADTRUNC) return `the signature is cut to ${tsig.mac.length} octets`;
    if (error === TsigError.BADTIME) return `signed at ${clock(tsig.time)}, here it is ${clock(this.#now())}`;
    return key ? `the key is not one of ${algorithm}` : `no key of this name works with ${algorithm}`;
  }

  /** The maximum size of the answer, octets. */
  get #maxLength(): number {
    const { edns } = this.message;
    const size =
      this.client.protocol === "tcp"
        ? maxMessageLength
        : edns
          ? Math.min(Math.max(edns.udpSize, minUdpAnswer), maxUdpAnswer)
          : minUdpAnswer;
    return size - (edns ? optLength : 0) - this.#signatureLength;
  }

  /** The maximum size of our signature, octets. */
  get #signatureLength(): number {
    const check = this.#tsigCheck;
    return check?.key ? tsigLength(check.tsig.keyName, check.key) : 0;
  }

  /**
   * Returns the number of octets of padding for an answer of this length; undefined where the client does not ask for padding, or there is
   * no room.
   */
  #paddingOf(length: number): number | undefined {
    const { client, message } = this;
    if (!client.tls || !message.edns?.options.some(({ code }) => code === paddingOption)) return undefined;
    const signature = this.#signatureLength - (this.signer ? otherTimeLength : 0);
    const unpadded = length + optLength + paddingHeadLength + signature;
    const padded = Math.min(Math.ceil(unpadded / paddedBlock) * paddedBlock, maxMessageLength);
    return padded < unpadded ? undefined : padded - unpadded;
  }

  /** Begins a message of the answer; later ones of a transfer repeat no question (RFC 5936 §2.2.1). */
  begin(flags = 0): MessageWriter {
    const writer = new MessageWriter(
      { id: this.message.id, flags: answerFlags(this.message.flags) | flags },
      this.#maxLength,
    );
    const [question] = this.message.questions;
    if (question && this.#sealed === 0) writer.question(question);
    return writer;
  }

  /** Finishes a message of the answer: EDNS in the first one, and the signature. */
  seal(writer: MessageWriter, rcode: number = Rcode.NOERROR): Uint8Array {
    const { edns } = this.message;
    if (edns && this.#sealed === 0) writer.edns(maxUdpAnswer, rcode, edns.dnssecOk, this.#paddingOf(writer.length));
    else writer.flags |= rcode & 15;
    const octets = this.#sign(writer.finish());
    this.#sealed += 1;
    return octets;
  }

  #sign(octets: Uint8Array): Uint8Array {
    if (!this.#tsigCheck) return octets;
    const { tsig, key, error } = this.#tsigCheck;
    const { keyName } = tsig;
    if (!key || error === TsigError.BADSIG || error === TsigError.BADKEY)
      return refuseTsig(octets, tsig.algorithm, { keyName, time: this.#now(), error });
    // RFC 8945 §5.2.3: the answer to a wrong time carries the request's time, and ours as other data.
    const late = error === TsigError.BADTIME;
    const signed = signMessage(octets, key, {
      keyName,
      error,
      time: late ? tsig.time : this.#now(),
      ...(late && { other: timeData(this.#now()), fudge: tsig.fudge }),
      previousMac: this.#previousMac,
      later: this.#sealed > 0,
    });
    this.#previousMac = signed.mac;
    return signed.octets;
  }

  /** Returns an answer with only an rcode. */
  refuse(rcode: number): Uint8Array {
    return this.seal(this.begin(), rcode);
  }

  /**
   * Returns an answer in one message. When it does not fit, the message has only the flag of truncation (RFC 2181 §9, RFC 9471 for glue).
   */
  answer({ rcode, authoritative, answers, authority, additional, glue }: Answer): Uint8Array {
    const writer = this.begin(authoritative ? Flag.AA : 0);
    const start = writer.mark();
    let fits = writer.addAll(Section.ANSWER, answers) && writer.addAll(Section.AUTHORITY, authority);
    const needed = writer.mark();
    if (fits && !writer.addAll(Section.ADDITIONAL, additional)) {
      writer.rewind(needed);
      fits = !glue;
    }
    if (!fits) {
      writer.rewind(start);
      writer.flags |= Flag.TC;
    }
    return this.seal(writer, rcode);
  }
}

/** The flags of an answer: opcode and RD repeat the request's; RA and AD are never set. */
function answerFlags(flags: number): number {
  return Flag.QR | (opcodeOf(flags) << 11) | (flags & Flag.RD);
}

/** The answer to octets with a header that are not a message. */
export function formatError({ id, flags }: Header): Uint8Array {
  return new MessageWriter({ id, flags: answerFlags(flags) | Rcode.FORMERR }).finish();
}

/** The answer to a request after an internal error. */
export function serverFailure({ id, flags }: Header): Uint8Array {
  return new MessageWriter({ id, flags: answerFlags(flags) | Rcode.SERVFAIL }).finish();
}

const clock = (seconds: number) =>
  seconds < 8.64e12 ? new Date(seconds * 1000).toISOString().replace(".000", "") : `second ${seconds}`;
