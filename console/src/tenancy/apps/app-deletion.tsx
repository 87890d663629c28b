// Deletes an app with a grace period, and cancels the deletion during it.

import { Alert, List, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { ENVIRONMENT } from '../../kit/environment-path.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { LimitedNumberInput } from '../../kit/limited-inputs.tsx';
import notes from '../../kit/notes.module.css';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { exactTime } from '../../kit/time.ts';
import { stoppedSentence } from './app-labels.ts';
import { type OneAppProps, useChangeApp } from './use-app.ts';

const GRACE_DAYS = 7;
const MAX_GRACE_DAYS = 30;

export function AppDeletion(own: OneAppProps): ReactNode {
  const { role, app } = own;
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Panel p="lg">
      <Stack>
        <SectionHead title="Delete the app">
          Stops the app immediately. You can cancel the deletion during the grace period; then everything except the
          audit log is erased.
        </SectionHead>
        {app.state === 'deleting' ? (
          <BeingDeleted {...own} />
        ) : (
          <GuardedButton
            role={role}
            action="apps.delete"
            variant="outline"
            color="var(--bad)"
            w="fit-content"
            onClick={dialog.open}
          >
            Delete the app
          </GuardedButton>
        )}
        {isOpen && <DeleteApp {...own} onClose={dialog.close} />}
      </Stack>
    </Panel>
  );
}

function BeingDeleted({ scope, role, app: { eraseAt } }: OneAppProps): ReactNode {
  const restore = useChangeApp(scope, () => api.restoreApp(scope));
  return (
    <Alert className={notes.warning ?? ''} icon={<IconAlertTriangle aria-hidden />}>
      <Stack gap="xs">
        <Text>
          {eraseAt ? (
            <>
              Deletion in progress: everything is erased <RelativeTime at={eraseAt} /> ({exactTime(eraseAt)}).
            </>
          ) : (
            'The app is deleted with its organisation. Cancel the deletion in the settings of the organisation.'
          )}
        </Text>
        {restore.error && <ProblemAlert error={restore.error} />}
        {eraseAt && (
          <GuardedButton
            role={role}
            action="apps.delete"
            variant="default"
            w="fit-content"
            loading={restore.isPending}
            onClick={() => restore.mutate()}
          >
            Cancel the deletion
          </GuardedButton>
        )}
      </Stack>
    </Alert>
  );
}

function DeleteApp({ scope, app, onClose }: OneAppProps & { onClose: () => void }): ReactNode {
  const [days, setDays] = useState<number | string>(GRACE_DAYS);
  const remove = useChangeApp(scope, async () => {
    const answer = await api.deleteApp({ ...scope, body: { graceDays: Number(days) } });
    const message = stoppedSentence(answer.stopped);
    notifications.show({ color: 'teal', title: `“${app.name}” is being deleted`, message, autoClose: 10_000 });
    return answer.app;
  });
  return (
    <ConfirmDialog
      isOpen
      title={`Delete the ${ENVIRONMENT} app “${app.name}”?`}
      action="Delete the app"
      isReady={Number(days) >= 1}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      <List size="sm" spacing={6}>
        <List.Item>Every later call with its keys is refused, and its deliveries are held.</List.Item>
        <List.Item>
          Until the grace period ends, you can cancel the deletion. The app is then suspended, with all its data.
        </List.Item>
        <List.Item>
          After that, its keys, records, endpoints and sandbox data are erased. The audit log remains.
        </List.Item>
      </List>
      <LimitedNumberInput
        label="Grace period in days"
        min={1}
        max={MAX_GRACE_DAYS}
        allowDecimal={false}
        value={days}
        onChange={setDays}
      />
    </ConfirmDialog>
  );
}
