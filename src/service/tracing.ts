/**
 * Traces by OpenTelemetry, sent to a collector by OTLP over HTTP. The packages are loaded only when OTEL_EXPORTER_OTLP_ENDPOINT is set.
 * They read OpenTelemetry's other variables themselves, such as OTEL_EXPORTER_OTLP_HEADERS.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Context, DiagLogger, Span as OtelSpan, SpanContext } from "@opentelemetry/api";
import type { Logger } from "pino";
import { recordSpans, type Span, type SpanEnd, type SpanOptions, type Tracer } from "../trace/span.ts";
import { buildInfo } from "../version.ts";
import type { Common } from "./common.ts";

const shutdownMs = 2000;

/** Records and sends spans if OTEL_EXPORTER_OTLP_ENDPOINT is set; `resources` sends the last ones. */
export async function startTracing({ config, log, resources }: Common): Promise<void> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = config;
  if (endpoint === "") return;
  const api = await import("@opentelemetry/api");
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } = await import(
    "@opentelemetry/sdk-trace"
  );
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    "@opentelemetry/resources"
  );
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { version: release } = buildInfo();
  const ours = resourceFromAttributes({ "service.name": "zonesmith", "service.version": release });
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` });
  api.diag.setLogger(failuresTo(log), { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(ours)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000, exportTimeoutMillis: 10_000 })],
  });
  recordSpans(new OtelTracer(api, provider.getTracer("zonesmith", release)));
  resources.defer(async () => {
    recordSpans(undefined);
    const timeout = new Promise((resolve) => setTimeout(resolve, shutdownMs).unref());
    await Promise.race([provider.shutdown().catch(() => {}), timeout]);
    api.diag.disable();
  });
  log.info({ endpoint }, "sending traces");
}

/** The least time between two log lines about spans that were not sent, ms. */
const failureSpacingMs = 60_000;

/** Logs what OpenTelemetry reports, such as a missing collector, at most once a minute. */
function failuresTo(log: Logger): DiagLogger {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const warn = (message: string) => {
    if (performance.now() - loggedAt < failureSpacingMs) return;
    loggedAt = performance.now();
    log.warn({ problem: message.slice(0, 500) }, "traces could not be sent");
  };
  const ignore = () => {};
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}

type Api = typeof import("@opentelemetry/api");

interface Recorded extends Span {
  readonly context: Context;
}

class OtelTracer implements Tracer {
  readonly #api: Api;
  readonly #tracer: ReturnType<Api["trace"]["getTracer"]>;
  readonly #current = new AsyncLocalStorage<Context>();

  constructor(api: Api, tracer: ReturnType<Api["trace"]["getTracer"]>) {
    this.#api = api;
    this.#tracer = tracer;
  }

  begin(name: string, { kind, attributes = {}, parent, isRoot, isPart }: SpanOptions): Recorded | undefined {
    const { ROOT_CONTEXT, SpanKind, trace } = this.#api;
    const current = isRoot ? undefined : this.#current.getStore();
    if (isPart && !(current && trace.getSpan(current)?.isRecording())) return undefined;
    const remote = parent === undefined ? undefined : spanContextOf(parent);
    const outer = current ?? (remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT);
    const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
    const span = this.#tracer.startSpan(name, { attributes, kind: kind ? kinds[kind] : SpanKind.INTERNAL }, outer);
    return {
      traceId: span.spanContext().traceId,
      context: trace.setSpan(outer, span),
      end: (how) => this.#end(span, how),
    };
  }

  inside<Result>(span: Span, run: () => Result): Result {
    return this.#current.run((span as Recorded).context, run);
  }

  #end(span: OtelSpan, { name, attributes = {}, error }: SpanEnd = {}): void {
    if (name !== undefined) span.updateName(name);
    span.setAttributes(attributes);
    if (error !== undefined) {
      // The code and not the message, which may contain the data of a record.
      const { code, name: kind } = error as { code?: unknown; name?: unknown };
      span.setAttribute("error.type", String(code ?? kind));
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR });
    }
    span.end();
  }
}

/** Returns the client's span that `traceparent` names (W3C Trace Context); undefined when it names no span. */
export function spanContextOf(traceparent: string): SpanContext | undefined {
  const [, versionNumber, traceId, spanId, flags] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags || versionNumber === "ff" || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}
