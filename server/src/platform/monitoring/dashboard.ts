// Generates deploy/monitoring from the table of metrics: the Grafana dashboard and the alert rules of Prometheus.
import type { Alert, Metric, Panel } from './metric.ts';
import { METRICS } from './metrics.ts';

const metrics: readonly Metric[] = Object.values(METRICS);

const COLUMNS = 2;
const WIDTH = 24 / COLUMNS;
const HEIGHT = 8;
const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

function toPanel({ title, unit, queries }: Panel, index: number): object {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    datasource: DATASOURCE,
    gridPos: {
      x: (index % COLUMNS) * WIDTH,
      y: Math.floor(index / COLUMNS) * HEIGHT,
      w: WIDTH,
      h: HEIGHT,
    },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: queries.map(({ expr, legend }, at) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + at),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}

export function dashboard(): string {
  const panels = metrics.flatMap((metric) => metric.panels ?? []).map(toPanel);
  const source = { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' };
  const board = {
    uid: 'slipway',
    title: 'Slipway',
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: { list: [source] },
    panels,
  };
  return `${JSON.stringify(board, null, 2)}\n`;
}

// A JSON string is also a YAML string.
const quoted = (text: string): string => JSON.stringify(text);

const toRule = (alert: Alert): string => `      - alert: ${alert.name}
        expr: ${quoted(alert.expr)}
        for: ${alert.for}
        labels:
          severity: ${alert.severity}
        annotations:
          summary: ${quoted(alert.summary)}
          description: ${quoted(alert.mend)}
`;

export function alertRules(): string {
  const rules = metrics.flatMap(({ alert }) => (alert ? [toRule(alert)] : []));
  return `groups:\n  - name: slipway\n    rules:\n${rules.join('')}`;
}

/** Returns the content of docs/metrics.md. */
export function metricsPage(): string {
  const rows = Object.entries<Metric>(METRICS).map(([name, { type, help, labels }]) => {
    return `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;
  });
  const alerts = metrics.flatMap(({ alert }) =>
    alert ? [`| \`${alert.name}\` | ${alert.severity} | ${alert.summary} | ${alert.mend} |`] : [],
  );
  return [
    '# Metrics',
    '',
    'What `/metrics` of each process tells (`docs/operations.md` says where). Generated from',
    '`server/src/platform/monitoring/metrics.ts`, as are the dashboard and the alert rules in `deploy/monitoring`:',
    '`npm run contract` writes them.',
    '',
    '| metric | type | labels | what |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    '## Alerts',
    '',
    '| alert | severity | what | mend |',
    '| --- | --- | --- | --- |',
    ...alerts,
    '',
  ].join('\n');
}
