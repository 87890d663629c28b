// The page of the mailed link about a requested removal of the second factor. A click cancels the removal; opening the
// page does not.
import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { SignInFrame } from './sign-in-frame.tsx';
import { useLinkToken } from './use-link-token.ts';

const FIXES = {
  link_invalid: 'The removal was already cancelled or completed. Sign in and check your account.',
};

export function CancelRemovalPage(): ReactNode {
  useTitle('Cancel the removal');
  const token = useLinkToken();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: (link: string) => api.cancelMailedRemoval({ body: { token: link } }),
    onSuccess: () => queries.clear(),
  });
  return (
    <SignInFrame>
      {cancel.isSuccess ? (
        <Stack role="status">
          <Title order={1} fz={22}>
            The removal is cancelled
          </Title>
          <Text c="dimmed">
            Your second factor stays active. If you did not request the removal, choose a new password now: this ends
            all sessions and access tokens.
          </Text>
          <ButtonLink to="/reset-password" fullWidth>
            Choose a new password
          </ButtonLink>
          <AnchorLink to="/sign-in">Sign in</AnchorLink>
        </Stack>
      ) : (
        <Stack>
          <Title order={1} fz={22}>
            Cancel the removal of your second factor
          </Title>
          {token === undefined ? (
            <Text c="dimmed">This link is not complete. Open the link in the mail again.</Text>
          ) : (
            <>
              <Text c="dimmed">A person with your password requested the removal, without a code.</Text>
              {cancel.error && <ProblemAlert error={cancel.error} fixes={FIXES} />}
              <Button fullWidth loading={cancel.isPending} onClick={() => cancel.mutate(token)}>
                Cancel the removal
              </Button>
            </>
          )}
          <AnchorLink to="/sign-in">Sign in</AnchorLink>
        </Stack>
      )}
    </SignInFrame>
  );
}
