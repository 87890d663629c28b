// Formats readings for Prometheus (text format 0.0.4).
import type { HistogramReading } from '../../kit/telemetry/histogram.ts';
import type { Metric } from './metric.ts';
import { METRICS, type MetricName, type Readings } from './metrics.ts';

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

interface Line {
  labels: Readonly<Record<string, string>>;
  value: number | HistogramReading;
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function labelled(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
}

function linesOf(name: string, { labels, value }: Line): string[] {
  if (typeof value === 'number') return [`${labelled(name, labels)} ${value}`];
  const upTo = (le: string, count: number): string => `${labelled(`${name}_bucket`, { ...labels, le })} ${count}`;
  return [
    ...value.buckets.map(({ atMost, count }) => upTo(String(atMost), count)),
    upTo('+Inf', value.count),
    `${labelled(`${name}_sum`, labels)} ${value.sum}`,
    `${labelled(`${name}_count`, labels)} ${value.count}`,
  ];
}

/** Returns the text of the exposition. Groups the samples of a metric from several parts of a process. */
export function exposition(parts: readonly Readings[]): string {
  const names = Object.keys(METRICS) as MetricName[]; // the keys of the table alone
  const lines = names.flatMap((name) => {
    const samples = parts.flatMap((part): readonly Line[] => part[name] ?? []);
    const { type, help }: Metric = METRICS[name];
    const head = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
    return samples.length === 0 ? [] : [...head, ...samples.flatMap((sample) => linesOf(name, sample))];
  });
  return `${lines.join('\n')}\n`;
}
