// Previews and performs a change of every server's installation, a thousand servers per request.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type AppScope, api, type Operations } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

type BulkChangeInput = Pick<Operations['changeInstallations']['input']['body'], 'state' | 'scopes' | 'includeRevoked'>;

export interface BulkCounts {
  changed: number;
  unchanged: number;
  impossible: number;
  /** Revoked grants that stay revoked. */
  excluded: number;
  changedFromPaused: number;
  changedFromRevoked: number;
  deliveries: number;
  changedServerIds: string[];
  /** The receipts of the revoked grants, one for each request that revoked some. */
  receiptIds: string[];
}

const NO_COUNTS = {
  changed: 0,
  unchanged: 0,
  impossible: 0,
  excluded: 0,
  changedFromPaused: 0,
  changedFromRevoked: 0,
  deliveries: 0,
};

async function changeAll(app: AppScope, input: BulkChangeInput & { isDryRun: boolean }): Promise<BulkCounts> {
  const sum = { ...NO_COUNTS };
  const changedServerIds = new Set<string>();
  const receiptIds: string[] = [];
  let cursor: string | undefined;
  do {
    const body = { ...input, ...(cursor !== undefined && { cursor }) };
    const part = await api.changeInstallations({ ...app, body });
    for (const name of ['changed', 'unchanged', 'impossible', 'excluded', 'deliveries'] as const)
      sum[name] += part[name];
    for (const { serverId, outcome } of part.data) if (outcome === 'changed') changedServerIds.add(serverId);
    sum.changedFromPaused += part.changedFrom.paused;
    sum.changedFromRevoked += part.changedFrom.revoked;
    if (part.receiptId !== null) receiptIds.push(part.receiptId);
    cursor = part.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return { ...sum, changedServerIds: [...changedServerIds], receiptIds };
}

export function useBulkPreview(app: AppScope, input: BulkChangeInput) {
  return useQuery({
    queryKey: [...queryKeys.installations(app), 'preview', input],
    queryFn: () => changeAll(app, { ...input, isDryRun: true }),
    gcTime: 0,
  });
}

export function useChangeAll(app: AppScope) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: BulkChangeInput) => changeAll(app, { ...input, isDryRun: false }),
    // Also after a failure: earlier requests can have changed servers.
    onSettled: () =>
      Promise.all(
        [queryKeys.installations(app), queryKeys.deliveries(app)].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
