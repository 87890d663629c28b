// Settings of an app: name, captures, suspension and deletion.
import { Skeleton, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { api } from '../../kit/api.ts';
import { RenameForm } from '../../kit/rename-form.tsx';
import { useRefusalReason } from '../../kit/roles.ts';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { AppCaptures } from './app-captures.tsx';
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
      {app.state !== 'deleting' && <AppCaptures {...own} />}
      {app.state !== 'deleting' && <AppSuspension {...own} />}
      <AppDeletion {...own} />
    </Stack>
  );
}

function Rename({ scope, role, app }: OneAppProps): ReactNode {
  const refusal = useRefusalReason(role, 'apps.change');
  const rename = useChangeApp(scope, async (name: string) => {
    const renamed = await api.updateApp({ ...scope, body: { name } });
    notifications.show({ color: 'teal', title: 'Done', message: 'The app has its new name.' });
    return renamed;
  });
  return (
    <RenameForm
      name={app.name}
      description="The name that members and server owners see. A new name changes no identifier."
      inputLabel="Name of the app"
      refusal={refusal}
      rename={rename}
    />
  );
}
