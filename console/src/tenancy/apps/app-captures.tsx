// Begins and ends the captures of an app: the stored headers and bodies of its requests.
import { Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { api } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { type OneAppProps, useChangeApp } from './use-app.ts';

export function AppCaptures({ scope, role, app }: OneAppProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const change = useChangeApp(scope, (capturesBodies: boolean) =>
    api.updateApp({ ...scope, body: { capturesBodies } }),
  );
  if (IS_PRODUCTION) return null;
  return (
    <Panel p="lg" role="region" aria-label="Headers and bodies">
      <Stack>
        <SectionHead title="Headers and bodies">
          The headers and bodies of requests and responses can be stored for a limited time, by default for 24 hours.
          They are sealed, and credentials are masked. The audit log records who sees them.
        </SectionHead>
        {!app.canCaptureBodies && <Text>The operator of this Slipway does not permit it.</Text>}
        {app.canCaptureBodies && (
          <GuardedButton
            role={role}
            action="apps.change"
            variant="default"
            w="fit-content"
            loading={change.isPending}
            onClick={app.capturesBodies ? dialog.open : () => change.mutate(true)}
          >
            {app.capturesBodies ? 'Stop storing them' : 'Store them'}
          </GuardedButton>
        )}
        {change.error && !isOpen && <ProblemAlert error={change.error} />}
        <ConfirmDialog
          isOpen={isOpen}
          title={`Stop storing headers and bodies of “${app.name}”?`}
          action="Stop and destroy"
          isPending={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(false, { onSuccess: dialog.close })}
          onClose={dialog.close}
        >
          <Text>All stored headers and bodies of the app become unreadable immediately. Request records stay.</Text>
        </ConfirmDialog>
      </Stack>
    </Panel>
  );
}
