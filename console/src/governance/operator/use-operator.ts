// Reads and changes of operators. Their lists have no cursor and continue after the last identifier.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  api,
  type Message,
  type OperatedOrganisation,
  type SignUpPolicy,
  type UnauthenticatedRequest,
} from '../../kit/api.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { usePages } from '../../kit/use-pages.ts';
import type { MessagesSearch } from './search.ts';

const LIMIT = 50;
const LOOK_EVERY_MS = 30_000;

const pageAt = ({ cursor }: { cursor?: string }) => ({ limit: LIMIT, ...(cursor !== undefined && { before: cursor }) });

function toPage<T extends { id: string }>(data: T[]) {
  return { data, nextCursor: data.length < LIMIT ? null : (data.at(-1)?.id ?? null) };
}

export function useOperatedOrganisations() {
  return usePages<OperatedOrganisation>({
    queryKey: queryKeys.operator.organisations,
    load: async (cursor, signal) => toPage((await api.listOrganisations(pageAt(cursor), { signal })).data),
  });
}

/** Returns a mutation of an organisation, which refreshes the list. */
export function useChangeOrganisation<Input = void>(change: (input: Input) => Promise<OperatedOrganisation>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: queryKeys.operator.organisations }),
  });
}

export function useMessages(state: MessagesSearch['state']) {
  return usePages<Message>({
    queryKey: [...queryKeys.operator.messages, state],
    load: async (cursor, signal) =>
      toPage((await api.listMessages({ ...pageAt(cursor), ...(state && { state }) }, { signal })).data),
  });
}

const environment = 'sandbox';

export function useUnauthenticatedRequests() {
  return usePages<UnauthenticatedRequest>({
    queryKey: [...queryKeys.operator.unauthenticated, 'list'],
    load: async (cursor, signal) =>
      toPage((await api.listUnauthenticatedRequests({ environment, ...pageAt(cursor) }, { signal })).data),
  });
}

/** Reads the aggregated requests and the start of the list. Every page contains both, so the shortest page is read. */
export function useUnauthenticatedSummary() {
  return useQuery({
    queryKey: [...queryKeys.operator.unauthenticated, 'summary'],
    queryFn: ({ signal }) => api.listUnauthenticatedRequests({ environment, limit: 1 }, { signal }),
  });
}

/** Reads the failures of the upstream API, newest first. */
export function useUpstreamFailures() {
  return useQuery({
    queryKey: queryKeys.operator.platform,
    queryFn: async ({ signal }) => (await api.listUpstreamFailures({}, { signal })).data,
    refetchInterval: LOOK_EVERY_MS,
  });
}

/** Reads the sign-up policy. Only operators may read it, so the response also shows whether a person is one. */
export function useSignUpPolicy(isWanted = true) {
  return useQuery({
    queryKey: queryKeys.operator.signUpPolicy,
    queryFn: ({ signal }) => api.getSignUpPolicy({}, { signal }),
    enabled: isWanted,
  });
}

export function useSetSignUpPolicy(onSaved: (policy: SignUpPolicy) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SignUpPolicy) => api.setSignUpPolicy({ body }),
    onSuccess: (policy) => {
      queries.setQueryData(queryKeys.operator.signUpPolicy, policy);
      onSaved(policy);
    },
  });
}
