// Who is signed in, and as what in an organisation.
import { useQuery } from '@tanstack/react-query';
import { api, type Membership } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

export const sessionQuery = {
  queryKey: queryKeys.session,
  queryFn: ({ signal }: { signal: AbortSignal }) => api.getSession({}, { signal }),
  staleTime: 60_000,
};

export function useSession() {
  return useQuery(sessionQuery);
}

/** The person's place in an organisation; undefined while it is loading, and where they do not belong. */
export function useMembership(organisationId: string): Membership | undefined {
  return useSession().data?.organisations.find((one) => one.id === organisationId);
}
