// Traces over OTLP with the official SDK. Only this file uses the SDK, and it is loaded only if an exporter is
// configured. The SDK reads the standard variables of the exporter (address, headers, certificates, timeout,
// compression) and of the resource itself. The SDK connects to that address only. Failed exports are only logged: spans
// wait in a bounded queue and are then dropped.
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
import type { Span, SpanEnd, SpanKind, Tracer } from './trace.ts';
import { readTraceparent, type TraceParent } from './traceparent.ts';

export interface TracingSettings {
  protocol: 'http/protobuf' | 'http/json';
  /** If undefined, the name in the resource's attributes applies, otherwise the process's own. */
  serviceName: string | undefined;
  sampler: {
    /** Share of sampled traces among those that begin here, from 0 to 1. */
    share: number;
    /** True if a trusted caller's sampling decision is followed. */
    followsParent: boolean;
  };
}

interface TracerOptions extends TracingSettings {
  /** The name of the instrumentation scope. */
  scope: string;
  /** Attributes of the resource; the settings override `service.name`. */
  attributes: Record<string, string>;
  onExportFailure(sentence: string): void;
}

const EXPORT_EVERY_MS = 1_000;
const REPORT_EVERY_MS = 60_000;

const KINDS: Record<SpanKind, OtelSpanKind> = {
  server: OtelSpanKind.SERVER,
  client: OtelSpanKind.CLIENT,
  internal: OtelSpanKind.INTERNAL,
};

export async function openTracer(options: TracerOptions): Promise<{ tracer: Tracer; close(): Promise<void> }> {
  const { scope, serviceName, attributes } = options;
  reportExportFailures(options.onExportFailure);
  const named = serviceName === undefined ? {} : { 'service.name': serviceName };
  const provider = new TracerProvider({
    sampler: samplerOf(scope, options.sampler),
    resource: resourceFromAttributes(attributes)
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes(named)),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: await exporterOf(options.protocol), scheduledDelayMillis: EXPORT_EVERY_MS }),
    ],
  });
  const spans = provider.getTracer(scope);

  function begin(name: string, kind: SpanKind, parentContext: Context, startedAtMs?: number): Span {
    const span = spans.startSpan(
      name,
      { kind: KINDS[kind], ...(startedAtMs && { startTime: startedAtMs }) },
      parentContext,
    );
    return wrap(span, (child, childKind) => begin(child, childKind, trace.setSpan(ROOT_CONTEXT, span)));
  }

  const tracer: Tracer = {
    scope,
    begin: (name, kind = 'internal') => begin(name, kind, ROOT_CONTEXT),
    receive({ startedAtMs, traceparent, isTrusted }) {
      const parent = readTraceparent(traceparent);
      const parentContext = parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT;
      return begin('request', 'server', parentContext.setValue(IS_TRUSTED, isTrusted), startedAtMs);
    },
  };
  return { tracer, close: () => provider.shutdown() };
}

/** Returns the context of a caller's trace. A random id replaces a missing span id, so the trace stays together. */
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
    // A span that is not sampled needs no children.
    begin: (name, kind = 'internal') => (span.isRecording() ? beginChild(name, kind) : wrapped),
    end({ name, attributes, failure }: SpanEnd = {}) {
      if (name) span.updateName(name);
      if (attributes) span.setAttributes(attributes);
      if (failure) span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
  return wrapped;
}

const IS_TRUSTED = createContextKey('is trusted');

/**
 * Creates the sampler. A child of a local span follows its sampling decision. The decision for a new trace is random,
 * and independent of the trace id, which a caller may choose.
 */
function samplerOf(scope: string, { share, followsParent }: TracingSettings['sampler']): Sampler {
  return {
    shouldSample(context) {
      const parent = trace.getSpanContext(context);
      const isFollowed = parent && (!parent.isRemote || (followsParent && context.getValue(IS_TRUSTED) === true));
      const isKept = isFollowed ? (parent.traceFlags & TraceFlags.SAMPLED) !== 0 : randomShare() < share;
      return { decision: isKept ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => `${scope}{${share},${followsParent}}`,
  };
}

async function exporterOf(protocol: TracingSettings['protocol']): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

/** Reports failed exports at most once a minute, because an unavailable exporter fails every second. */
function reportExportFailures(onTrouble: TracerOptions['onExportFailure']): void {
  let reportedAtMs = -REPORT_EVERY_MS;
  const report = (sentence: string): void => {
    if (monotonicMs() - reportedAtMs < REPORT_EVERY_MS) return;
    reportedAtMs = monotonicMs();
    onTrouble(sentence);
  };
  setGlobalErrorHandler((error) => report(typeof error === 'string' ? error : (error.message ?? String(error.code))));
  const ignore = (): void => {};
  const logger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
