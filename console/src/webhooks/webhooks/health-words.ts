// The health of an endpoint in words.
import type { EndpointHealth } from '../../kit/api.ts';

const DAY_MS = 86_400_000;
/** After so many days of nothing but failures an endpoint is disabled. */
export const DAYS_UNTIL_DISABLED = 5;

/** "98 % of the last 50 attempts succeeded". */
export function rateWords({ recentAttempts, successRate }: EndpointHealth): string {
  if (successRate === null) return 'No attempt was made yet';
  // Rounded down: a single failure is not rounded away.
  const percent = Math.floor(successRate * 100);
  if (recentAttempts === 1) return `The one attempt that was made ${percent === 100 ? 'succeeded' : 'failed'}`;
  return `${percent} % of the last ${recentAttempts} attempts succeeded`;
}

/** When it is disabled at the earliest, as long as everything fails; undefined while it does not. */
export function disabledFrom({ failingSince }: EndpointHealth): string | undefined {
  if (failingSince === null) return undefined;
  return new Date(new Date(failingSince).getTime() + DAYS_UNTIL_DISABLED * DAY_MS).toISOString();
}
