// Reads the activity of a key, part by part until it is complete.
import { addKeyActivity } from '@slipway/sdk/management';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AppScope, api, defined, type KeyActivity } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { useAllPages } from '../../kit/use-all-pages.ts';

/** Returns the sum of the parts so far. Without `since`, the activity begins with the creation of the key. */
export function useKeyActivity(scope: AppScope, keyId: string, since: string | undefined) {
  const query = useInfiniteQuery({
    queryKey: queryKeys.keyActivity(scope, keyId, since),
    initialPageParam: undefined as KeyActivity | undefined, // no part is read
    queryFn: async ({ pageParam: sum, signal }) => {
      const cursor = sum?.nextCursor ?? undefined;
      return addKeyActivity(
        sum,
        await api.getKeyActivity({ ...scope, keyId, ...defined({ since, cursor }) }, { signal }),
      );
    },
    getNextPageParam: (sum) => (sum.nextCursor === null ? undefined : sum),
    maxPages: 1, // the newest sum has all parts
    structuralSharing: false, // it would compare all entries, and replace the sum by a copy
    refetchOnWindowFocus: false,
    gcTime: 0, // a dialog that opens again shows the current records
  });
  useAllPages(query);
  return { activity: query.data?.pages.at(-1), error: query.error };
}
