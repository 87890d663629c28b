// The requests of an app under the filters of the address, and what has arrived since: the tail is read every two seconds
// and joins the list, unless the reader is looking at it.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type AppScope, api, defined, type RequestRecord } from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { type Page, type Pages, usePages } from '../../kit/use-pages.ts';
import type { RequestsSearch } from './search.ts';

const TAIL_MS = 2_000;
const PAGE = 50;
const TAIL_PAGE = 100;

export function useRequests(scope: AppScope, search: RequestsSearch, isLive: boolean, isPaused: boolean) {
  const queries = useQueryClient();
  const filters = defined({
    statusClass: search.status,
    code: search.code,
    method: search.method,
    keyId: search.key,
  });
  const queryKey = [...queryKeys.requests(scope), 'pages', filters];
  const list = usePages<RequestRecord>({
    queryKey,
    load: (cursor, signal) => api.listRequests({ ...scope, ...filters, limit: PAGE, ...cursor }, { signal }),
  });
  const tail = useQuery({
    queryKey: [...queryKeys.requests(scope), 'tail', filters],
    queryFn: ({ signal }) => api.listRequests({ ...scope, ...filters, limit: TAIL_PAGE }, { signal }),
    enabled: isLive && list.isSuccess,
    refetchInterval: TAIL_MS,
    retry: false, // the next turn is the retry
  });

  const waiting = isLive ? newIn(tail.data, list.items) : [];
  const showNew = (): void => {
    queries.setQueryData<Pages<RequestRecord>>(queryKey, (old) => old && tail.data && joined(old, tail.data));
  };
  const mayJoin = waiting.length > 0 && !isPaused;
  // biome-ignore lint/correctness/useExhaustiveDependencies: showNew is made anew on each drawing and reads what is current
  useEffect(() => {
    if (mayJoin) showNew();
  }, [mayJoin, tail.dataUpdatedAt]);

  const waitingWords = waiting.length === 0 ? '' : `${waiting.length}${waiting.length >= TAIL_PAGE ? '+' : ''} new`;
  return { list, waiting: waitingWords, showNew, tailError: tail.error };
}

function newIn(tail: Page<RequestRecord> | undefined, known: RequestRecord[] | undefined): RequestRecord[] {
  if (!tail || !known) return [];
  const ids = new Set(known.map((one) => one.id));
  const oldest = known.at(-1)?.id ?? '';
  // What is older than everything shown is not new: it is on a page that was not loaded.
  return tail.data.filter((one) => !ids.has(one.id) && one.id > oldest);
}

/** The list with what is new at its head; when more arrived than a tail holds, the list begins anew with the tail. */
export function joined(old: Pages<RequestRecord>, tail: Page<RequestRecord>): Pages<RequestRecord> {
  const known = old.pages.flatMap((page) => page.data);
  const fresh = newIn(tail, known);
  const hasGap = tail.nextCursor !== null && known.length > 0 && fresh.length === tail.data.length;
  if (hasGap) return { pages: [tail], pageParams: [undefined] };
  const [first, ...rest] = old.pages;
  // Identifiers are in the order of arrival; a slow answer is recorded after a later one's.
  const data = [...fresh, ...(first?.data ?? [])].sort((a, b) => (a.id < b.id ? 1 : -1));
  const nextCursor = known.length === 0 ? tail.nextCursor : (first?.nextCursor ?? null);
  return { ...old, pages: [{ data, nextCursor }, ...rest] };
}
