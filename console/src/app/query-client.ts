// Configures reads of the Console: an expired session leads to the sign-in page. The SDK retries transient failures.
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
        networkMode: 'always', // the server can be this machine, without any network
        retry: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
