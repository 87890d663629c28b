// Describes quotas. An organisation without its own value has the default.
import type { Quotas } from '../../kit/api.ts';
import { grouped } from '../../kit/number.ts';

export const QUOTAS = [
  { name: 'apps', label: 'Apps', least: 0, most: 1_000_000 },
  { name: 'keysPerApp', label: 'Valid keys per app', least: 0, most: 1_000_000 },
  { name: 'endpointsPerApp', label: 'Endpoints per app', least: 0, most: 1_000_000 },
  { name: 'requestDays', label: 'Days of request records', least: 1, most: 3650 },
] as const satisfies readonly { name: keyof Quotas; label: string; least: number; most: number }[];

/** Returns one line per value of the organisation's own; empty if it has none. */
export function quotaLines(quotas: Quotas): string[] {
  return QUOTAS.flatMap(({ name, label }) => {
    const value = quotas[name];
    return value === undefined ? [] : [`${label}: ${grouped(value)}`];
  });
}
