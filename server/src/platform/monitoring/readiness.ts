// The readiness of a process, which /readyz reports. A process is unready while it starts, and from the beginning of
// its shutdown on.
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../kit/flow/clock.ts';
import type { Readings } from './metrics.ts';

interface ReadinessFinding {
  isOk: boolean;
  /** A sentence without addresses and error texts, which belong into the log. */
  detail: string;
  readings?: Readings;
}

export interface ReadinessCheck {
  name: string;
  /** Runs the check. Never rejects. */
  run(): Promise<ReadinessFinding>;
}

export interface Readiness {
  status: 'starting' | 'ready' | 'not_ready' | 'stopping';
  findings: readonly (ReadinessFinding & { name: string })[];
}

const WITHIN_MS = 1_000;
/** Within this time a repeated request gets the cached result, so that requests cause no load. */
const FRESH_MS = 1_000;

/** Returns the resolved value; undefined if it rejects or takes longer than a probe waits. */
export async function withinASecond<T>(check: () => Promise<T>): Promise<T | undefined> {
  const deadline = pause(WITHIN_MS, undefined, { ref: false });
  return Promise.race([check().catch(() => undefined), deadline]);
}

export function createReadiness(checks: readonly ReadinessCheck[], stage: () => 'starting' | 'started' | 'stopping') {
  let last: { atMs: number; findings: Promise<Readiness['findings']> } | undefined;

  const runChecks = (): Promise<Readiness['findings']> =>
    Promise.all(checks.map(async ({ name, run }) => ({ name, ...(await run()) })));

  return async function readReadiness(): Promise<Readiness> {
    if (!last || monotonicMs() - last.atMs > FRESH_MS) last = { atMs: monotonicMs(), findings: runChecks() };
    const findings = await last.findings;
    // Read after the wait, so that a shutdown is reported immediately.
    const currentStage = stage();
    if (currentStage !== 'started') return { status: currentStage, findings };
    return { status: findings.every(({ isOk }) => isOk) ? 'ready' : 'not_ready', findings };
  };
}
