// Names and addresses of the environments. A document stays in one environment: a switch loads a new page, so that
// nothing of one environment is shown in or sent to the other.
import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { ENVIRONMENT } from './environment-path.ts';
import { queryKeys } from './query-keys.ts';

export const ENVIRONMENTS = {
  sandbox: { name: 'Sandbox', sentence: 'synthetic data, no real effects' },
  production: { name: 'Production', sentence: 'real data, real effects' },
} as const;

export const IS_PRODUCTION = ENVIRONMENT === 'production';
export const CURRENT_ENVIRONMENT = ENVIRONMENTS[ENVIRONMENT];
/** Name for the middle of a sentence. */
export const ENVIRONMENT_PHRASE = IS_PRODUCTION ? 'production' : 'the sandbox';

export const PRODUCTION_REASON =
  'This Slipway does not serve production yet. Sandbox and production share no keys, no data and no addresses.';

export function useEnvironments() {
  return useQuery({
    queryKey: queryKeys.environments,
    queryFn: ({ signal }) => api.listEnvironments({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the public addresses of the current environment; undefined until they are loaded. */
export function useCurrentEnvironment() {
  return useEnvironments().data?.data.find((one) => one.name === ENVIRONMENT);
}
