/**
 * One keep-alive connection that sends a request, waits for the answer, and sends the next. Its requests are prepared bytes, and it reads
 * only the status and the end of an answer, so that the client needs little time beside the server.
 */
import { createConnection } from "node:net";
import { adminKey, headers as everyHeaders, type Question } from "./cases.ts";

export function textOf(body: unknown): string {
  if (body === undefined) return "";
  return body instanceof URLSearchParams ? String(body) : JSON.stringify(body);
}

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

/** An answer: its status, and the bytes of its body including chunk headers. */
export interface Answer {
  readonly status: number;
  readonly bytes: number;
}

/** Whether a status means success. */
export const isDone = (status: number) => status === 200 || status === 201;

/** Sends the requests that `next` returns until it returns none; `heard` is called for each answer. */
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

/** The answer in these bytes; undefined until it is complete. */
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
