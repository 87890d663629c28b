// Reads the contract of the environment once and keeps it: it changes only with a new server version.
import { useQuery } from '@tanstack/react-query';
import { api } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import type { Document } from './document.ts';
import { type Reference, readReference } from './reference.ts';

/** Reads the contract only if `isWanted`, because it is large. */
export function useReference(isWanted = true) {
  const { organisationId } = useAppScope();
  return useQuery({
    queryKey: queryKeys.contract(organisationId),
    queryFn: async ({ signal }): Promise<Reference> => {
      const document: unknown = await api.getContract({ organisationId }, { signal });
      return readReference(document as Document); // the server's contract, which its tests validate as OpenAPI 3.1
    },
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isWanted,
  });
}
