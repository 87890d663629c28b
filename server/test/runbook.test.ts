// The operations guides compared with the tables that they describe.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rolesOf, SETTINGS } from '../src/config/settings.ts';
import type { Metric } from '../src/platform/monitoring/metric.ts';
import { METRICS } from '../src/platform/monitoring/metrics.ts';
import { root } from './sources.ts';

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const alerts = Object.values<Metric>(METRICS).flatMap(({ alert }) => (alert ? [alert.name] : []));
const runbook = textOf('docs/operate/runbook.md');

test('the runbook has an entry for each alert rule, and no other', () => {
  const entries = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(entries.toSorted()).toEqual(alerts.toSorted());
  expect(
    [...textOf('deploy/monitoring/alert-rules.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name).toSorted(),
  ).toEqual(alerts.toSorted());
});

test.each(alerts)('the entry of %s states impact, check and action, and its rule links to it', (name) => {
  const [, entry = ''] = new RegExp(`^## ${name}\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(runbook) ?? [];
  expect(entry).toMatch(/- \*\*Impact:\*\* .+\n[\s\S]*- \*\*Check:\*\* .+\n[\s\S]*- \*\*Action:\*\* .+\n/);
  expect(textOf('deploy/monitoring/alert-rules.yaml')).toContain(
    `runbook: "docs/operate/runbook.md#${name.toLowerCase()}"`,
  );
});

test('every setting has the roles that read it', () => {
  expect(Object.keys(SETTINGS).filter((name) => rolesOf(name) === undefined)).toEqual([]);
});

test('the delays in the delivery guarantees are those of the schedule', async () => {
  const { DELAYS_MS } = await import('../src/webhooks/dispatch/attempt/attempt-result.ts');
  const [, row = ''] = /^\| delay \| (.+) \|$/m.exec(textOf('docs/webhooks/delivery-guarantees.md')) ?? [];
  const UNITS: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000 };
  const delays = row.split(' | ').map((text) => {
    const [amount, unit = ''] = text.split(' ');
    return Number(amount) * (UNITS[unit] ?? Number.NaN);
  });
  expect(delays).toEqual(DELAYS_MS.slice(1));
});
