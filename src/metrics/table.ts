/**
 * The metrics of the service, by the conventions of Prometheus: names end in their unit, counters in `_total`. The table of
 * docs/monitoring.md is generated from this one. Labels have few values, whatever clients send: names from the schema, from tables of this
 * program, or of secondaries.
 */

/** A metric; `bounds` are the upper bounds of the buckets of a histogram. */
export interface Metric {
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly labels: readonly string[];
  readonly unit?: "seconds" | "bytes";
  /** Whether all processes of a service have the same value, which is not summed up. */
  readonly isShared?: true;
  readonly bounds?: readonly number[];
}

const counter = (labels: readonly string[], help: string, unit?: Metric["unit"]): Metric => ({
  type: "counter",
  help,
  labels,
  ...(unit && { unit }),
});
const gauge = (labels: readonly string[], help: string, unit?: Metric["unit"]): Metric => ({
  ...counter(labels, help, unit),
  type: "gauge",
});

const shared = (...given: Parameters<typeof gauge>): Metric => ({ ...gauge(...given), isShared: true });

/** The metrics, in the order of docs/monitoring.md. */
export const metrics = {
  zonesmith_build_info: shared(["version"], "The release that runs, and the commit it was built from; always 1."),
  zonesmith_http_requests_total: counter(
    ["front", "operation", "status"],
    "HTTP requests that were answered, by front, operation (the root field of GraphQL, `several` or `several mutations`; the path of REST) and status.",
  ),
  zonesmith_http_request_duration_seconds: {
    type: "histogram",
    help: "Time from a request to the end of its answer; streams of events are not among them.",
    labels: ["front", "operation"],
    unit: "seconds",
    bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  zonesmith_http_requests_in_progress: gauge(
    [],
    "HTTP requests that are not answered yet, streams of events among them.",
  ),
  zonesmith_refusals_total: counter(
    ["front", "code"],
    "Requests that were refused, by front and error code (docs/errors.md); `update` is dynamic updates. Dry runs are among them.",
  ),
  zonesmith_hidden_failures_total: counter(
    ["part"],
    "Failures that no answer shows, since the work is done in another way or again: `key_use`, `pipelined_read`, `zone_copy`.",
  ),
  zonesmith_changes_total: counter(
    ["source", "kind"],
    "Changes of zones that this process committed, by interface and kind.",
  ),
  zonesmith_dns_queries_total: counter(
    ["transport", "rcode"],
    "DNS requests that were answered, by the transport (udp, tcp, tls) and the rcode in the header; dynamic updates and transfers are among them.",
  ),
  zonesmith_dns_dropped_total: counter(
    [],
    "DNS requests over UDP that were left unanswered, as too many were in progress.",
  ),
  zonesmith_transfers_total: counter(["type"], "Zone transfers that were sent to their end, by type (AXFR, IXFR)."),
  zonesmith_transferred_bytes_total: counter(
    ["type"],
    "Octets of the zone transfers that were sent to their end.",
    "bytes",
  ),
  zonesmith_leader: gauge([], "Whether this process publishes: 1 in one process of a database, 0 in the others."),
  zonesmith_webhook_attempts_total: counter(
    ["outcome"],
    "Attempts to send messages to webhooks, by outcome: `delivered`, `failed` and repeated later, `dead`; from the leader alone.",
  ),
  zonesmith_secondaries: gauge(
    [],
    "Registered secondaries. Only the leader has this metric, and those of each secondary.",
  ),
  zonesmith_secondary_up: gauge(
    ["secondary"],
    "Whether a secondary answers; 0 when it left several requests in a row unanswered.",
  ),
  zonesmith_secondary_joining: gauge(
    ["secondary"],
    "1 until a secondary has had all zones since its registration; no zone is `late` there until then.",
  ),
  zonesmith_secondary_lag_seconds: gauge(
    ["secondary"],
    "Age of the oldest change that a secondary does not serve, counted from when this leader knows of it; 0 when it serves all.",
    "seconds",
  ),
  zonesmith_secondary_zones: gauge(
    ["secondary", "state"],
    "Zones with a committed serial that a secondary does not serve: `late` when the change was committed, and the secondary joined, more than PUBLICATION_LATE_SECONDS ago, otherwise `pending`. The catalog counts if the secondary follows it. While 20,000 zones are being delivered, further zones that are behind do not count.",
  ),
  zonesmith_certificate_end_timestamp_seconds: shared(
    ["use"],
    "When the certificate in use ends, by use (`https`, `dns`); absent without TLS.",
    "seconds",
  ),
  zonesmith_database_up: shared([], "Whether PostgreSQL answered at this scrape, within two seconds."),
  zonesmith_database_pool_connections: gauge(
    ["pool", "state"],
    "Connections to PostgreSQL of a pool, `busy` and `idle`.",
  ),
  zonesmith_database_pool_limit: gauge(["pool"], "The largest number of connections of a pool."),
  zonesmith_database_pool_waiting: gauge(["pool"], "Operations that wait for a connection of a pool."),
  zonesmith_zones: shared([], "Zones in the database, as PostgreSQL estimates them."),
  zonesmith_journal_oldest_timestamp_seconds: shared(
    [],
    "When the oldest change that the journal keeps was made.",
    "seconds",
  ),
  zonesmith_journal_newest_timestamp_seconds: shared([], "When the last change of any zone was made.", "seconds"),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;

export type LabelsOf<Name extends MetricName> = Readonly<Record<(typeof metrics)[Name]["labels"][number], string>>;
