/**
 * TSIG (RFC 8945); the time is a parameter, in seconds. Limitations: a copy within the fudge verifies again (§10.3); hmac-sha224 and
 * GSS-TSIG are unknown; a truncated MAC is refused (§5.2.2.1), so that all copies of an accepted message have the same MAC.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { syntaxError } from "../malformed.ts";
import { lowerName, type Name, parseName, zoneNameText } from "../name.ts";
import { sameOctets, WireReader, WireWriter } from "../wire.ts";
import { lengthPrefix } from "./framing.ts";
import { Class, headerLength, MetaType } from "./header.ts";
import type { Message } from "./message-reader.ts";

/** The name on the wire, the hash in OpenSSL, and octets of a MAC and of generated secrets; the operator must allow a weak algorithm. */
export const tsigAlgorithms = {
  "hmac-sha256": { wire: parseName("hmac-sha256."), hash: "sha256", length: 32, weak: false },
  "hmac-sha384": { wire: parseName("hmac-sha384."), hash: "sha384", length: 48, weak: false },
  "hmac-sha512": { wire: parseName("hmac-sha512."), hash: "sha512", length: 64, weak: false },
  "hmac-sha1": { wire: parseName("hmac-sha1."), hash: "sha1", length: 20, weak: true },
  "hmac-md5": { wire: parseName("hmac-md5.sig-alg.reg.int."), hash: "md5", length: 16, weak: true },
} as const;

export type TsigAlgorithm = keyof typeof tsigAlgorithms;

/** In lower case, without a trailing dot. */
export function isTsigAlgorithm(name: string): name is TsigAlgorithm {
  return Object.hasOwn(tsigAlgorithms, name);
}

/** False for an unknown name. */
export function isWeakAlgorithm(name: string): boolean {
  return isTsigAlgorithm(name) && tsigAlgorithms[name].weak;
}

