/**
 * Speaks to a service in bytes, for requests that an HTTP client would mend or refuse to send.
 */
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { type Answer, answerOf } from "./service.ts";

/** Sends the lines of a request's head, then its body, as they are; reads one answer that is not chunked. */
export async function raw(url: string, head: readonly string[], body: string | Uint8Array = ""): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write(`${head.join("\r\n")}\r\nConnection: close\r\n\r\n`);
  socket.write(body);
  const answer = await text(socket);
  const [answerHead = "", ...rest] = answer.split("\r\n\r\n");
  const [statusLine = "", ...lines] = answerHead.split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const status = Number(statusLine.split(" ")[1]);
  const content = rest.join("\r\n\r\n");
  return answerOf(new Response(content === "" ? null : content, { status, headers }));
}
