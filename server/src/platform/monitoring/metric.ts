// What a metric is: its type, its labels, and where it is wanted what the dashboard shows of it and when it alerts.

export interface Panel {
  title: string;
  /** As Grafana calls it. */
  unit: 's' | 'reqps' | 'ops' | 'bytes' | 'short';
  /** PromQL, each with what its lines are called. */
  queries: readonly { expr: string; legend: string }[];
}

export interface Alert {
  name: string;
  /** PromQL: fires where it has been true for so long. */
  expr: string;
  for: string;
  severity: 'critical' | 'warning';
  summary: string;
  /** What to do. */
  mend: string;
}

export interface Metric {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels: readonly string[];
  /** What it shows on the dashboard. */
  panels?: readonly Panel[];
  alert?: Alert;
}

export const panel = (title: string, unit: Panel['unit'], ...queries: [expr: string, legend: string][]): Panel => ({
  title,
  unit,
  queries: queries.map(([expr, legend]) => ({ expr, legend })),
});
export const quantile = (q: number, metric: string, by: string): string =>
  `histogram_quantile(${q}, sum by (le${by}) (rate(${metric}_bucket[$__rate_interval])))`;

export const rate = (metric: string, by: string): string => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;
