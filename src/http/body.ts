/**
 * Bodies of requests: at most 128 KB (GraphQL has more), not compressed, valid UTF-8. JSON (RFC 8259) and the two kinds
 * of form become one object of fields. Files in multipart forms (RFC 7578) are refused.
 */
import type { IncomingMessage } from "node:http";
import { parse as parseQuery } from "node:querystring";
import type { Request, RequestHandler, Response } from "express";
import multer from "multer";
import { Refusal } from "../errors.ts";
import type { RequestState } from "./request-state.ts";

export const maxBodyBytes = 128 * 1024;

export type Media = "application/json" | "application/x-www-form-urlencoded" | "multipart/form-data";

/** Receives a body, unless it was received before. */
export function bodyReceiver(maxBytes = maxBodyBytes): RequestHandler {
  return async (request, response, next) => {
    const state = response.locals as RequestState;
    state.body ??= await receiveBody(request, maxBytes);
    next();
  };
}

/** Parses a received body of one of these media types into `request.body`, an object; undefined without a body. */
export function bodyParser(accepted: readonly Media[]): RequestHandler {
  return async (request, response, next) => {
    request.body = undefined;
    const { body: bytes = Buffer.alloc(0) } = response.locals as RequestState;
    if (bytes.length === 0) return next();
    const type = request.is([...accepted]) as Media | false | null;
    if (type !== "application/json" && isJsonObject(bytes)) throw unsupported(jsonUnderOtherName(request));
    if (!type) throw unsupported(`The body's media type is not supported; send ${accepted.join(", ")}.`);
    const text = decodeText(request, bytes);
    if (type === "multipart/form-data") await readMultipart(request, response, bytes);
    else request.body = type === "application/json" ? readJson(text) : readForm(text);
    next();
  };
}

/** Parses a URL-encoded form or query (WHATWG URL). Invalid encoding is BAD_REQUEST: a guess could lose data. */
export function readForm(text: string): Record<string, unknown> {
  try {
    decodeURIComponent(text);
  } catch {
    throw malformed("The form or query has an invalid percent-encoding; write %25 for a percent sign, and UTF-8.");
  }
  return parseQuery(text);
}

const malformed = (message: string) => new Refusal("BAD_REQUEST", message);
const unsupported = (message: string) => new Refusal("UNSUPPORTED_MEDIA_TYPE", message);
const tooLarge = (maxBytes: number) =>
  new Refusal(
    "TOO_LARGE",
    `The body is larger than ${maxBytes} bytes; send it in parts, or a master file by POST /api/domain/zonefile/ZONE.`,
  );

/** Reads all bytes; throws TOO_LARGE as soon as there are too many, and discards the rest as it arrives. */
export function receiveBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { "content-encoding": encoding = "identity", "content-length": length = "0" } = request.headers;
  if (encoding.toLowerCase() !== "identity")
    throw unsupported("The body's encoding is not supported; send it without compression.");
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const receive = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) return void chunks.push(chunk);
      request.off("data", receive).resume();
      reject(tooLarge(maxBytes));
    };
    const close = () => {
      if (!request.readableEnded) reject(malformed("The body ended early; send all of it."));
    };
    if (request.destroyed) return close();
    request.on("data", receive).once("error", close).once("close", close);
    request.once("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeText(request: Request, bytes: Buffer): string {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(request.get("content-type") ?? "")?.[1] ?? "utf-8";
  if (!/^(utf-?8|us-ascii)$/i.test(charset)) throw unsupported("The body's charset is not supported; send UTF-8.");
  return textOf(bytes);
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed("The body is not valid UTF-8; send it in that encoding.");
  }
}

/** Whether a body of another media type is a JSON object. */
function isJsonObject(bytes: Buffer): boolean {
  const text = bytes.toString();
  if (!/^\s*\{/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** A message for clients such as `curl -d`, which send any body as a form by default. */
function jsonUnderOtherName(request: Request): string {
  const type = request.get("content-type");
  const sent = type === undefined ? "it has no media type" : `its media type is ${type.slice(0, 60)}`;
  return `The body is JSON, but ${sent}; send it with Content-Type: application/json.`;
}

export const readJsonBody = (bytes: Buffer): object => readJson(textOf(bytes));

function readJson(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text, /\\ud[89a-f]/i.test(text) ? refuseLoneSurrogate : undefined);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw malformed("The body is not valid JSON; send one JSON object.");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw malformed("The body is not a JSON object; send one object with the fields.");
}

/** Refuses a lone surrogate, which JSON can write but UTF-8 cannot (RFC 8259 §8.2). */
function refuseLoneSurrogate(_name: string, value: unknown): unknown {
  if (typeof value === "string" && !value.isWellFormed())
    throw malformed("The body contains half of a surrogate pair; write whole characters.");
  return value;
}

function readMultipart(request: Request, response: Response, bytes: Buffer): Promise<void> {
  const options = {
    limits: { fieldSize: maxBodyBytes, fieldNameSize: 100, fields: 50, parts: 50 },
    streamHandler: (_request: Request, parser: NodeJS.WritableStream) => parser.end(bytes),
  };
  return new Promise((resolve, reject) => {
    multer(options).none()(request, response, (error: unknown) =>
      error
        ? reject(malformed("The body is not a valid multipart form; send each field once, and no files."))
        : resolve(),
    );
  });
}
