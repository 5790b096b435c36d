/**
 * Requests by all three interfaces to a service that may be gone at any moment, each with its outcome as its client knows it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ClientKey, UpdateClient } from "../dns/update-client.ts";
import type { Outcome } from "./book.ts";
import type { Door, Tally } from "./tally.ts";

// biome-ignore lint/suspicious/noExplicitAny: the body of a response
type Json = any;

/** After how long a request counts as one that never ends, ms: PostgreSQL gives a statement up after 60 s. */
const requestEndMs = 90_000;

/** Where the service is, and the keys of its clients. */
export interface Place {
  readonly url: string;
  readonly dnsPort: number;
  readonly apiKey: string;
  readonly tsigKey: ClientKey;
}

/** How a request ended. `body` is parsed. */
export interface Reply {
  readonly outcome: Outcome;
  readonly body?: Json;
  /** The serial that the answer named. */
  readonly serial?: number | undefined;
}

export class Client {
  readonly #place: Place;
  readonly #tally: Tally;
  readonly #updates: UpdateClient;

  constructor(place: Place, tally: Tally) {
    this.#place = place;
    this.#tally = tally;
    this.#updates = new UpdateClient(() => place.dnsPort);
  }

  /** A request by REST, with a form or a master file. */
  async rest(method: string, path: string, sent: Record<string, string> | string = {}): Promise<Reply> {
    const isFile = typeof sent === "string";
    const body = isFile ? sent : new URLSearchParams(sent);
    const headers = isFile ? { "Content-Type": "text/dns" } : {};
    const init = { method, headers, ...(method !== "DELETE" && { body }) };
    return this.#http("rest", `/api${path}`, init, ({ status, headers }, json) => {
      const what = `${method} ${path}: ${status} ${JSON.stringify(json)}`;
      if (status < 300) return this.#acknowledged("rest", json, Number(headers.get("x-zone-serial")));
      if (status === 429) return { outcome: "refused" };
      if (status === 503) return this.#unavailable(headers.has("retry-after"));
      return status >= 500 ? this.#internal(what) : this.#refused(what);
    });
  }

  /** A mutation by GraphQL, which must select `change { serial }`; the reply's body is its payload. */
  async graphql(document: string, input: Json): Promise<Reply> {
    const body = JSON.stringify({ query: document, variables: { input } });
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    return this.#http("graphql", "/graphql", init, ({ status, headers }, json) => {
      const what = `${document.slice(0, 60)}: ${status} ${JSON.stringify(json)}`;
      const [error] = json?.errors ?? [];
      const code = error?.extensions?.code;
      if (code === "UNAVAILABLE" || status === 503) {
        const { retryAfter = error?.extensions?.details?.retryAfter } = error?.extensions ?? {};
        return this.#unavailable(headers.has("retry-after") || retryAfter !== undefined);
      }
      if (code === "INTERNAL_ERROR" || status >= 500) return this.#internal(what);
      if (code === "TOO_MANY_REQUESTS") return { outcome: "refused" };
      if (error || status >= 300) return this.#refused(what);
      const [[mutation, payload]] = Object.entries(json.data) as [[string, Json]];
      this.#tally.mutations.set(mutation, (this.#tally.mutations.get(mutation) ?? 0) + 1);
      return this.#acknowledged("graphql", payload, payload.change?.serial);
    });
  }

  /** A signed dynamic update. */
  async update(zone: string, lines: readonly string[], protocol: "udp" | "tcp"): Promise<Reply> {
    const what = `UPDATE ${protocol} ${zone} ${lines.join("; ")}`;
    const sending = { key: this.#place.tsigKey, protocol };
    const patience = new AbortController();
    try {
      const late = sleep(requestEndMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined);
      const answer = await Promise.race([this.#updates.update(zone, lines, sending), late]);
      if (!answer) return this.#stuck(what);
      if (answer.rcode === "NOERROR") return this.#acknowledged("update", undefined, undefined);
      return answer.rcode === "SERVFAIL" ? this.#unavailable(true) : this.#refused(`${what}: ${answer.rcode}`);
    } catch (error) {
      return this.#failed(error as Error);
    } finally {
      patience.abort();
    }
  }

  async #http(
    door: Door,
    path: string,
    init: RequestInit,
    read: (response: Response, body: Json) => Reply,
  ): Promise<Reply> {
    const headers = { ...(init.headers as Record<string, string>), "X-API-Key": this.#place.apiKey };
    const signal = AbortSignal.timeout(requestEndMs);
    try {
      const response = await fetch(`${this.#place.url}${path}`, { ...init, headers, signal });
      const text = await response.text();
      return read(response, /json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text);
    } catch (error) {
      if (signal.aborted) return this.#stuck(`${door} ${init.method} ${path}`);
      return this.#failed(error as Error);
    }
  }

  #acknowledged(door: Door, body: Json, serial: number | undefined): Reply {
    this.#tally.acknowledged[door] += 1;
    return { outcome: "acknowledged", body, serial: serial || undefined };
  }

  #unavailable(hasRetryAfter: boolean): Reply {
    this.#tally.unavailable += 1;
    if (!hasRetryAfter) this.#tally.withoutRetryAfter += 1;
    return { outcome: "unknown" };
  }

  #internal(what: string): Reply {
    this.#tally.internal.push(what);
    return { outcome: "unknown" };
  }

  #refused(what: string): Reply {
    this.#tally.refused.push(what);
    return { outcome: "refused" };
  }

  #stuck(what: string): Reply {
    this.#tally.stuck.push(what);
    return { outcome: "unknown" };
  }

  /** No answer: a connection that was refused carried nothing to the service. */
  #failed(error: Error): Reply {
    const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
    if (code === "ECONNREFUSED") return { outcome: "unsent" };
    this.#tally.unanswered += 1;
    return { outcome: "unknown" };
  }
}
