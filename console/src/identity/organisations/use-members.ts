// Reads the members of an organisation.
import { api, type Invitation, type Member } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { usePages } from '../../kit/use-pages.ts';

export function useMembers(organisationId: string) {
  return usePages<Member>({
    queryKey: queryKeys.members(organisationId),
    load: (cursor, signal) => api.listMembers({ organisationId, limit: 100, ...cursor }, { signal }),
  });
}

export function useInvitations(organisationId: string) {
  return usePages<Invitation>({
    queryKey: queryKeys.invitations(organisationId),
    load: (cursor, signal) => api.listInvitations({ organisationId, limit: 50, ...cursor }, { signal }),
  });
}
