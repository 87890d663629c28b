// Reads and changes requests for live access, for members and for reviewers.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type AppScope,
  api,
  type LiveAccessRequest,
  type LiveAccessRequestDetail,
  type LiveAccessReview,
} from '../../kit/api.ts';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { usePages } from '../../kit/use-pages.ts';

/** Reads an app's rights in production, in both environments. Null if the app has no live access. */
export function useLiveAccess({ organisationId, appId }: AppScope, isWanted = true) {
  const filter = ENVIRONMENT === 'production' ? { productionAppId: appId } : { appId };
  return useQuery({
    queryKey: [...queryKeys.liveAccess(organisationId), 'app', appId],
    queryFn: async ({ signal }) =>
      (await api.listLiveAccess({ organisationId, ...filter }, { signal })).data[0] ?? null,
    enabled: isWanted,
  });
}

/** Reads the app's requests, newest first. */
export function useRequests({ organisationId, appId }: AppScope) {
  return usePages<LiveAccessRequest>({
    queryKey: [...queryKeys.liveAccess(organisationId), 'requests', appId],
    load: (cursor, signal) => api.listLiveAccessRequests({ organisationId, appId, limit: 25, ...cursor }, { signal }),
  });
}

const requestKey = (organisationId: string, id: string) =>
  [...queryKeys.liveAccess(organisationId), 'request', id] as const;

export function useRequest(organisationId: string, id: string) {
  return useQuery({
    queryKey: requestKey(organisationId, id),
    queryFn: ({ signal }) => api.getLiveAccessRequest({ organisationId, liveAccessRequestId: id }, { signal }),
  });
}

export function useEvidence(scope: AppScope, isWanted: boolean) {
  return useQuery({
    queryKey: queryKeys.evidence(scope),
    queryFn: ({ signal }) => api.getEvidence(scope, { signal }),
    enabled: isWanted,
  });
}

/** Returns a mutation of a request, which invalidates all live access of the organisation. */
export function useStep<Input = void>(
  organisationId: string,
  step: (input: Input) => Promise<LiveAccessRequestDetail>,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: step,
    onSuccess: (request) => {
      queries.setQueryData(requestKey(organisationId, request.id), request);
      return queries.invalidateQueries({ queryKey: queryKeys.liveAccess(organisationId) });
    },
  });
}

const LIMIT = 50;

export function useReviews(state: LiveAccessRequest['state']) {
  return usePages<LiveAccessRequest>({
    queryKey: [...queryKeys.operator.liveAccess, 'list', state],
    load: async ({ cursor }, signal) => {
      const page = { limit: LIMIT, state, ...(cursor !== undefined && { before: cursor }) };
      const { data } = await api.listLiveAccessReviews(page, { signal });
      return { data, nextCursor: data.length < LIMIT ? null : (data.at(-1)?.id ?? null) };
    },
  });
}

export function useReview(id: string) {
  return useQuery({
    queryKey: [...queryKeys.operator.liveAccess, 'one', id],
    queryFn: ({ signal }) => api.getLiveAccessReview({ liveAccessRequestId: id }, { signal }),
  });
}

/**
 * Returns a mutation that decides a request. The list is read again, because production confirms shortly afterwards.
 */
export function useDecision<Input = void>(decide: (input: Input) => Promise<LiveAccessReview>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: decide,
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.operator.liveAccess }),
  });
}
