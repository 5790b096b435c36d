/** A tiny collector: takes traces by OTLP over HTTP in JSON, and remembers their spans. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Json } from "./service.ts";

/** A span as it was sent; `parent` is empty where it begins a trace. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string;
  readonly kind: number;
  /** 2 is an error. */
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** The attributes of the resources that sent. */
  readonly resources: Readonly<Record<string, unknown>>[] = [];
  /** What it answers; it takes nothing unless that is 200. */
  status = 200;
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const body = await text(request);
      if (this.status === 200) this.#take(JSON.parse(body));
      response.statusCode = this.status;
      response.setHeader("Content-Type", "application/json").end("{}");
    });
  }

  async open(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  #take({ resourceSpans }: Json): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resources.push(attributesOf(resource.attributes));
      for (const { spans } of scopeSpans)
        for (const { name, traceId, spanId, parentSpanId = "", kind, status, attributes } of spans)
          this.spans.push({
            ...{ name, traceId, spanId, kind, parent: parentSpanId, status: status?.code ?? 0 },
            attributes: attributesOf(attributes ?? []),
          });
    }
  }
}

const attributesOf = (list: readonly Json[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]));
