/**
 * One request and what its answers have in common. Limitations: of EDNS options only padding is understood, over TLS (RFC 7830); the later
 * messages of a transfer have none.
 */
import { Flag, type Header, maxMessageLength, opcodeOf, Rcode, Section } from "../dns/message/header.ts";
import type { Message } from "../dns/message/message-reader.ts";
import { MessageWriter, optLength, paddingHeadLength, paddingOption } from "../dns/message/message-writer.ts";
import type { SignedMark } from "../session/session.ts";
import type { Answer } from "./answer.ts";
import type { Client, NameserverHooks, SigningKey } from "./hooks.ts";
import { checkTsig, type RequestSignature } from "./request-signature.ts";

/** The network would fragment larger ones. */
const maxUdpAnswer = 1232;
const minUdpAnswer = 512;

/** The length of a padded answer is a multiple of this (RFC 8467 §4.1). */
const paddedBlock = 468;

export class RequestContext {
  readonly message: Message;
  readonly client: Client;
  readonly #signature: RequestSignature | undefined;
  #isBegun = false;

  private constructor(message: Message, client: Client, signature: RequestSignature | undefined) {
    this.message = message;
    this.client = client;
    this.#signature = signature;
  }

  /** `now` and `allowWeak`: see checkTsig. */
  static async open(
    octets: Uint8Array,
    message: Message,
    client: Client,
    hooks: NameserverHooks,
    now: () => number,
    allowWeak: boolean,
  ): Promise<RequestContext> {
    return new RequestContext(message, client, await checkTsig(octets, message, hooks, now, allowWeak));
  }

  get key(): string | undefined {
    return this.#signature?.keyName;
  }

  get signer(): SigningKey | undefined {
    return this.#signature?.signer;
  }

  /** Undefined for an accepted signature and for an unsigned request. */
  get tsigFailure(): string | undefined {
    return this.#signature?.failure;
  }

  /** Undefined without an accepted signature. */
  get signed(): SignedMark | undefined {
    return this.signer && this.#signature?.signed;
  }

  /** Who shares places and turns: the user of the signer's key, or the key itself. */
  get holder(): string | undefined {
    const { signer } = this;
    return signer && (signer.userId === null ? `key ${signer.name}` : `user ${signer.userId}`);
  }

  get #maxLength(): number {
    const { edns } = this.message;
    const overUdp = edns ? Math.min(Math.max(edns.udpSize, minUdpAnswer), maxUdpAnswer) : minUdpAnswer;
    const size = this.client.protocol === "tcp" ? maxMessageLength : overUdp;
    return size - (edns ? optLength : 0) - (this.#signature?.maxLength ?? 0);
  }

  /** The octets of padding for an answer of this length; undefined where the client does not ask for it, or there is no room. */
  #paddingOf(length: number): number | undefined {
    const { client, message } = this;
    if (!client.tls || !message.edns?.options.some(({ code }) => code === paddingOption)) return undefined;
    const unpadded = length + optLength + paddingHeadLength + (this.#signature?.length ?? 0);
    const padded = Math.min(Math.ceil(unpadded / paddedBlock) * paddedBlock, maxMessageLength);
    return padded < unpadded ? undefined : padded - unpadded;
  }

  /** Later messages of a transfer repeat no question (RFC 5936 §2.2.1). */
  begin(flags = 0): MessageWriter {
    const writer = new MessageWriter(
      { id: this.message.id, flags: answerFlags(this.message.flags) | flags },
      this.#maxLength,
    );
    const [question] = this.message.questions;
    if (question && !this.#isBegun) writer.question(question);
    return writer;
  }

  /** Finishes a message: EDNS in the first one, and the signature. */
  seal(writer: MessageWriter, rcode: number = Rcode.NOERROR): Uint8Array {
    const { edns } = this.message;
    if (edns && !this.#isBegun) writer.edns(maxUdpAnswer, rcode, edns.dnssecOk, this.#paddingOf(writer.length));
    else writer.flags |= rcode & 15;
    this.#isBegun = true;
    const octets = writer.finish();
    return this.#signature?.sign(octets) ?? octets;
  }

  refuse(rcode: number): Uint8Array {
    return this.seal(this.begin(), rcode);
  }

  /** One message. When it does not fit, it has only the flag of truncation (RFC 2181 §9, RFC 9471 for glue). */
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

/** Opcode and RD repeat the request's; RA and AD are never set. */
function answerFlags(flags: number): number {
  return Flag.QR | (opcodeOf(flags) << 11) | (flags & Flag.RD);
}

export function headerAlone({ id, flags }: Header, rcode: number): Uint8Array {
  return new MessageWriter({ id, flags: answerFlags(flags) | rcode }).finish();
}
