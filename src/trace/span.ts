/** Spans of traces. Every room begins spans here without knowing who records them. Without a tracer nothing is recorded. */

/** The attributes of a span. They never contain secrets or record data. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind?: "server" | "client";
  readonly attributes?: Attributes;
  /** The `traceparent` of a request (W3C Trace Context); the span joins its trace. */
  readonly parent?: string | undefined;
  /** Whether the span begins a new trace, even within another span. */
  readonly isRoot?: boolean;
  /** Whether the span is left out when it would begin a trace. */
  readonly isPart?: boolean;
}

export interface SpanEnd {
  /** The name of the span, if it was not known at its beginning. */
  readonly name?: string;
  readonly attributes?: Attributes;
  readonly error?: unknown;
}

export interface Span {
  readonly traceId: string;
  end(how?: SpanEnd): void;
}

export interface Tracer {
  begin(name: string, options: SpanOptions): Span | undefined;
  /** Runs a function; spans that begin in it are parts of `span`. */
  inside<Result>(span: Span, run: () => Result): Result;
}

let tracer: Tracer | undefined;

export function recordSpans(by: Tracer | undefined): void {
  tracer = by;
}

export function beginSpan(name: string, options: SpanOptions = {}): Span | undefined {
  return tracer?.begin(name, options);
}

export function inside<Result>(span: Span | undefined, run: () => Result): Result {
  return span && tracer ? tracer.inside(span, run) : run();
}

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
