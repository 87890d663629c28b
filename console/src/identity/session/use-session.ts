// Reads the signed-in person and their memberships.
import { useQuery } from '@tanstack/react-query';
import { api, type Membership } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

export const sessionQuery = {
  queryKey: queryKeys.session,
  queryFn: ({ signal }: { signal: AbortSignal }) => api.getSession({}, { signal }),
  staleTime: 60_000,
  retry: false, // a visitor has no session, and the page waits for this refusal
};

export function useSession() {
  return useQuery(sessionQuery);
}

/** Returns the person's membership; undefined while it loads, and if the person is not a member. */
export function useMembership(organisationId: string): Membership | undefined {
  return useSession().data?.organisations.find((one) => one.id === organisationId);
}
