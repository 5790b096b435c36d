/** Connects the metrics with the rooms of the running service. The rooms know nothing of metrics. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { ConnectionSupervisor } from "../database/connection-supervisor.ts";
import type { RequestObserver } from "../http/request-state.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { RequestCounter } from "../metrics/requests.ts";
import type { AnswerCounts } from "../nameserver/answer-counts.ts";
import { RateLimitedLog } from "../nameserver/rate-limited-log.ts";
import type { SecondaryState } from "../secondary/secondary.ts";
import { table } from "../sql/columns.ts";
import { recordHiddenFailures } from "../trace/hidden-failure.ts";
import { version } from "../version.ts";
import { Change } from "../zone/change.ts";
import { Domain } from "../zone/domain.ts";
import type { Common } from "./common.ts";

/** The sources of a scrape. `secondaries` returns undefined while another process publishes; `database` is used by the metrics alone. */
export interface Observed {
  readonly supervisor: ConnectionSupervisor;
  readonly database: Pick<Pool, "query">;
  readonly answers: AnswerCounts;
  readonly secondaries: () => readonly SecondaryState[] | undefined;
  readonly certificates: () => readonly { readonly use: string; readonly endsAt: Date }[];
}

export function observe(
  metrics: Metrics,
  { supervisor, database, answers, secondaries, certificates }: Observed,
): void {
  metrics.set("zonesmith_build_info", [[{ version: version() }, 1]]);
  metrics.addSource(() => setPools(metrics, supervisor));
  metrics.addSource(() => setAnswers(metrics, answers));
  metrics.addSource(() => setSecondaries(metrics, secondaries()));
  metrics.addSource(() => {
    const ends = certificates().map(({ use, endsAt }) => [{ use }, endsAt.getTime() / 1000] as const);
    metrics.set("zonesmith_certificate_end_timestamp_seconds", ends);
  });
  metrics.addSource(databaseSource(database));
}

export function requestObserver(metrics: Metrics): RequestObserver {
  const requests = new RequestCounter(metrics);
  const inProgress = metrics.value("zonesmith_http_requests_in_progress", {});
  return {
    onRequest: () => {
      inProgress.value += 1;
    },
    onAnswered: (request) => {
      inProgress.value -= 1;
      requests.add(request);
    },
  };
}

/** Counts failures that no answer shows, and logs at most five of them in ten seconds. */
export function observeHiddenFailures({ metrics, log, resources }: Common): void {
  const some = new RateLimitedLog(log, "more failed that no answer shows", { maxLines: 5 });
  recordHiddenFailures((part, error) => {
    metrics.count("zonesmith_hidden_failures_total", { part });
    some.warn({ part, err: error }, "something failed that no answer shows; it is done in another way, or again");
  });
  resources.defer(() => {
    recordHiddenFailures(undefined);
    some.flush();
  });
}

function setPools(metrics: Metrics, { pools }: ConnectionSupervisor): void {
  for (const [pool, { totalCount, idleCount, waitingCount, options }] of pools) {
    metrics.value("zonesmith_database_pool_connections", { pool, state: "busy" }).value = totalCount - idleCount;
    metrics.value("zonesmith_database_pool_connections", { pool, state: "idle" }).value = idleCount;
    metrics.value("zonesmith_database_pool_limit", { pool }).value = options.max;
    metrics.value("zonesmith_database_pool_waiting", { pool }).value = waitingCount;
  }
}

function setAnswers(metrics: Metrics, answers: AnswerCounts): void {
  for (const { transport, rcode, count } of answers.entries())
    metrics.value("zonesmith_dns_queries_total", { transport, rcode }).value = count;
  metrics.value("zonesmith_dns_dropped_total", {}).value = answers.dropped;
}

/** The largest number of secondaries with metrics of their own; the rest are summed up as `other`. */
const maxSecondaries = 100;

function setSecondaries(metrics: Metrics, states: readonly SecondaryState[] | undefined): void {
  const own = (states ?? []).slice(0, maxSecondaries);
  const others = (states ?? []).slice(maxSecondaries);
  const shown = others.length === 0 ? own : [...own, together(others)];
  metrics.value("zonesmith_leader", {}).value = states ? 1 : 0;
  metrics.set("zonesmith_secondaries", states ? [[{}, states.length]] : []);
  const each = (numberOf: (state: SecondaryState) => number) =>
    shown.map((state) => [{ secondary: state.name }, numberOf(state)] as const);
  metrics.set(
    "zonesmith_secondary_up",
    each(({ isSilent }) => (isSilent ? 0 : 1)),
  );
  metrics.set(
    "zonesmith_secondary_joining",
    each(({ isJoining }) => (isJoining ? 1 : 0)),
  );
  metrics.set(
    "zonesmith_secondary_lag_seconds",
    each(({ lagMs }) => lagMs / 1000),
  );
  metrics.set(
    "zonesmith_secondary_zones",
    shown.flatMap(({ name: secondary, pending, late }) => [
      [{ secondary, state: "pending" }, pending] as const,
      [{ secondary, state: "late" }, late] as const,
    ]),
  );
}

function together(states: readonly SecondaryState[]): SecondaryState {
  const sum = (of: (state: SecondaryState) => number) => states.reduce((total, state) => total + of(state), 0);
  return {
    name: "other",
    isSilent: states.some(({ isSilent }) => isSilent),
    isJoining: states.some(({ isJoining }) => isJoining),
    pending: sum(({ pending }) => pending),
    late: sum(({ late }) => late),
    lagMs: Math.max(...states.map(({ lagMs }) => lagMs)),
  };
}

const timeoutMs = 2000;

const c = table(Change, "c");

/** Each part reads one entry of an index, or PostgreSQL's catalog, however many zones there are. */
const statement = `select
  (select reltuples::float8 from pg_class where oid = to_regclass('${table(Domain)}')) as zones,
  (select extract(epoch from ${c.createdAt})::float8 from ${c} order by ${c.id} limit 1) as oldest,
  (select extract(epoch from ${c.createdAt})::float8 from ${c} order by ${c.id} desc limit 1) as newest`;

interface DatabaseRow {
  readonly zones: number | null;
  readonly oldest: number | null;
  readonly newest: number | null;
}

/** Returns a source that reads from the database, one read at a time: on a database that hangs each scrape would wait for a connection. */
function databaseSource(database: Pick<Pool, "query">): (metrics: Metrics) => Promise<void> {
  let running: Promise<DatabaseRow | undefined> | undefined;
  const ask = () =>
    database.query<DatabaseRow>(statement).then(
      ({ rows }) => rows[0],
      () => undefined,
    );
  return async (metrics) => {
    running ??= ask().finally(() => {
      running = undefined;
    });
    const over = new AbortController();
    const late = sleep(timeoutMs, undefined, { signal: over.signal }).catch(() => undefined);
    const row = await Promise.race([running, late]);
    over.abort();
    const shown = (value: number | null | undefined) =>
      value === null || value === undefined || value < 0 ? [] : [[{}, value] as const];
    metrics.value("zonesmith_database_up", {}).value = row ? 1 : 0;
    metrics.set("zonesmith_zones", shown(row?.zones));
    metrics.set("zonesmith_journal_oldest_timestamp_seconds", shown(row?.oldest));
    metrics.set("zonesmith_journal_newest_timestamp_seconds", shown(row?.newest));
  };
}
