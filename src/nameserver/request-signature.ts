/** The signature of a request (RFC 8945): its check, its key, and the signatures of the answer. */
import type { Message } from "../dns/message/message-reader.ts";
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
import type { SignedMark } from "../session/session.ts";
import type { NameserverHooks, SigningKey } from "./hooks.ts";

/** `now` is the clock in seconds, `allowWeak` whether sha1 and md5 are accepted. Throws Malformed where RFC 8945 says FORMERR. */
export async function checkTsig(
  octets: Uint8Array,
  message: Message,
  { tsigKey }: NameserverHooks,
  now: () => number,
  allowWeak: boolean,
): Promise<RequestSignature | undefined> {
  const tsig = readTsig(message);
  if (!tsig) return undefined;
  const at = now();
  const named = await tsigKey(zoneNameText(tsig.keyName));
  const key = named && (allowWeak || !isWeakAlgorithm(named.algorithm)) ? named : undefined;
  return new RequestSignature(tsig, key, verifyTsig(octets, message.tsigAt, tsig, key, at), now);
}

export class RequestSignature {
  readonly #tsig: Tsig;
  readonly #key: SigningKey | undefined;
  readonly #error: TsigError;
  readonly #now: () => number;
  /** The last MAC of the chain, which the next one covers (RFC 8945 §5.3.1). */
  #previousMac: Uint8Array;
  #isLater = false;

  constructor(tsig: Tsig, key: SigningKey | undefined, error: TsigError, now: () => number) {
    this.#tsig = tsig;
    this.#key = key;
    this.#error = error;
    this.#now = now;
    this.#previousMac = tsig.mac;
  }

  get keyName(): string {
    return zoneNameText(this.#tsig.keyName);
  }

  /** Undefined when the signature is not accepted. */
  get signer(): SigningKey | undefined {
    return this.#error === TsigError.NONE ? this.#key : undefined;
  }

  /** Key and MAC, which copies of a message share, also with another id or another case of names; for twice the fudge. */
  get signed(): SignedMark {
    const { mac, time, fudge } = this.#tsig;
    const mark = `${this.keyName} ${Buffer.from(mac).toString("base64")}`;
    return { mark, until: new Date((time + 2 * fudge) * 1000) };
  }

  get failure(): string | undefined {
    const { time, mac, algorithm } = this.#tsig;
    if (this.#error === TsigError.NONE) return undefined;
    if (this.#error === TsigError.BADSIG) return "the signature does not match: the secrets differ";
    if (this.#error === TsigError.BADTRUNC) return `the signature is cut to ${mac.length} octets`;
    if (this.#error === TsigError.BADTIME) return `signed at ${clock(time)}, here it is ${clock(this.#now())}`;
    const name = zoneNameText(algorithm);
    return this.#key ? `the key is not one of ${name}` : `no key of this name works with ${name}`;
  }

  get maxLength(): number {
    return this.#key ? tsigLength(this.#tsig.keyName, this.#key) : 0;
  }

  /** Octets: only the answer to a wrong time has our time as other data. */
  get length(): number {
    return this.maxLength - (this.signer ? otherTimeLength : 0);
  }

  sign(octets: Uint8Array): Uint8Array {
    const { keyName, algorithm, time, fudge } = this.#tsig;
    const error = this.#error;
    if (!this.#key || error === TsigError.BADSIG || error === TsigError.BADKEY)
      return refuseTsig(octets, algorithm, { keyName, time: this.#now(), error });
    // RFC 8945 §5.2.3: the answer to a wrong time carries the request's time, and ours as other data.
    const late = error === TsigError.BADTIME;
    const signed = signMessage(octets, this.#key, {
      keyName,
      error,
      time: late ? time : this.#now(),
      ...(late && { other: timeData(this.#now()), fudge }),
      previousMac: this.#previousMac,
      later: this.#isLater,
    });
    this.#previousMac = signed.mac;
    this.#isLater = true;
    return signed.octets;
  }
}

const clock = (seconds: number) =>
  seconds < 8.64e12 ? new Date(seconds * 1000).toISOString().replace(".000", "") : `second ${seconds}`;
