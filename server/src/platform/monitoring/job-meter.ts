// Counts the failures of each job of a process.
import type { Readings } from './metrics.ts';

interface JobMeter {
  count(name: string): void;
  read(): Readings;
}

export function createJobMeter(): JobMeter {
  const failures = new Map<string, number>();
  return {
    count: (name) => void failures.set(name, (failures.get(name) ?? 0) + 1),
    read: () => ({
      slipway_job_failures_total: [...failures].map(([name, value]) => ({ labels: { name }, value })),
    }),
  };
}
