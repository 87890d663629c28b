// Suspends and resumes an app.

import { List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { stoppedSentence } from './app-labels.ts';
import { type OneAppProps, useChangeApp } from './use-app.ts';

export function AppSuspension({ scope, role, app }: OneAppProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const resume = useChangeApp(scope, () => api.resumeApp(scope));
  const isSuspended = app.state === 'suspended';
  return (
    <Panel p="lg">
      <Stack>
        <SectionHead title="Suspension">
          Every call with its keys is refused{IS_PRODUCTION ? ' and' : ','} deliveries are held
          {!IS_PRODUCTION && ', and its sandbox data stops changing'}, until you resume it.
        </SectionHead>
        {app.suspendedBy === 'operator' && (
          <Text>The operator of Slipway suspended the app with the organisation.</Text>
        )}
        {resume.error && <ProblemAlert error={resume.error} />}
        <GuardedButton
          role={role}
          action="apps.suspend"
          variant="default"
          w="fit-content"
          loading={resume.isPending}
          onClick={isSuspended ? () => resume.mutate() : dialog.open}
        >
          {isSuspended ? 'Resume the app' : 'Suspend the app'}
        </GuardedButton>
        {isOpen && <SuspendApp scope={scope} role={role} app={app} onClose={dialog.close} />}
      </Stack>
    </Panel>
  );
}

function SuspendApp({ scope, app, onClose }: OneAppProps & { onClose: () => void }): ReactNode {
  const suspend = useChangeApp(scope, async () => {
    const { app: suspended, stopped } = await api.suspendApp(scope);
    notifications.show({ color: 'teal', title: `“${app.name}” is suspended`, message: stoppedSentence(stopped) });
    return suspended;
  });
  return (
    <ConfirmDialog
      isOpen
      title={`Suspend the ${ENVIRONMENT} app “${app.name}”?`}
      action="Suspend the app"
      isPending={suspend.isPending}
      error={suspend.error}
      onConfirm={() => suspend.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <List size="sm" spacing={6}>
        <List.Item>Every later call with its keys is refused with app_suspended.</List.Item>
        <List.Item>Waiting deliveries are held, and so are deliveries of later events.</List.Item>
        <List.Item>Keys are not revoked, and expire as planned. Resuming restores calls and deliveries.</List.Item>
      </List>
    </ConfirmDialog>
  );
}
