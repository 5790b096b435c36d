/** Sends a message: one request to an allowed address, without following redirects. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import { buildInfo } from "../version.ts";
import { type AllowedAddresses, RefusedAddress, refusalOf } from "./address.ts";
import { type SignedMessage, signatures } from "./secret.ts";

/** The result of an attempt: the status of the answer if there was one, and why the attempt failed if it did. */
export interface Attempt {
  readonly status: number | null;
  /** A sentence for the owner of the webhook. It names no address that the owner did not write. */
  readonly error: string | null;
  readonly cause?: string;
}

/** How a message is sent: the attempt takes `seconds` at most, and fails when `stopped` is aborted. */
export interface Sending {
  readonly secrets: readonly Buffer[];
  readonly addresses: AllowedAddresses;
  readonly seconds: number;
  readonly stopped: AbortSignal;
}

export async function send(
  url: string,
  message: SignedMessage,
  { secrets, addresses, seconds, stopped }: Sending,
): Promise<Attempt> {
  const { protocol, hostname } = new URL(url);
  const isPlain = protocol === "http:";
  const literal = hostname.replace(/^\[|\]$/g, "");
  const isAllowed = isPlain ? addresses.isPrivate(literal) : addresses.has(literal);
  if (isIP(literal) !== 0 && !isAllowed) return { status: null, error: refusalOf(literal) };
  const options = {
    method: "POST",
    agent: false,
    lookup: addresses.lookup(isPlain),
    signal: AbortSignal.any([stopped, AbortSignal.timeout(seconds * 1000)]),
    headers: {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(message.payload),
      "User-Agent": `Zonesmith/${buildInfo().version}`,
      "webhook-id": message.id,
      "webhook-timestamp": String(message.timestamp),
      "webhook-signature": signatures(message, secrets),
    },
  };
  try {
    const sent = isPlain ? requestHttp(url, options) : requestHttps(url, options);
    const status = await statusOf(sent, message.payload);
    const isDelivered = status >= 200 && status <= 299;
    return { status, error: isDelivered ? null : `The receiver answered ${status}${adviceOn(status)}.` };
  } catch (error) {
    return { status: null, error: sentenceOf(error, { seconds, isPlain }), cause: String(error) };
  }
}

/** How much of an answer is read so that the receiver can end it, octets. */
const maxAnswer = 65_536;

function statusOf(sent: ClientRequest, payload: string): Promise<number> {
  return new Promise((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (answer: IncomingMessage) => {
      let length = 0;
      answer.on("error", () => {});
      answer.on("data", (part: Buffer) => {
        length += part.length;
        if (length > maxAnswer) answer.destroy();
      });
      resolve(answer.statusCode ?? 0);
    });
    sent.end(payload);
  });
}

function adviceOn(status: number): string {
  if (status >= 300 && status <= 399) return ", a redirect, which is not followed: write the URL that it leads to";
  return status === 410 ? ", which means that it wants no more messages" : "";
}

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens there: the connection was refused.",
  ECONNRESET: "The connection was closed before an answer.",
  EPIPE: "The connection was closed before an answer.",
  EHOSTUNREACH: "The host cannot be reached.",
  ENETUNREACH: "The network of the host cannot be reached.",
  ETIMEDOUT: "The host did not answer the connection.",
  CERT_HAS_EXPIRED: "Its certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "Its certificate is signed by itself, and not trusted here.",
  SELF_SIGNED_CERT_IN_CHAIN: "Its certificate is issued by an authority that is not trusted here.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "Its certificate is issued by an authority that is not trusted here.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "Its certificate is issued by an authority that is not trusted here.",
  ERR_TLS_CERT_ALTNAME_INVALID: "Its certificate is for another name.",
};

/** The one sentence for a name that does not exist, cannot be looked up, or leads to refused addresses, so that nobody learns which. */
const noAddress = (isPlain: boolean) =>
  `The name of the host has no address ${isPlain ? "that the operator allows for http" : "of the public internet"}, or could not be looked up.`;

function sentenceOf(error: unknown, of: { readonly seconds: number; readonly isPlain: boolean }): string {
  const { name, code = "", errors } = error as Error & { code?: string; errors?: readonly unknown[] };
  if (name === "TimeoutError" || name === "AbortError") return `There was no answer within ${of.seconds} seconds.`;
  if (errors?.[0] !== undefined) return sentenceOf(errors[0], of);
  if (error instanceof RefusedAddress || code === "ENOTFOUND" || code.startsWith("EAI_")) return noAddress(of.isPlain);
  if (code === "EPROTO" || code.startsWith("ERR_SSL"))
    return "The server there does not speak a TLS that is supported here.";
  if (code.startsWith("HPE_")) return "The server there does not speak HTTP.";
  return causes[code] ?? `The request failed${code === "" ? "" : ` (${code})`}.`;
}
