// Whether a process may be given work: what /readyz says. It is not while it starts, and no more from the moment it is stopped.
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs } from '../../kit/flow/clock.ts';
import type { Readings } from './metrics.ts';

export interface Finding {
  isOk: boolean;
  /** In words; nothing of addresses or errors, which are for the log. */
  detail: string;
  readings?: Readings;
}

export interface Check {
  name: string;
  /** Never rejects. */
  look(): Promise<Finding> | Finding;
}

export interface Readiness {
  status: 'starting' | 'ready' | 'not_ready' | 'stopping';
  findings: readonly (Finding & { name: string })[];
}

const WITHIN_MS = 1_000;
/** Whoever asks sooner than that is told the same: asking must not become a load. */
const FRESH_MS = 1_000;

/** What it resolves to; undefined where it rejects, or takes longer than a probe waits. */
export async function withinASecond<T>(look: () => Promise<T>): Promise<T | undefined> {
  const late = pause(WITHIN_MS, undefined, { ref: false });
  return Promise.race([look().catch(() => undefined), late]);
}

export function createReadiness(checks: readonly Check[], stage: () => 'starting' | 'started' | 'stopping') {
  let last: { atMs: number; findings: Promise<Readiness['findings']> } | undefined;

  const lookAtAll = (): Promise<Readiness['findings']> =>
    Promise.all(checks.map(async ({ name, look }) => ({ name, ...(await look()) })));

  return async function look(): Promise<Readiness> {
    if (!last || monotonicMs() - last.atMs > FRESH_MS) last = { atMs: monotonicMs(), findings: lookAtAll() };
    const findings = await last.findings;
    // Asked after the wait: a stop is told of at once.
    const at = stage();
    if (at !== 'started') return { status: at, findings };
    return { status: findings.every(({ isOk }) => isOk) ? 'ready' : 'not_ready', findings };
  };
}
