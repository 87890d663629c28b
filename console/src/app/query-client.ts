// How the Console reads: what failed for good is not tried again, and a session that ended leads to the sign-in page.
import { SlipwayProblem } from '@slipway/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

const MAX_RETRIES = 2;

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
        retry: (failures, error) => failures < MAX_RETRIES && !isFinal(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

function isFinal(error: Error): boolean {
  return error instanceof SlipwayProblem && error.status < 500;
}
