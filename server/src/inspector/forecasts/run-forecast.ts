// Runs a part of a forecast: examines records for a bounded time, and returns where the next part continues.

import { SCOPES } from '../../access/authority/index.ts';
import { firstUuidAt, msOfUuid } from '../../kit/crypto/ids.ts';
import { monotonicMs } from '../../kit/flow/clock.ts';
import { planByValues } from '../requests/index.ts';
import type { Position } from './access-forecast.ts';
import { CurrentAccess, changedAccess } from './access-view.ts';
import { type Forecast, listSources } from './forecast-sources.ts';

const RUN_FOR_MS = 1_500;

/**
 * Examines records from the position on, and moves the position. Returns the examined share of the period, which is 1
 * only if nothing is left.
 */
export async function runForecast(
  options: Omit<Forecast, 'access' | 'views'>,
  position: Position,
  runForMs = RUN_FOR_MS,
): Promise<number> {
  const beganMs = monotonicMs();
  const { tenant, change, environment } = options;
  planByValues(tenant);
  const access = new CurrentAccess(tenant);
  await access.loadApp();
  if (change.kind === 'grants') for (const scope of SCOPES) await access.loadGrants(scope, change.serverIds);
  const views = { current: access, changed: changedAccess(access, change, environment) };
  const sources = await listSources({ ...options, access, views });
  const from = firstUuidAt(position.sinceMs);
  for (const [at, source] of sources.entries()) {
    if (position.source !== undefined && source.order < position.source) continue;
    if (position.source !== source.order) position.before = undefined;
    position.source = source.order;
    const until = position.before ?? firstUuidAt(position.untilMs);
    for (const range of source.ranges({ from, before: until })) {
      let isRead = false;
      position.before = range.before;
      while (!isRead) {
        const step = await source.count({ from: range.from, before: position.before }, position.totals);
        isRead = step.examined < source.size || step.reached === null;
        position.before = isRead ? range.from : (step.reached ?? range.from);
        if (monotonicMs() - beganMs > runForMs) return shareOf(position, at, sources.length);
      }
    }
  }
  return 1;
}

function shareOf({ before, sinceMs, untilMs }: Position, at: number, count: number): number {
  const reachedMs = before === undefined ? untilMs : Math.max(msOfUuid(before), sinceMs);
  return Math.min(0.999, (at + (untilMs - reachedMs) / (untilMs - sinceMs)) / count);
}
