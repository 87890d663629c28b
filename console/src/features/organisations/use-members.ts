// The members of an organisation.
import { api, type Member } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { usePages } from '../../kit/use-pages.ts';

export function useMembers(organisationId: string) {
  return usePages<Member>({
    queryKey: queryKeys.members(organisationId),
    load: (cursor, signal) => api.listMembers({ organisationId, limit: 100, ...cursor }, { signal }),
  });
}
