// The environments in words and their addresses; every page and every dialog that destroys says where it is.
import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { queryKeys } from './query-keys.ts';

export const ENVIRONMENTS = {
  sandbox: { name: 'Sandbox', sentence: 'synthetic data, no real effects' },
  production: { name: 'Production', sentence: 'real data, real effects' },
} as const;
export type EnvironmentName = keyof typeof ENVIRONMENTS;

export const SANDBOX = ENVIRONMENTS.sandbox;

/** The first part of an address names it; undefined for what belongs to none. */
export function environmentOf(path: string): EnvironmentName | undefined {
  const [, first] = path.split('/');
  return first === 'sandbox' || first === 'production' ? first : undefined;
}

export const PRODUCTION_REASON =
  'This Slipway does not serve production yet. Sandbox and production share no keys, no data and no addresses.';

/** The sandbox's public addresses; undefined while they are not known yet. */
export function useSandbox() {
  const query = useQuery({
    queryKey: queryKeys.environments,
    queryFn: ({ signal }) => api.listEnvironments({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return query.data?.data.find((one) => one.name === 'sandbox');
}
