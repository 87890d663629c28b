// What a change can break, so that a program shows no count for what the change cannot concern.
import type { AccessChangeInput } from './generated/console.ts';

export interface ForecastParts {
  /** False if the change can refuse no request: `requests` of its forecast is always 0. */
  requests: boolean;
  /** What the change can do to deliveries. `none`: `deliveries` of its forecast is always 0. */
  deliveries: 'skipped' | 'held' | 'none';
}

/**
 * Returns what a change can break. Example:
 *
 *   forecastParts({ endpoint: { endpointId, state: 'disabled' } }); // { requests: false, deliveries: 'skipped' }
 */
export function forecastParts({ key, grants, endpoint }: AccessChangeInput): ForecastParts {
  if (grants?.state === 'paused') return { requests: true, deliveries: 'held' };
  // A delivery needs a valid key with `events:read`. Address ranges restrict callers only.
  const keepsDeliveries =
    key !== undefined &&
    key.state === undefined &&
    key.expiresInDays === undefined &&
    key.scopes?.includes('events:read') !== false;
  return { requests: endpoint === undefined, deliveries: keepsDeliveries ? 'none' : 'skipped' };
}
