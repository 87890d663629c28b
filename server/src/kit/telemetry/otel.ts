// Traces over OTLP, by the official SDK: this file alone knows it, and is loaded where an exporter was set. What the standard's variables
// say of the exporter (address, headers, certificates, timeout, compression) and of the resource, the SDK reads itself; it connects to
// that address alone. What becomes of an export is nobody's concern but the log's: spans wait in a queue that is bounded, and are dropped.
import { randomBytes } from 'node:crypto';
import {
  type Context,
  createContextKey,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  SpanKind as OtelSpanKind,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { randomShare } from '../crypto/ids.ts';
import { monotonicMs } from '../flow/clock.ts';
import type { Ending, Span, SpanKind, Tracer } from './trace.ts';
import { readTraceparent, type TraceParent } from './traceparent.ts';

export interface TracingSettings {
  protocol: 'http/protobuf' | 'http/json';
  /** Undefined: the resource's attributes may have one, and otherwise it is the process's own. */
  serviceName: string | undefined;
  sampler: {
    /** Of the traces that begin here, from 0 to 1. */
    share: number;
    /** Whether a trusted caller's decision holds. */
    followsParent: boolean;
  };
}

export interface TracerOptions extends TracingSettings {
  /** Of the resource; `service.name` yields to the settings. */
  attributes: Record<string, string>;
  onTrouble(sentence: string): void;
}

const EXPORT_EVERY_MS = 1_000;
const TELL_EVERY_MS = 60_000;

const KINDS: Record<SpanKind, OtelSpanKind> = {
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  internal: OtelSpanKind.INTERNAL,
};

export async function openTracer(options: TracerOptions): Promise<{ tracer: Tracer; close(): Promise<void> }> {
  const { serviceName, attributes } = options;
  tellTrouble(options.onTrouble);
  const named = serviceName === undefined ? {} : { 'service.name': serviceName };
  const provider = new TracerProvider({
    sampler: samplerOf(options.sampler),
    resource: resourceFromAttributes(attributes)
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes(named)),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: await exporterOf(options.protocol), scheduledDelayMillis: EXPORT_EVERY_MS }),
    ],
  });
  const spans = provider.getTracer('slipway');

  function begin(name: string, kind: SpanKind, under: Context, startedAtMs?: number): Span {
    const span = spans.startSpan(name, { kind: KINDS[kind], ...(startedAtMs && { startTime: startedAtMs }) }, under);
    return wrap(span, (child, childKind) => begin(child, childKind, trace.setSpan(ROOT_CONTEXT, span)));
  }

  const tracer: Tracer = {
    begin: (name, kind = 'internal') => begin(name, kind, ROOT_CONTEXT),
    receive({ startedAtMs, traceparent, isTrusted }) {
      const parent = readTraceparent(traceparent);
      const under = parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT;
      return begin('request', 'server', under.setValue(IS_TRUSTED, isTrusted), startedAtMs);
    },
  };
  return { tracer, close: () => provider.shutdown() };
}

/** A span that is not told of is one that nobody knows: the trace stays together all the same. */
const contextOf = ({ traceId, spanId, isSampled }: TraceParent): SpanContext => ({
  traceId,
  spanId: spanId ?? randomBytes(8).toString('hex'),
  traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  isRemote: true,
});

function wrap(span: OtelSpan, beginChild: (name: string, kind: SpanKind) => Span): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const wrapped: Span = {
    traceparent: `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')}`,
    // What nobody keeps needs no parts.
    begin: (name, kind = 'internal') => (span.isRecording() ? beginChild(name, kind) : wrapped),
    end({ name, attributes, failure }: Ending = {}) {
      if (name) span.updateName(name);
      if (attributes) span.setAttributes(attributes);
      if (failure) span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
  return wrapped;
}

const IS_TRUSTED = createContextKey('is trusted');

/** What begins within a trace of ours is kept with it. Drawn apart from the trace's identifier, which a caller may choose. */
function samplerOf({ share, followsParent }: TracingSettings['sampler']): Sampler {
  return {
    shouldSample(context) {
      const parent = trace.getSpanContext(context);
      const isFollowed = parent && (!parent.isRemote || (followsParent && context.getValue(IS_TRUSTED) === true));
      const isKept = isFollowed ? (parent.traceFlags & TraceFlags.SAMPLED) !== 0 : randomShare() < share;
      return { decision: isKept ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => `slipway{${share},${followsParent}}`,
  };
}

async function exporterOf(protocol: TracingSettings['protocol']): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

/** An exporter that is away fails every second: one line a minute says so. */
function tellTrouble(onTrouble: TracerOptions['onTrouble']): void {
  let toldAtMs = -TELL_EVERY_MS;
  const tell = (sentence: string): void => {
    if (monotonicMs() - toldAtMs < TELL_EVERY_MS) return;
    toldAtMs = monotonicMs();
    onTrouble(sentence);
  };
  setGlobalErrorHandler((error) => tell(typeof error === 'string' ? error : (error.message ?? String(error.code))));
  const ignore = (): void => {};
  const logger = { error: tell, warn: tell, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
