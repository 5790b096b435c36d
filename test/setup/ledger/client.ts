/** Requests by all three interfaces to a service that may be gone at any moment, each with its outcome as its client knows it. */
import { setTimeout as sleep } from "node:timers/promises";
import { type ClientKey, UpdateClient } from "../dns/update-client.ts";
import { bodyOf, type Json, mutation, type RestOptions } from "../service/client.ts";
import type { Outcome } from "./book.ts";

/** After how long a request counts as one that never ends, ms: PostgreSQL gives a statement up after 60 s. */
const requestEndMs = 90_000;

export const doors = ["rest", "graphql", "update"] as const;
export type Door = (typeof doors)[number];

/** Counts of requests in a cycle. */
export class Tally {
  readonly acknowledged: Record<Door, number> = { rest: 0, graphql: 0, update: 0 };
  /** Of those by GraphQL, how many there were of each mutation. */
  readonly mutations = new Map<string, number>();
  /** Returns of 503 and SERVFAIL, and those of 503 without Retry-After or `retryAfter`. */
  unavailable = 0;
  withoutRetryAfter = 0;
  /** Answers that were lost with their connection, and UDP requests without an answer. */
  unanswered = 0;
  /** Returns of 500, requests that did not end, and answers that refuse what is not to be refused, each with what it said. */
  readonly wrong = { internal: [] as string[], stuck: [] as string[], refused: [] as string[] };

  get writes(): number {
    return doors.reduce((sum, door) => sum + this.acknowledged[door], 0);
  }
}

/** Where the service is, and the keys of its clients. */
interface Place {
  readonly url: string;
  readonly dnsPort: number;
  readonly apiKey: string;
  readonly writersKey: ClientKey;
}

/** How a request ended: with what body, and the serial that the answer named. */
export interface Reply {
  readonly outcome: Outcome;
  readonly body?: Json;
  readonly serial?: number | undefined;
}

export class LossyClient {
  readonly #place: Place;
  readonly #tally: Tally;
  readonly #updates: UpdateClient;

  constructor(place: Place, tally: Tally) {
    this.#place = place;
    this.#tally = tally;
    this.#updates = new UpdateClient(() => place.dnsPort);
  }

  async rest(method: string, path: string, { headers = {}, ...sent }: RestOptions = {}): Promise<Reply> {
    const body = bodyOf(sent) as string | undefined;
    return this.#http(`/api${path}`, { method, headers, ...(body && { body }) }, ({ status, headers }, json) => {
      const what = `${method} ${path}: ${status} ${JSON.stringify(json)}`;
      if (status < 300) return this.#acknowledged("rest", json, Number(headers.get("x-zone-serial")));
      if (status === 429) return { outcome: "refused" };
      if (status === 503) return this.#unavailable(headers.has("retry-after"));
      return this.#wrong(status >= 500 ? "internal" : "refused", what);
    });
  }

  /** A mutation by GraphQL, which must select `change { serial }` for its serial; the reply's body is its payload. */
  async mutate(name: string, input: Json, selection = "change { serial }"): Promise<Reply> {
    const body = JSON.stringify({ query: mutation(name, selection), variables: { input } });
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
    return this.#http("/graphql", init, ({ status, headers }, json) => {
      const what = `${name}: ${status} ${JSON.stringify(json)}`;
      const [{ extensions = undefined } = {}] = json?.errors ?? [];
      const code = extensions?.code;
      if (code === "UNAVAILABLE" || status === 503) {
        const { retryAfter = extensions?.details?.retryAfter } = extensions ?? {};
        return this.#unavailable(headers.has("retry-after") || retryAfter !== undefined);
      }
      if (code === "INTERNAL_ERROR" || status >= 500) return this.#wrong("internal", what);
      if (code === "TOO_MANY_REQUESTS") return { outcome: "refused" };
      if (json?.errors || status >= 300) return this.#wrong("refused", what);
      this.#tally.mutations.set(name, (this.#tally.mutations.get(name) ?? 0) + 1);
      return this.#acknowledged("graphql", json.data[name], json.data[name].change?.serial);
    });
  }

  async update(zone: string, lines: readonly string[], protocol: "udp" | "tcp"): Promise<Reply> {
    const what = `UPDATE ${protocol} ${zone} ${lines.join("; ")}`;
    const sending = { key: this.#place.writersKey, protocol };
    const patience = new AbortController();
    try {
      const late = sleep(requestEndMs, undefined, { signal: patience.signal, ref: false }).catch(() => undefined);
      const answer = await Promise.race([this.#updates.update(zone, lines, sending), late]);
      if (!answer) return this.#wrong("stuck", what);
      if (answer.rcode === "NOERROR") return this.#acknowledged("update", undefined, undefined);
      return answer.rcode === "SERVFAIL" ? this.#unavailable(true) : this.#wrong("refused", `${what}: ${answer.rcode}`);
    } catch (error) {
      return this.#failed(error as Error);
    } finally {
      patience.abort();
    }
  }

  async #http(path: string, init: RequestInit, read: (response: Response, body: Json) => Reply): Promise<Reply> {
    const headers = { ...(init.headers as Record<string, string>), "X-API-Key": this.#place.apiKey };
    const signal = AbortSignal.timeout(requestEndMs);
    try {
      const response = await fetch(`${this.#place.url}${path}`, { ...init, headers, signal });
      const text = await response.text();
      return read(response, /json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text);
    } catch (error) {
      return signal.aborted ? this.#wrong("stuck", `${init.method} ${path}`) : this.#failed(error as Error);
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

  #wrong(kind: keyof Tally["wrong"], what: string): Reply {
    this.#tally.wrong[kind].push(what);
    return { outcome: kind === "refused" ? "refused" : "unknown" };
  }

  /** No answer: a connection that was refused carried nothing to the service. */
  #failed(error: Error): Reply {
    const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
    if (code === "ECONNREFUSED") return { outcome: "unsent" };
    this.#tally.unanswered += 1;
    return { outcome: "unknown" };
  }
}
