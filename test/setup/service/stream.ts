/** A client of the subscriptions: server-sent events over HTTP, read as they come. */
import { type Answer, adminKey, answerOf, type Json, type TestService } from "./service.ts";

export interface Stream {
  /** The next event's data; undefined once the stream is complete. */
  readonly next: () => Promise<Json>;
  readonly close: () => void;
}

/** Subscribes with a key, or with headers that stand for one; returns the stream, or the answer that turned it down. */
export async function subscribe(
  service: TestService,
  query: string,
  key: string | Record<string, string> | null = adminKey,
): Promise<Stream | Answer> {
  const hangUp = new AbortController();
  const headers = { Accept: "text/event-stream", ...(typeof key === "string" ? { "X-API-Key": key } : key) };
  const response = await service.post({ query }, { key: null, headers, signal: hangUp.signal });
  if (!response.ok || !response.headers.get("content-type")?.startsWith("text/event-stream")) return answerOf(response);
  const events = eventsOf(response.body as ReadableStream<Uint8Array>);
  return { next: async () => (await events.next()).value, close: () => hangUp.abort() };
}

/** The data of the `next` events, until `complete`. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Json> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      if (lines.includes("event: complete")) return;
      const data = lines.find((line) => line.startsWith("data: "));
      if (data) yield JSON.parse(data.slice(6));
    }
  }
}

/** Subscribes and hangs up after the first event, which stands in the place of an answer. */
export async function firstAnswer(service: TestService, query: string, key: string | null): Promise<Answer> {
  const stream = await subscribe(service, query, key);
  if (!("next" in stream)) return stream;
  const body = await stream.next();
  stream.close();
  return { status: 200, headers: new Headers(), text: JSON.stringify(body), body };
}
