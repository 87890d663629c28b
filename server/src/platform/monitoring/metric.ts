// The definition of a metric: its type, its labels, and optionally its panels on the dashboard and its alert.

export interface Panel {
  title: string;
  /** Grafana's name of the unit. */
  unit: 's' | 'reqps' | 'ops' | 'bytes' | 'short';
  /** PromQL queries, each with the legend of its lines. */
  queries: readonly { expr: string; legend: string }[];
}

export interface Alert {
  name: string;
  /** PromQL. The alert fires if it has been true for the time `for`. */
  expr: string;
  for: string;
  severity: 'critical' | 'warning';
  summary: string;
  /** The action that the operator must take. */
  fix: string;
}

export interface Metric {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels: readonly string[];
  /** Its panels on the dashboard. */
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
