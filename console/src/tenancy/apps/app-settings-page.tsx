// Settings of an app: name, suspension and deletion.
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { api } from '../../kit/api.ts';
import { NameInput } from '../../kit/name-input.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { useRefusalReason } from '../../kit/roles.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { AppDeletion } from './app-deletion.tsx';
import { AppSuspension } from './app-suspension.tsx';
import { type OneAppProps, useApp, useChangeApp } from './use-app.ts';

export function AppSettingsPage(): ReactNode {
  const scope = useAppScope();
  const { data: app } = useApp(scope); // the layout shows an error of this read
  useTitle('Settings', app?.name);
  const role = useMembership(scope.organisationId)?.role;
  if (!app) return <Skeleton height={420} radius="sm" aria-label="Loading the app" role="status" />;
  const own = { scope, role, app };
  return (
    <Stack gap="lg" maw={720}>
      <Rename key={app.name} {...own} />
      {app.state !== 'deleting' && <AppSuspension {...own} />}
      <AppDeletion {...own} />
    </Stack>
  );
}

function Rename({ scope, role, app }: OneAppProps): ReactNode {
  const [name, setName] = useState(app.name);
  const reason = useRefusalReason(role, 'apps.change');
  const rename = useChangeApp(scope, (wanted: string) => api.updateApp({ ...scope, body: { name: wanted } }));
  const nameError = fieldError(rename.error, '/name');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    rename.mutate(name.trim(), {
      onSuccess: () => notifications.show({ color: 'teal', title: 'Done', message: 'The app has its new name.' }),
    });
  };
  return (
    <Panel p="lg">
      <form onSubmit={submit}>
        <Stack>
          <SectionHead title="Name">
            The name that members and server owners see. A new name changes no identifier.
          </SectionHead>
          {rename.error && !nameError && <ProblemAlert error={rename.error} />}
          <Group align="flex-end">
            <NameInput
              aria-label="Name of the app"
              flex={1}
              readOnly={reason !== undefined}
              value={name}
              error={nameError}
              onChange={setName}
            />
            <Button
              type="submit"
              variant="default"
              disabled={reason !== undefined || name.trim() === app.name}
              loading={rename.isPending}
            >
              Rename
            </Button>
          </Group>
          {reason && <Text c="dimmed">{reason}</Text>}
        </Stack>
      </form>
    </Panel>
  );
}
