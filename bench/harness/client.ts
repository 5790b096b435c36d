/**
 * One keep-alive connection that asks and waits, question by question. It writes bytes that were made beforehand and reads no more
 * of an answer than its status and its end, so that the asking costs little beside the answering.
 */
import { createConnection } from "node:net";
import { adminKey, headers as everyHeaders, type Question } from "./cases.ts";

/** The text of a request's body. */
export function textOf(body: unknown): string {
  if (body === undefined) return "";
  return body instanceof URLSearchParams ? String(body) : JSON.stringify(body);
}

/** The bytes of a request. */
export function bytesOf({ method, path, body, headers = everyHeaders }: Question, key = adminKey): Buffer {
  const text = textOf(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: bench",
    ...Object.entries({ ...headers, "X-API-Key": key }).map((each) => each.join(": ")),
  ];
  if (body !== undefined) lines.push(`Content-Length: ${Buffer.byteLength(text)}`);
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${text}`);
}

/** What is known of an answer: its status and the bytes of its body, chunk headers included. */
export interface Answer {
  readonly status: number;
  readonly bytes: number;
}

/** Whether a status says that what was asked is done. */
export const isDone = (status: number) => status === 200 || status === 201;

/** Asks what `next` gives, one after the other, until it gives nothing. `heard` is told of every answer. */
export function converse(port: number, next: () => Buffer | undefined, heard: (answer: Answer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, "127.0.0.1").setNoDelay();
    let received: Buffer[] = [];
    const ask = () => {
      const question = next();
      if (question) socket.write(question);
      else socket.end(resolve);
    };
    socket.on("connect", ask);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("the connection was closed")));
    socket.on("data", (data) => {
      received.push(data);
      const answer = readAnswer(received.length === 1 ? data : Buffer.concat(received));
      if (!answer) return;
      received = [];
      try {
        heard(answer);
        ask();
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
  });
}

const headEnd = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("0\r\n\r\n");

/** The answer in these bytes, once it is whole. */
export function readAnswer(data: Buffer): Answer | undefined {
  const end = data.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = data.toString("latin1", 0, end);
  const status = Number(head.slice(9, 12));
  const bytes = data.length - end - 4;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  const whole = length === undefined ? data.subarray(-lastChunk.length).equals(lastChunk) : bytes >= Number(length);
  return whole ? { status, bytes } : undefined;
}
