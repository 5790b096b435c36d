/** Counts HTTP requests. Each kind of request has its counters in a map, under one text, so that counting is cheap. */
import type { Observations, Value } from "./family.ts";
import type { Metrics } from "./metrics.ts";

export interface AnsweredRequest {
  readonly path: string;
  /** The front, where the path does not show it, such as for a stream of events. */
  readonly front?: string | undefined;
  /** The root field of GraphQL, or the path in the table of REST; undefined when the request reached neither. */
  readonly endpoint?: string | undefined;
  readonly status: number;
  readonly ms: number;
  readonly refusals?: readonly string[] | undefined;
}

interface Counted {
  readonly requests: Value;
  readonly duration: Observations | undefined;
}

/** The front of event streams, which last as long as their clients want. */
export const eventsFront = "events";

const fronts: ReadonlyMap<string, string> = new Map([
  ["graphql", "graphql"],
  ["api", "rest"],
  ["openapi.json", "rest"],
  ["sign-in", "sign-in"],
  ["console", "pages"],
  ["graphiql", "pages"],
  ["reference", "pages"],
  ["healthz", "probes"],
  ["readyz", "probes"],
  ["metrics", "metrics"],
]);

const frontOf = (path: string) => {
  const end = path.indexOf("/", 1);
  return fronts.get(path.slice(1, end < 0 ? undefined : end)) ?? "other";
};

export class RequestCounter {
  readonly #metrics: Metrics;
  readonly #counted = new Map<string, Counted>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  add({ path, front = frontOf(path), endpoint: operation = "", status, ms, refusals }: AnsweredRequest): void {
    const key = `${front} ${status} ${operation}`;
    const counted = this.#counted.get(key) ?? this.#begin(key, front, operation, String(status));
    counted.requests.value += 1;
    counted.duration?.add(ms / 1000);
    if (refusals) for (const code of refusals) this.#metrics.count("zonesmith_refusals_total", { front, code });
  }

  #begin(key: string, front: string, operation: string, status: string): Counted {
    const duration =
      front === eventsFront
        ? undefined
        : this.#metrics.observations("zonesmith_http_request_duration_seconds", { front, operation });
    const counted = {
      requests: this.#metrics.value("zonesmith_http_requests_total", { front, operation, status }),
      duration,
    };
    this.#counted.set(key, counted);
    return counted;
  }
}
