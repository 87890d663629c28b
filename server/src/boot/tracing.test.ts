// Sampling and export of traces: the official SDK, as kit/telemetry/otel.ts sets it up, with a collector over HTTP.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../test/harness.ts';
import { type Collector, startCollector } from '../../test/trace-collector.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import { problem } from '../kit/openapi/problems.ts';
import { createLog } from '../kit/telemetry/log.ts';
import { openTracer } from '../kit/telemetry/otel.ts';
import { setTracer, type Tracer, traceJob, tracer, traceWork } from '../kit/telemetry/trace.ts';
import { createLifetime } from './process.ts';
import { startTracing } from './tracing.ts';

const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const from = (flags: string, span = SPAN): string => `00-${TRACE}-${span}-${flags}`;

let collector: Collector;
let troubles: string[];
let closing: (() => Promise<void>)[];
beforeEach(async () => {
  collector = await startCollector();
  troubles = [];
  closing = [() => collector.close()];
});
afterEach(async () => {
  for (const close of closing.reverse()) await close();
  delete process.env[ENDPOINT];
  setTracer(undefined);
});

/** Opens a tracer. The SDK reads the endpoint from the environment, as it does in a process. */
async function open(sampler = '', arg = ''): Promise<{ tracer: Tracer; close(): Promise<void> }> {
  process.env[ENDPOINT] = collector.url;
  const names = {
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_TRACES_SAMPLER: sampler,
    OTEL_TRACES_SAMPLER_ARG: arg,
  };
  const { tracing } = readConfig({ [ENDPOINT]: collector.url, ...names });
  if (!tracing) throw new Error('The settings did not enable tracing.');
  const onTrouble = (sentence: string): void => void troubles.push(sentence);
  const opened = await openTracer({
    ...tracing,
    scope: 'slipway',
    attributes: { 'service.name': 'slipway-test' },
    onExportFailure: onTrouble,
  });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= opened.close().catch(() => {});
    return closed;
  };
  closing.push(close);
  return { tracer: opened.tracer, close };
}

const receive = (tracer: Tracer, traceparent: string | undefined, isTrusted: boolean): void =>
  tracer.receive({ startedAtMs: performance.now(), traceparent, isTrusted }).end();

