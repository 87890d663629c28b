// Runs a part of a forecast: examines records for a bounded time, and returns where the next part continues.

import { SCOPES } from '../../access/authority/index.ts';
import { planByValues, readSources } from '../requests/index.ts';
import type { Position } from './access-forecast.ts';
import { CurrentAccess, changedAccess } from './access-view.ts';
import { type Forecast, listSources } from './forecast-sources.ts';

/**
 * Examines records from the position on, and moves the position. Returns the examined share of the period, which is 1
 * only if nothing is left.
 */
export async function runForecast(
  options: Omit<Forecast, 'access' | 'views' | 'totals'>,
  position: Position,
  runForMs?: number,
): Promise<number> {
  const { tenant, change, environment } = options;
  planByValues(tenant);
  const access = new CurrentAccess(tenant);
  await access.loadApp();
  if (change.kind === 'grants') for (const scope of SCOPES) await access.loadGrants(scope, change.serverIds);
  const views = { current: access, changed: changedAccess(access, change, environment) };
  const sources = await listSources({ ...options, access, views, totals: position.totals });
  return readSources(sources, position, runForMs);
}
