/** The messages between the primary process and its workers. */
import type { MetricsOfProcess } from "../metrics/metrics.ts";
import type { Started } from "../service/common.ts";

/** `failed`: it cannot start; `fatal`: the service cannot go on; `collect`: it is scraped, and needs the metrics of all. */
export type FromWorker =
  | { readonly kind: "started"; readonly started: Started }
  | { readonly kind: "failed" | "fatal"; readonly reason: string }
  | { readonly kind: "collect" }
  | { readonly kind: "metrics"; readonly metrics: MetricsOfProcess };

/** `report` asks for `metrics`; `collected` answers `collect`. */
export type ToWorker =
  | { readonly kind: "ready" | "report" }
  | { readonly kind: "collected"; readonly metrics: readonly MetricsOfProcess[] };
