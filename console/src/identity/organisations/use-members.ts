// Reads the members, invitations and access tokens of an organisation, and polls them (docs/decisions/0109).
import { type AccessToken, api, type Invitation, type Member } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { POLL_EVERY_MS, usePages } from '../../kit/use-pages.ts';

export function useMembers(organisationId: string) {
  return usePages<Member>({
    queryKey: queryKeys.members(organisationId),
    load: (cursor, signal) => api.listMembers({ organisationId, limit: 100, ...cursor }, { signal }),
    refetchInterval: POLL_EVERY_MS,
  });
}

export function useInvitations(organisationId: string) {
  return usePages<Invitation>({
    queryKey: queryKeys.invitations(organisationId),
    load: (cursor, signal) => api.listInvitations({ organisationId, limit: 50, ...cursor }, { signal }),
    refetchInterval: POLL_EVERY_MS,
  });
}

export function useAccessTokens(organisationId: string) {
  return usePages<AccessToken>({
    queryKey: queryKeys.accessTokens(organisationId),
    load: (cursor, signal) => api.listAccessTokens({ organisationId, limit: 50, ...cursor }, { signal }),
    refetchInterval: POLL_EVERY_MS,
  });
}
