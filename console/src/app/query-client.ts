// Configures reads of the Console: an expired session leads to the sign-in page. The SDK retries transient failures.
import { SlipwayProblem } from '@slipway/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

const isSignInRequired = (error: Error): boolean =>
  error instanceof SlipwayProblem && error.code === 'sign_in_required';

export function createQueries(onSignInRequired: () => void): QueryClient {
  const watch = (error: Error): void => {
    if (isSignInRequired(error)) onSignInRequired();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        networkMode: 'always', // the server can be this machine, without any network
        // A confirmed second factor replaces the session. A read on its way still has the cookie of the previous one.
        retry: (failures, error) => failures === 0 && isSignInRequired(error),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
