// Sign-in button of the operator's identity provider, if one is configured. If the configuration cannot be read, the
// other methods remain.
import { Button, Divider } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { keepReturnPath } from './return-path.ts';
import { useProviders } from './use-providers.ts';

const FIXES = { provider_sign_in_failed: 'The provider cannot be reached. Try again, or sign in with your password.' };

export function ProviderButton({ returnPath }: { returnPath: string }): ReactNode {
  const providers = useProviders();
  const begin = useMutation({
    mutationFn: () => api.beginProviderSignIn(),
    onSuccess: ({ url }) => {
      keepReturnPath(returnPath);
      window.location.assign(url);
    },
  });
  const provider = providers.data?.data[0];
  if (!provider) return null;
  return (
    <>
      <Divider label="or" />
      {begin.error && <ProblemAlert error={begin.error} fixes={FIXES} />}
      <Button
        variant="default"
        fullWidth
        loading={begin.isPending || begin.isSuccess} // until the browser leaves the page
        onClick={() => begin.mutate()}
      >
        Sign in with {provider.name}
      </Button>
    </>
  );
}
