// Traces, as far as the code that is traced knows of them: spans that are begun by hand at a few places. Without an exporter there are
// none, and nothing is paid but a comparison; with one there is one tracer for the process, as there is one clock.
import { ProblemError } from '../openapi/problems.ts';

export type Attributes = Readonly<Record<string, string | number | boolean>>;
export type SpanKind = 'server' | 'client' | 'internal';

export interface Ending {
  /** In place of the one that it began with. */
  name?: string;
  attributes?: Attributes;
  /** What it failed of, in a word: it is marked as failed. */
  failure?: string;
}

export interface Span {
  /** What whoever is called is told of it (W3C Trace Context). */
  readonly traceparent: string;
  begin(name: string, kind?: SpanKind): Span;
  end(ending?: Ending): void;
}

export interface Tracer {
  /** Of a trace of its own. */
  begin(name: string, kind?: SpanKind): Span;
  /**
   * Of a request, in the trace that its caller names. Whether it is kept only a trusted caller decides: of others all would be kept, or
   * none, as they please.
   */
  receive(request: { startedAtMs: number; traceparent: string | string[] | undefined; isTrusted: boolean }): Span;
}

let current: Tracer | undefined;

export function setTracer(tracer: Tracer | undefined): void {
  current = tracer;
}

export const tracer = (): Tracer | undefined => current;

/** The wait for something that has begun, as a part of the span. */
export function traced<T>(span: Span | undefined, name: string, work: Promise<T>): Promise<T> {
  return within(span?.begin(name), work);
}

/** What no request waits for, as a trace of its own. */
export function tracedJob<T>(name: string, run: () => Promise<T>): Promise<T> {
  const span = current?.begin(name);
  return within(span, run());
}

/** Ends the span with the work. */
export function within<T>(span: Span | undefined, work: Promise<T>): Promise<T> {
  return span ? endWith(span, work) : work;
}

async function endWith<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    const result = await work;
    span.end();
    return result;
  } catch (error) {
    span.end(endingOf(error));
    throw error;
  }
}

/** Of an error the kind alone: its message may hold what was sent. A refusal is no failure. */
function endingOf(error: unknown): Ending {
  if (error instanceof ProblemError) return { attributes: { 'error.type': error.code } };
  return { failure: error instanceof Error ? error.name : 'error' };
}
