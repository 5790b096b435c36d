/**
 * One request to a secondary and its response, signed with the secondary's TSIG key when it has one (RFC 8945 §5). The response to a signed
 * request must be signed, except an error and the empty acknowledgement of a NOTIFY.
 */

import { Malformed } from "../../dns/malformed.ts";
import { Class, Flag, Opcode, Rcode, rcodeName } from "../../dns/message/header.ts";
import { type Message, type Question, readMessage } from "../../dns/message/message-reader.ts";
import { MessageWriter } from "../../dns/message/message-writer.ts";
import { readTsig, signMessage, TsigError, verifyTsig } from "../../dns/message/tsig.ts";
import { lowerName, zoneNameWire } from "../../dns/name.ts";
import { TypeCode } from "../../dns/type-codes.ts";
import { sameOctets } from "../../dns/wire.ts";
import type { SecondaryEndpoint } from "../../secondary/endpoint.ts";
import { exchangeOverTcp } from "./tcp-client.ts";
import type { UdpSockets } from "./udp-client.ts";

/** `signedAt` is the time of the signature, seconds; `message` describes a failure for the operator. */
type QueryResult =
  | { readonly kind: "response"; readonly response: Message; readonly signedAt?: number }
  | { readonly kind: "tsigFailure"; readonly message: string }
  | { readonly kind: "noResponse"; readonly message: string };

interface Query {
  readonly opcode: typeof Opcode.NOTIFY | typeof Opcode.QUERY;
  readonly zone: string;
  readonly timeoutMs: number;
  readonly overTcp?: boolean;
}

export type QueryPeer = Pick<SecondaryEndpoint, "address" | "port" | "key" | "keyError">;

/** The UDP payload size (RFC 6891 §6.2.5), octets. */
const ednsPayloadSize = 1232;
export const nowSeconds = () => Math.floor(Date.now() / 1000);

export async function sendQuery(sockets: UdpSockets, secondary: QueryPeer, query: Query): Promise<QueryResult> {
  if (secondary.keyError !== undefined) return { kind: "tsigFailure", message: secondary.keyError };
  const question: Question = { name: zoneNameWire(query.zone), type: TypeCode.SOA, class: Class.IN };
  const { key } = secondary;
  let mac: Uint8Array | undefined;
  let tsigProblem: string | undefined;
  const packet = (id: number) => {
    const unsigned = writeQuery(id, query, question);
    if (!key) return unsigned;
    const signed = signMessage(unsigned, key, { keyName: zoneNameWire(key.name), time: nowSeconds() });
    mac = signed.mac;
    return signed.octets;
  };
  const accept = (octets: Uint8Array): QueryResult | undefined => {
    const checked = checkResponse(octets, query, question, secondary, mac);
    if (checked && "tsigProblem" in checked) {
      tsigProblem = checked.tsigProblem;
      return undefined;
    }
    return checked;
  };
  const request = { packet, accept, timeoutMs: query.timeoutMs };
  const outcome = await (query.overTcp
    ? exchangeOverTcp(secondary, await sockets.sourceFor(secondary), request)
    : sockets.exchange(secondary, request));
  if ("response" in outcome) return outcome.response;
  if (tsigProblem !== undefined) return { kind: "tsigFailure", message: tsigProblem };
  return { kind: "noResponse", message: outcome.failure };
}

function writeQuery(id: number, { opcode }: Query, question: Question): Uint8Array {
  // RFC 1996 §4.5: a NOTIFY has AA set.
  const writer = new MessageWriter({ id, flags: (opcode << 11) | (opcode === Opcode.NOTIFY ? Flag.AA : 0) });
  writer.question(question);
  if (opcode === Opcode.QUERY) writer.edns(ednsPayloadSize, 0, true);
  return writer.finish();
}

/** With `tsigProblem` the datagram may be forged, and the wait goes on. Undefined: it is no response to this question. */
function checkResponse(
  octets: Uint8Array,
  { opcode }: Query,
  question: Question,
  { key }: QueryPeer,
  mac: Uint8Array | undefined,
): QueryResult | { readonly tsigProblem: string } | undefined {
  try {
    const response = readMessage(octets);
    const isResponse = (response.flags & Flag.QR) !== 0 && response.opcode === opcode;
    if (!isResponse || !repeatsQuestion(response, question)) return undefined;
    if (!key) return { kind: "response", response };
    const tsig = readTsig(response);
    if (!tsig) {
      if (response.rcode === Rcode.NOTAUTH && opcode === Opcode.QUERY)
        return { kind: "tsigFailure", message: unsignedNotauth(key.name) };
      if (response.rcode !== Rcode.NOERROR || opcode === Opcode.NOTIFY) return { kind: "response", response };
      return { tsigProblem: "its answer is not signed, although our question was" };
    }
    if (tsig.error !== TsigError.NONE) return { kind: "tsigFailure", message: tsigMessage(tsig.error, key.name) };
    const error = verifyTsig(octets, response.tsigAt, tsig, key, nowSeconds(), { previousMac: mac });
    if (error === TsigError.NONE) return { kind: "response", response, signedAt: tsig.time };
    return { tsigProblem: `the signature of its answer is not valid: ${tsigMessage(error, key.name)}` };
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/** Whether a response repeats the question; servers may leave it out of an error. */
function repeatsQuestion(response: Message, question: Question): boolean {
  const [repeated, ...others] = response.questions;
  if (!repeated) return response.rcode !== Rcode.NOERROR;
  return others.length === 0 && repeated.type === question.type && sameOctets(lowerName(repeated.name), question.name);
}

/** PowerDNS refuses a signature so, without a TSIG (RFC 8945 §5.2). In response to a NOTIFY it may also mean that the zone is missing. */
const unsignedNotauth = (key: string) =>
  `it answers NOTAUTH unsigned: it does not know the key ${key}, or has a different secret for it`;

export function tsigMessage(error: number, key: string): string {
  if (error === TsigError.BADKEY)
    return `BADKEY: it does not know the key ${key} with this algorithm; put the key into its configuration`;
  if (error === TsigError.BADSIG) return `BADSIG: its secret for the key ${key} differs from ours`;
  if (error === TsigError.BADTIME) return "BADTIME: its clock and ours differ by more than five minutes";
  if (error === TsigError.BADTRUNC) return `BADTRUNC: the signature with the key ${key} is too short`;
  return `TSIG error ${error} with the key ${key}`;
}

export const rcodeText = (rcode: number) => rcodeName(rcode) ?? `rcode ${rcode}`;
