// Monitoring: Prometheus can parse the exposition, its size is bounded, and dashboard and alerts query only existing
// metrics.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { alertRules, dashboard } from '../../../../scripts/reference/monitoring.ts';
import { readExposition } from '../../../test/exposition.ts';
import { openExchange } from '../../kit/http/exchange.ts';
import type { Exchange } from '../../kit/http/operation.ts';
import { type EventLoopMonitor, monitorEventLoop } from './event-loop.ts';
import { exposition } from './exposition.ts';
import type { Metric } from './metric.ts';
import { METRICS, type Readings } from './metrics.ts';
import { createReadiness, type ReadinessCheck } from './readiness.ts';
import { createRequestMeter } from './request-meter.ts';

const metrics = Object.entries<Metric>(METRICS);

describe('the exposition of metrics', () => {
  const reading = { buckets: [{ atMost: 0.5, count: 1 }], count: 3, sum: 9.25 };
  const parts: Readings[] = [
    {
      slipway_batch_size: [{ labels: { batch: 'authority' }, value: reading }],
      slipway_ready: [{ labels: {}, value: 1 }],
    },
    { slipway_batch_size: [{ labels: { batch: 'records' }, value: reading }] },
  ];

  test('samples of several parts have one head per metric, and a histogram ends with the total', () => {
    const { types, samples } = readExposition(exposition(parts));
    expect([...types]).toEqual([
      ['slipway_ready', 'gauge'],
      ['slipway_batch_size', 'histogram'],
    ]);
    const of = (name: string) => samples.filter((sample) => sample.name === name);
    expect(of('slipway_batch_size_bucket').map(({ labels, value }) => [labels.batch, labels.le, value])).toEqual([
      ['authority', '0.5', 1],
      ['authority', '+Inf', 3],
      ['records', '0.5', 1],
      ['records', '+Inf', 3],
    ]);
    expect(of('slipway_batch_size_sum').map(({ value }) => value)).toEqual([9.25, 9.25]);
  });

  test('a label value with quotes or line breaks is escaped', () => {
    const text = exposition([{ slipway_database_up: [{ labels: { database: 'a"b\\c\nd' }, value: 0 }] }]);
    expect(text).toContain('{database="a\\"b\\\\c\\nd"} 0\n');
    expect(readExposition(text).samples).toHaveLength(1);
  });
});

describe('counts of requests', () => {
  const exchangeOf = (id: string | undefined, simulated?: string): Exchange => ({
    ...openExchange(),
    ...(id !== undefined && { operation: { id, path: '/', access: { security: 'key' } } }),
    simulated,
  });
  const counted = (read: () => Readings) =>
    (read().slipway_http_request_duration_seconds ?? []).map(({ labels, value }) => [
      labels.operation,
      labels.status,
      labels.simulated,
      value.count,
    ]);

  test('requests are counted by operation and status, with simulated ones apart', () => {
    const meter = createRequestMeter('api');
    for (const status of [200, 200, 404]) meter.count(exchangeOf('listServers'), status);
    meter.count(exchangeOf('listServers', 'code=unavailable'), 503);
    expect(counted(meter.read)).toEqual([
      ['listServers', '200', 'false', 2],
      ['listServers', '404', 'false', 1],
      ['listServers', '503', 'true', 1],
    ]);
  });

  test('requests without an operation share one series, however many paths they have', () => {
    const meter = createRequestMeter('api');
    for (let n = 0; n < 1_000; n += 1) meter.count({ ...exchangeOf(undefined), route: `/v1/${n}` }, 404);
    expect(counted(meter.read)).toEqual([['none', '404', 'false', 1_000]]);
  });
});

