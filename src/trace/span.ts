/**
 * Spans of traces, for every room: what takes time says so here, and knows nothing of who records it. While nobody does, nothing is done.
 */

/** What a span says of itself; none of it is a secret or the data of a record. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind?: "server" | "client";
  readonly attributes?: Attributes;
  /** The `traceparent` of a request (W3C Trace Context), of whose trace it is a part. */
  readonly parent?: string | undefined;
  /** Whether it begins a trace, whatever runs. */
  readonly isRoot?: boolean;
  /** Whether it is left out where it would begin a trace. */
  readonly isPart?: boolean;
}

/** How a span ends. */
export interface SpanEnd {
  /** Its name, where that was not known before. */
  readonly name?: string;
  readonly attributes?: Attributes;
  /** What it failed of. */
  readonly error?: unknown;
}

/** A span that has begun. */
export interface Span {
  /** The id of its trace. */
  readonly traceId: string;
  end(how?: SpanEnd): void;
}

/** Who records spans. */
export interface Tracer {
  begin(name: string, options: SpanOptions): Span | undefined;
  /** Runs something whose spans are parts of this one. */
  inside<Result>(span: Span, run: () => Result): Result;
}

let tracer: Tracer | undefined;

/** Has spans recorded; with undefined, no more. */
export function recordSpans(by: Tracer | undefined): void {
  tracer = by;
}

/** Begins a span; undefined while nobody records any. */
export function beginSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer?.begin(name, options);
}

/** Runs something whose spans are parts of this one, if there is one. */
export function inside<Result>(span: Span | undefined, run: () => Result): Result {
  return span && tracer ? tracer.inside(span, run) : run();
}

/** Runs an operation in a span of its own, which ends with it. */
export async function inSpan<Result>(name: string, options: SpanOptions, run: () => Promise<Result>): Promise<Result> {
  const span = beginSpan(name, options);
  if (!span) return run();
  try {
    const result = await inside(span, run);
    span.end();
    return result;
  } catch (error) {
    span.end({ error });
    throw error;
  }
}
