// Links the account to the operator's identity provider, if one is configured.
import { Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, defined, type Session } from '../../kit/api.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { CurrentPassword } from './current-password.tsx';
import { keepReturnPath } from './return-path.ts';

export function ProviderPanel({ person }: { person: Session['person'] }): ReactNode {
  const providers = useQuery({
    queryKey: queryKeys.providers,
    queryFn: ({ signal }) => api.listProviders({}, { signal }),
    staleTime: 60_000,
  });
  const name = providers.data?.data[0]?.name;
  if (name === undefined) return null;
  const { isLinkedToProvider: isLinked, hasPassword } = person;
  return (
    <Panel p="lg">
      <Stack>
        <SectionHead
          title={name}
          action={<StateBadge tone={isLinked ? 'good' : 'none'}>{isLinked ? 'linked' : 'not linked'}</StateBadge>}
        >
          {isLinked ? `${name} signs you in to this account.` : `Link your identity there to sign in with ${name}.`}
        </SectionHead>
        {isLinked ? <Unlink name={name} /> : <Link name={name} hasPassword={hasPassword} />}
      </Stack>
    </Panel>
  );
}

function Unlink({ name }: { name: string }): ReactNode {
  const queries = useQueryClient();
  const unlink = useMutation({
    mutationFn: () => api.removeProviderLink(),
    onSuccess: async () => {
      notifications.show({ color: 'teal', title: 'Unlinked', message: `${name} no longer signs you in.` });
      await queries.invalidateQueries({ queryKey: queryKeys.session });
    },
  });
  return (
    <>
      {unlink.error && <ProblemAlert error={unlink.error} />}
      <Button variant="default" w="fit-content" loading={unlink.isPending} onClick={() => unlink.mutate()}>
        Unlink
      </Button>
    </>
  );
}

function Link({ name, hasPassword }: { name: string; hasPassword: boolean }): ReactNode {
  const [password, setPassword] = useState('');
  const begin = useMutation({
    mutationFn: () => api.beginProviderLink({ body: defined({ currentPassword: hasPassword ? password : undefined }) }),
    onSuccess: ({ url }) => {
      keepReturnPath('/account');
      window.location.assign(url);
    },
  });
  const passwordError = fieldError(begin.error, '/currentPassword');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    begin.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {begin.error && <ProblemAlert error={begin.error} fields={['/currentPassword']} />}
        {hasPassword && <CurrentPassword value={password} onChange={setPassword} error={passwordError} />}
        <Button type="submit" variant="default" w="fit-content" loading={begin.isPending || begin.isSuccess}>
          Link {name}
        </Button>
      </Stack>
    </form>
  );
}
