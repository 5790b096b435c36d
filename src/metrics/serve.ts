/** Serves /metrics, with a key of its own where one is set (Authorization: Bearer). It is no key of the API and belongs to no user. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Metrics } from "./metrics.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Returns the handler of /metrics; an empty key means that no key is needed. */
export function serveMetrics(
  metrics: Metrics,
  key: string,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const expected = digest(`Bearer ${key}`);
  return async ({ headers, method }, response) => {
    if (key !== "" && !timingSafeEqual(digest(headers.authorization ?? ""), expected)) {
      response.writeHead(401, { "WWW-Authenticate": "Bearer", "Content-Type": "text/plain; charset=utf-8" });
      return void response.end("Send the key of METRICS_KEY as Authorization: Bearer.\n");
    }
    if (method !== "GET" && method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD", "Content-Type": "text/plain; charset=utf-8" });
      return void response.end("/metrics takes GET.\n");
    }
    const text = await metrics.text();
    response.writeHead(200, { "Content-Type": metrics.contentType, "Cache-Control": "no-store" });
    response.end(text);
  };
}
