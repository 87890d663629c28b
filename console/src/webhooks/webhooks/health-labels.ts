// Texts about the health of an endpoint.
import type { EndpointHealth } from '../../kit/api.ts';

const DAY_MS = 86_400_000;
/** Days of continuous failures after which an endpoint is disabled. */
export const DAYS_UNTIL_DISABLED = 5;

/** Returns "98 %", rounded down, so that a single failure stays visible. */
export const formatPercent = (rate: number): string => `${Math.floor(rate * 100)} %`;

/** Returns "98 % of the last 50 attempts succeeded". */
export function formatRate({ recentAttempts, successRate }: EndpointHealth): string {
  if (successRate === null) return 'No attempt yet';
  if (recentAttempts === 1) return `The only attempt ${successRate === 1 ? 'succeeded' : 'failed'}`;
  return `${formatPercent(successRate)} of the last ${recentAttempts} attempts succeeded`;
}

/** Returns when the endpoint will be disabled if all attempts keep failing; undefined if they do not fail. */
export function disabledFrom({ failingSince }: EndpointHealth): string | undefined {
  if (failingSince === null) return undefined;
  return new Date(new Date(failingSince).getTime() + DAYS_UNTIL_DISABLED * DAY_MS).toISOString();
}