describe('the dashboard and the alerts', () => {
  // Each name and each label that PromQL may use.
  const series = new Map<string, readonly string[]>(
    metrics.flatMap(([name, { type, labels }]): [string, readonly string[]][] => {
      const own = ['instance', 'job', ...labels];
      if (type !== 'histogram') return [[name, own]];
      return ['bucket', 'sum', 'count'].map((suffix) => [
        `${name}_${suffix}`,
        suffix === 'bucket' ? [...own, 'le'] : own,
      ]);
    }),
  );

  function mistakesOf(expr: string): string[] {
    const names = [...expr.matchAll(/\b(slipway|process|nodejs)_\w+/g)].map(([name]) => name);
    const known = new Set(names.flatMap((name) => series.get(name) ?? []));
    const lists = [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)|\{([^}]*)\}/g)];
    const labels = lists.flatMap(([, by, matched]) => (by ?? matched ?? '').split(',').map((one) => one.trim()));
    const labelNames = labels.map((label) => /^\w+/.exec(label)?.[0] ?? label);
    const open = expr.split('(').length === expr.split(')').length ? [] : ['parentheses'];
    const isUnknown = (name: string): boolean => !series.has(name);
    return [...open, ...names.filter(isUnknown), ...labelNames.filter((label) => !known.has(label))];
  }

  test('dashboard and alerts use only metrics and labels of the table', () => {
    const expressions = metrics.flatMap(([, { panels = [], alert }]) => [
      ...panels.flatMap(({ queries }) => queries.map(({ expr }) => expr)),
      ...(alert ? [alert.expr] : []),
    ]);
    expect(expressions.length).toBeGreaterThan(20);
    expect(expressions.flatMap((expr) => mistakesOf(expr).map((mistake) => `${mistake} in ${expr}`))).toEqual([]);
    expect(mistakesOf('sum by (appId) (rate(slipway_ready_count[5m])')).toEqual([
      'parentheses',
      'slipway_ready_count',
      'appId',
    ]);
  });

  test('no panel covers another, and each alert has a unique name and an action', () => {
    const { panels } = JSON.parse(dashboard()) as { panels: { id: number; gridPos: object }[] };
    expect(new Set(panels.map(({ gridPos }) => JSON.stringify(gridPos))).size).toBe(panels.length);
    const alerts = metrics.flatMap(([, { alert }]) => alert ?? []);
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
    const { groups } = parse(alertRules()) as { groups: { rules: object[] }[] };
    const rules = alerts.map(({ name, expr, severity, summary, fix, ...rest }) => ({
      alert: name,
      expr,
      for: rest.for,
      labels: { severity },
      annotations: { summary, description: fix, runbook: `docs/operate/runbook.md#${name.toLowerCase()}` },
    }));
    expect(groups).toEqual([{ name: 'slipway', rules }]);
    for (const { fix } of alerts) expect(fix).toMatch(/\.$/);
  });

  test('every label has a bounded set of values', () => {
    const labels = new Set(metrics.flatMap(([, metric]) => metric.labels));
    const bounded = [
      'database',
      'kind',
      'listener',
      'operation',
      'status',
      'simulated',
      'batch',
      'outcome',
      'next',
      'pool',
      'name', // of a job
      'state',
    ];
    expect([...labels].sort()).toEqual([...bounded].sort());
  });
});

describe('measurement of the event loop', () => {
  const block = (ms: number): void => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };
  const nextReading = (watch: EventLoopMonitor, after: number): Promise<void> =>
    vi.waitUntil(() => watch.lagMs().count > after, { interval: 1 }).then(() => {});

  test('one long block is only in the histogram, and repeated blocks raise the lasting lag', async () => {
    const watch = monitorEventLoop();
    for (let readings = 0; readings < 4; readings += 1) {
      if (readings === 1) block(300);
      await nextReading(watch, readings);
    }
    const { buckets, count } = watch.lagMs();
    expect(count - (buckets.find(({ atMost }) => atMost === 100)?.count ?? 0)).toBeGreaterThanOrEqual(1);
    expect(watch.lastingLagMs()).toBeLessThan(150);
    for (let reading = 4; reading < 7; reading += 1) {
      block(300);
      await nextReading(watch, reading);
    }
    expect(watch.lastingLagMs()).toBeGreaterThan(150);
    watch.stop();
  });
});

describe('readiness of a process', () => {
  afterEach(() => vi.useRealTimers());
  const well: ReadinessCheck = { name: 'well', run: async () => ({ isOk: true, detail: 'Well.' }) };

  test('readiness is `starting`, then the result of the checks, and `stopping` from the beginning of a shutdown', async () => {
    let stage: 'starting' | 'started' | 'stopping' = 'starting';
    const readReadiness = createReadiness([well], () => stage);
    expect((await readReadiness()).status).toBe('starting');
    stage = 'started';
    expect((await readReadiness()).status).toBe('ready');
    stage = 'stopping';
    expect((await readReadiness()).status).toBe('stopping');
    const ill = createReadiness(
      [well, { name: 'ill', run: async () => ({ isOk: false, detail: 'Ill.' }) }],
      () => 'started',
    );
    expect(await ill()).toMatchObject({
      status: 'not_ready',
      findings: [{ name: 'well' }, { name: 'ill', isOk: false }],
    });
  });

  test('repeated requests within a second run each check once', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let runs = 0;
    const check: ReadinessCheck = {
      name: 'counted',
      async run() {
        runs += 1;
        return { isOk: true, detail: '' };
      },
    };
    const readReadiness = createReadiness([check], () => 'started');
    await Promise.all([readReadiness(), readReadiness()]);
    vi.advanceTimersByTime(900);
    await readReadiness();
    expect(runs).toBe(1);
    vi.advanceTimersByTime(200);
    await readReadiness();
    expect(runs).toBe(2);
  });
});