export interface TsigKey {
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

/** RFC 8945 §3. */
export const TsigError = { NONE: 0, BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 } as const;
export type TsigError = (typeof TsigError)[keyof typeof TsigError];

/** RFC 8945 §10. */
const defaultFudge = 300;

/** RFC 8945 §4.2; `keyName` keeps its letter case, `time` is in seconds. */
export interface Tsig {
  readonly keyName: Name;
  readonly algorithm: Name;
  readonly time: number;
  readonly fudge: number;
  readonly mac: Uint8Array;
  readonly originalId: number;
  readonly error: number;
  readonly other: Uint8Array;
}

/** Undefined without a TSIG record. Throws Malformed where RFC 8945 §4.2 and §5.2 demand FORMERR. */
export function readTsig(message: Message): Tsig | undefined {
  const record = message.tsig;
  if (!record) return undefined;
  const reader = new WireReader(record.rdata);
  reader.field = "TSIG";
  if (record.class !== Class.ANY || record.ttl !== 0) reader.refuse("its class is not ANY or its TTL not 0");
  const algorithm = reader.name();
  const time = reader.number(2) * 2 ** 32 + reader.number(4);
  const fudge = reader.number(2);
  const mac = reader.take(reader.number(2));
  const originalId = reader.number(2);
  const error = reader.number(2);
  const other = reader.take(reader.number(2));
  if (reader.left > 0) reader.refuse("octets follow its last field");
  return { keyName: record.name, algorithm, time, fudge, mac, originalId, error, other };
}

/** Undefined for an unknown algorithm. */
function algorithmOf(name: Name): TsigAlgorithm | undefined {
  const lower = lowerName(name);
  const names = Object.keys(tsigAlgorithms) as TsigAlgorithm[];
  return names.find((algorithm) => sameOctets(tsigAlgorithms[algorithm].wire, lower));
}

/** The previous MAC, whether the message is a later one of many, and the unsigned messages since (RFC 8945 §5.3.1). */
interface Chain {
  readonly previousMac?: Uint8Array | undefined;
  readonly later?: boolean;
  readonly unsigned?: readonly Uint8Array[];
}

/** In the order of RFC 8945 §5.2: key, MAC, time, truncation. Throws Malformed for an impossible MAC length. */
export function verifyTsig(
  octets: Uint8Array,
  tsigAt: number,
  tsig: Tsig,
  key: TsigKey | undefined,
  now: number,
  chain: Chain = {},
): TsigError {
  if (!key || algorithmOf(tsig.algorithm) !== key.algorithm) return TsigError.BADKEY;
  const { length } = tsigAlgorithms[key.algorithm];
  const size = tsig.mac.length;
  if (size > length || size < Math.max(10, length / 2))
    throw syntaxError(`A TSIG MAC of ${size} octets is too short or too long for ${key.algorithm}.`);
  const expected = macOf(withoutTsig(octets, tsigAt, tsig.originalId), tsig, key, chain).subarray(0, size);
  if (!timingSafeEqual(expected, tsig.mac)) return TsigError.BADSIG;
  if (Math.abs(now - tsig.time) > tsig.fudge) return TsigError.BADTIME;
  return size < length ? TsigError.BADTRUNC : TsigError.NONE;
}

/** Without its last record, with its original id. */
function withoutTsig(octets: Uint8Array, tsigAt: number, originalId: number): Uint8Array {
  const unsigned = new Uint8Array(octets.subarray(0, tsigAt));
  const view = new DataView(unsigned.buffer);
  view.setUint16(0, originalId);
  view.setUint16(10, view.getUint16(10) - 1);
  return unsigned;
}

/** `error` and `other` are of a response. */
export interface Signature extends Chain {
  readonly keyName: Name;
  readonly time: number;
  readonly fudge?: number;
  readonly error?: TsigError;
  readonly other?: Uint8Array;
}

/** Signs a message. Besides the signed octets it returns the MAC, which the signature of the next message or of the response covers. */
export function signMessage(
  octets: Uint8Array,
  key: TsigKey,
  signature: Signature,
): { octets: Uint8Array; mac: Uint8Array } {
  const unsigned = { ...tsigOf(octets, signature), algorithm: tsigAlgorithms[key.algorithm].wire };
  const mac = macOf(octets, unsigned, key, signature);
  return { octets: appendTsig(octets, { ...unsigned, mac }), mac };
}

/** Without a MAC: the response to an invalid key or MAC (RFC 8945 §5.3.2). */
export function refuseTsig(octets: Uint8Array, algorithm: Name, signature: Signature): Uint8Array {
  return appendTsig(octets, { ...tsigOf(octets, signature), algorithm });
}

function tsigOf(octets: Uint8Array, signature: Signature): Omit<Tsig, "algorithm"> {
  const { keyName, time, fudge = defaultFudge, error = TsigError.NONE, other = new Uint8Array() } = signature;
  const originalId = new DataView(octets.buffer, octets.byteOffset).getUint16(0);
  return { keyName, time, fudge, mac: new Uint8Array(), originalId, error, other };
}

/** In a response with BADTIME. */
export const otherTimeLength = 6;

/** The maximum octets that a signature adds to a message. */
export function tsigLength(keyName: Name, key: TsigKey): number {
  const { wire, length } = tsigAlgorithms[key.algorithm];
  return keyName.length + 10 + wire.length + 10 + length + 6 + otherTimeLength;
}

/** The other data of BADTIME (RFC 8945 §5.2.3). */
export function timeData(time: number): Uint8Array {
  const writer = new WireWriter();
  writer.number(time, 6);
  return writer.result();
}

/** The key objects of Node, kept because creating one takes as long as computing a short MAC. */
const secretKeys = new WeakMap<TsigKey, KeyObject>();

function secretKeyOf(key: TsigKey): KeyObject {
  const secretKey = secretKeys.get(key) ?? createSecretKey(key.secret);
  secretKeys.set(key, secretKey);
  return secretKey;
}

/** RFC 8945 §4.3: the previous MAC, the message, and the variables; in later messages only the timers. */
function macOf(octets: Uint8Array, tsig: Tsig, key: TsigKey, { previousMac, later, unsigned = [] }: Chain): Uint8Array {
  const digest = createHmac(tsigAlgorithms[key.algorithm].hash, secretKeyOf(key));
  if (previousMac) digest.update(lengthPrefix(previousMac)).update(previousMac);
  for (const message of unsigned) digest.update(message);
  const variables = new WireWriter();
  if (!later) {
    variables.bytes(lowerName(tsig.keyName));
    variables.number(Class.ANY, 2);
    variables.number(0, 4);
    variables.bytes(lowerName(tsig.algorithm));
  }
  variables.number(tsig.time, 6);
  variables.number(tsig.fudge, 2);
  if (!later) {
    variables.number(tsig.error, 2);
    variables.number(tsig.other.length, 2);
    variables.bytes(tsig.other);
  }
  return digest.update(octets).update(variables.result()).digest();
}

function appendTsig(octets: Uint8Array, tsig: Tsig): Uint8Array {
  const data = new WireWriter();
  data.bytes(tsig.algorithm);
  data.number(tsig.time, 6);
  data.number(tsig.fudge, 2);
  data.number(tsig.mac.length, 2);
  data.bytes(tsig.mac);
  data.number(tsig.originalId, 2);
  data.number(tsig.error, 2);
  data.number(tsig.other.length, 2);
  data.bytes(tsig.other);
  const rdata = data.result();
  const head = new WireWriter();
  head.bytes(tsig.keyName);
  head.number(MetaType.TSIG, 2);
  head.number(Class.ANY, 2);
  head.number(0, 4);
  head.number(rdata.length, 2);
  const signed = Buffer.concat([octets, head.result(), rdata]);
  signed.writeUInt16BE(signed.readUInt16BE(headerLength - 2) + 1, headerLength - 2);
  return signed;
}

/**
 * The algorithm of a message's signature: its usual name, or the name in the message when it is unknown; undefined for an unsigned message.
 */
export function algorithmText(message: Message): string | undefined {
  const tsig = readTsig(message);
  return tsig && (algorithmOf(tsig.algorithm) ?? zoneNameText(tsig.algorithm));
}
