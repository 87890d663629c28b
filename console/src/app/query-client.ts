// How the Console reads: a session that ended leads to the sign-in page. What fails in passing is tried again by the SDK.
import { SlipwayProblem } from '@slipway/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

export function createQueries(onSignInRequired: () => void): QueryClient {
  const watch = (error: Error): void => {
    if (error instanceof SlipwayProblem && error.code === 'sign_in_required') onSignInRequired();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        networkMode: 'always', // the server may well be this machine, with no network at all
        retry: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
