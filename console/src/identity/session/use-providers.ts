// Reads the sign-in methods of the installation: identity provider, and mailed links.
import { useQuery } from '@tanstack/react-query';
import { api } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

export function useProviders() {
  return useQuery({
    queryKey: queryKeys.providers,
    queryFn: ({ signal }) => api.listProviders({}, { signal }),
    staleTime: 60_000,
  });
}
