// Reads the decisions of reviewers about live access. The server has no state of reading for them, so this browser
// stores which decisions were read.
import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api, type LiveAccessRequest } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';

const LOOK_EVERY_MS = 60_000;
/** As long as notices are kept. */
const SHOWN_FOR_MS = 90 * 86_400_000;
const MAX_STORED = 100;
const DECIDED: readonly LiveAccessRequest['state'][] = ['approved', 'rejected', 'changes_requested'];

/** A submitted request can be decided again, so a mark contains the time. */
const markOf = ({ id, decidedAt }: LiveAccessRequest): string => `${id} ${decidedAt}`;

const isShown = ({ state, decidedAt }: LiveAccessRequest): boolean =>
  decidedAt !== null && DECIDED.includes(state) && Date.now() - Date.parse(decidedAt) < SHOWN_FOR_MS;

export function useDecisions(organisationId: string) {
  const [marks, store] = useLocalStorage<string[]>({
    key: 'slipway-read-decisions',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const { data } = useQuery({
    queryKey: [...queryKeys.liveAccess(organisationId), 'decisions'],
    queryFn: ({ signal }) => api.listLiveAccessRequests({ organisationId, limit: 50 }, { signal }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const decisions = (data?.data ?? []).filter(isShown);
  const isRead = (one: LiveAccessRequest): boolean => marks.includes(markOf(one));
  return {
    decisions,
    unread: decisions.filter((one) => !isRead(one)),
    isRead,
    markRead: (one: LiveAccessRequest) => store((stored) => [markOf(one), ...stored].slice(0, MAX_STORED)),
  };
}