describe('sampling of a request', () => {
  test.each([
    ['parentbased_traceidratio', '0', '01', false, 0],
    ['parentbased_traceidratio', '0', '01', true, 1],
    ['parentbased_always_off', '', '01', false, 0],
    ['parentbased_always_on', '', '00', false, 1],
    ['parentbased_always_on', '', '00', true, 0],
    ['traceidratio', '0', '01', true, 0],
    ['always_on', '', '00', true, 1],
    ['', '', '00', false, 1],
  ])('with %s %s, a caller who says %s and is trusted: %s, kept: %s', async (sampler, arg, flags, isTrusted, kept) => {
    const { tracer, close } = await open(sampler, arg);
    receive(tracer, from(flags), isTrusted);
    await close();
    expect(collector.spans.map(({ traceId, parentSpanId }) => [traceId, parentSpanId])).toEqual(
      Array(kept).fill([TRACE, SPAN]),
    );
  });

  test('a caller cannot have all its requests sampled by naming a trace, because each one is decided separately', async () => {
    const { tracer, close } = await open('parentbased_traceidratio', '0.5');
    for (let at = 0; at < 400; at++) receive(tracer, from('01'), false);
    await close();
    // Six standard deviations from the mean.
    expect(Math.abs(collector.spans.length - 200)).toBeLessThan(60);
  });

  test('children of a span that is not sampled are not sampled, and traceparent says so to callees', async () => {
    const { tracer, close } = await open('always_off');
    const span = tracer.receive({ startedAtMs: performance.now(), traceparent: from('01'), isTrusted: false });
    const part = span.begin('upstream', 'client');
    expect(part.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    part.end();
    span.end();
    await close();
    expect(collector.exports).toEqual([]);
  });
});

test('a parent id that spells a text is not exported, and the trace stays together', async () => {
  const { tracer, close } = await open();
  const text = Buffer.from('s3cr3t-8').toString('hex');
  receive(tracer, from('01', text), false);
  receive(tracer, `00-${text}${text}-${SPAN}-01`, false);
  receive(tracer, 'nonsense', false);
  await close();
  expect(collector.exports.map(({ body }) => body.includes(text))).toEqual([false]);
  const [spelt, ...others] = collector.spans;
  expect([spelt?.traceId, others.map(({ parentSpanId }) => parentSpanId)]).toEqual([TRACE, ['', '']]);
});

test('children belong to their parent span, and an error exports its kind but not its message', async () => {
  const { tracer, close } = await open();
  const span = tracer.begin('whole');
  await traceWork(span, 'well', Promise.resolve());
  await expect(traceWork(span, 'refused', Promise.reject(problem('not_found')))).rejects.toThrow();
  await expect(traceWork(span, 'broken', Promise.reject(new TypeError('of slw_test_x')))).rejects.toThrow(
    'of slw_test_x',
  );
  span.end({ name: 'named later', attributes: { 'slipway.request_id': 'req_x' } });
  setTracer(tracer);
  expect(await traceJob('job', async () => 7)).toBe(7);
  await close();
  const [well, refused, broken, whole, job] = collector.spans;
  expect([well, refused, broken].map((part) => part?.parentSpanId)).toEqual(Array(3).fill(whole?.spanId));
  expect([refused?.isFailed, refused?.attributes]).toEqual([false, { 'error.type': 'not_found' }]);
  expect([broken?.isFailed, broken?.attributes]).toEqual([true, { 'error.type': 'TypeError' }]);
  expect([whole?.name, whole?.attributes]).toEqual(['named later', { 'slipway.request_id': 'req_x' }]);
  expect([job?.name, job?.parentSpanId, job?.service]).toEqual(['job', '', 'slipway-test']);
  expect(collector.exports.map(({ path, body }) => [path, body.includes('slw_test_x')])).toEqual([
    ['/v1/traces', false],
  ]);
});

test('a collector that refuses spans causes no failure, and is logged once', async () => {
  const { tracer } = await open();
  collector.answer = (response) => response.writeHead(400).end('a long response that must not be in the log');
  for (const count of [1, 2]) {
    tracer.begin('lost').end();
    await until(() => collector.exports.length === count);
  }
  await until(() => troubles.length > 0);
  expect(troubles).toEqual(['Bad Request']);
});

test('a shutdown does not wait for a collector that never responds', async () => {
  process.env[ENDPOINT] = collector.url;
  let isAborted = false;
  collector.answer = (response) =>
    response.on('close', () => {
      isAborted = true;
    });
  const log = createLog(false, { write() {} });
  const lifetime = createLifetime(log);
  const config = readConfig({ [ENDPOINT]: collector.url });
  await startTracing({ role: 'api', environment: 'sandbox' }, config, log, lifetime);
  tracer()?.begin('pending').end();
  await until(() => collector.exports.length === 1);
  await lifetime.stop();
  // The exporter itself gives up after ten seconds.
  expect(isAborted).toBe(false);
});

const refusalOf = (settings: Record<string, string>): string => {
  try {
    readConfig(settings);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

describe('standard settings of tracing', () => {
  const on = { [ENDPOINT]: 'http://collector:4318' };
  test.each<[Record<string, string>, RegExp]>([
    [{ [ENDPOINT]: 'collector:4318' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address\.$/],
    [
      { ...on, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'grpc://x:pw@y' },
      /^OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be [^:]*$/,
    ],
    [{ ...on, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /"grpc" is not spoken here/],
    [{ ...on, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /OTEL_TRACES_SAMPLER must be/],
    [{ ...on, OTEL_TRACES_SAMPLER_ARG: '10%' }, /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
    [{ ...on, OTEL_TRACES_EXPORTER: 'zipkin' }, /OTEL_TRACES_EXPORTER must be/],
  ])('refuses the settings %o', (settings, sentence) => {
    expect(refusalOf(settings)).toMatch(sentence);
  });

  test.each<Record<string, string>>([
    {},
    { [ENDPOINT]: ' ' },
    { OTEL_TRACES_SAMPLER: 'always_on' },
    { ...on, OTEL_SDK_DISABLED: 'TRUE' },
    { ...on, OTEL_TRACES_EXPORTER: 'none' },
  ])('exports no traces with the settings %o', (settings) => {
    expect(readConfig(settings).tracing).toBeUndefined();
  });
});
