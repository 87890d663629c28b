// Traces, as the traced code sees them: spans that begin explicitly at a few places. Without an exporter there are
// none, and the cost is one comparison. With an exporter there is one tracer per process.
import { ProblemError } from '../openapi/problems.ts';

export type Attributes = Readonly<Record<string, string | number | boolean>>;
export type SpanKind = 'server' | 'client' | 'internal';

export interface SpanEnd {
  /** Replaces the name with which the span began. */
  name?: string;
  attributes?: Attributes;
  /** A word for the failure. The span is marked as failed. */
  failure?: string;
}

export interface Span {
  /** The header for callees (W3C Trace Context). */
  readonly traceparent: string;
  begin(name: string, kind?: SpanKind): Span;
  end(ending?: SpanEnd): void;
}

export interface Tracer {
  /** The name of the instrumentation scope, with which the names of its own attributes begin. */
  readonly scope: string;
  /** Begins a new trace. */
  begin(name: string, kind?: SpanKind): Span;
  /**
   * Begins the span of a request, in the trace that its caller names. Only a trusted caller decides whether the trace
   * is sampled, because any other caller could have all of its traces kept, or none.
   */
  receive(request: { startedAtMs: number; traceparent: string | string[] | undefined; isTrusted: boolean }): Span;
}

let current: Tracer | undefined;

export function setTracer(tracer: Tracer | undefined): void {
  current = tracer;
}

export const tracer = (): Tracer | undefined => current;

/** Measures the wait for work that has begun, as a child of the span. */
export function traceWork<T>(span: Span | undefined, name: string, work: Promise<T>): Promise<T> {
  return runInSpan(span?.begin(name), work);
}

/** Traces work that no request waits for, as its own trace. */
export function traceJob<T>(name: string, run: () => Promise<T>): Promise<T> {
  const span = current?.begin(name);
  return runInSpan(span, run());
}

/** Ends the span together with the work. */
export function runInSpan<T>(span: Span | undefined, work: Promise<T>): Promise<T> {
  return span ? endWith(span, work) : work;
}

async function endWith<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    const result = await work;
    span.end();
    return result;
  } catch (error) {
    span.end(spanEndOf(error));
    throw error;
  }
}

/** Uses only the kind of an error, because its message may contain sent data. A refusal is not a failure. */
function spanEndOf(error: unknown): SpanEnd {
  if (error instanceof ProblemError) return { attributes: { 'error.type': error.code } };
  return { failure: error instanceof Error ? error.name : 'error' };
}
