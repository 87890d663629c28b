// Reads the decisions of reviewers about live access, and marks one as read for the organisation.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type LiveAccessRequest } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

const LOOK_EVERY_MS = 60_000;
/** As long as notices are kept. */
const SHOWN_FOR_MS = 90 * 86_400_000;
const DECIDED: readonly LiveAccessRequest['state'][] = ['approved', 'rejected', 'changes_requested'];

/** A request with the time of the decision that is shown. */
export type Decision = LiveAccessRequest & { decidedAt: string };

const isShown = (request: LiveAccessRequest): request is Decision =>
  request.decidedAt !== null &&
  DECIDED.includes(request.state) &&
  Date.now() - Date.parse(request.decidedAt) < SHOWN_FOR_MS;

export function useDecisions(organisationId: string) {
  const { data } = useQuery({
    queryKey: [...queryKeys.liveAccess(organisationId), 'decisions'],
    queryFn: ({ signal }) => api.listLiveAccessRequests({ organisationId, limit: 50 }, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const decisions = (data?.data ?? []).filter(isShown);
  return { decisions, unread: decisions.filter(({ decisionReadAt }) => decisionReadAt === null) };
}

export function useReadDecision(organisationId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, decidedAt }: Decision) =>
      api.readLiveAccessDecision({ organisationId, liveAccessRequestId: id, body: { decidedAt } }),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.liveAccess(organisationId) }),
  });
}
