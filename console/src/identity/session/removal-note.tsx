// Describes a requested or completed removal of the second factor: since when production keys cannot be created, and
// how to cancel.
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Session } from '../../kit/api.ts';
import notes from '../../kit/notes.module.css';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';

type Removal = NonNullable<Session['person']['secondFactorRemoval']>;

interface RemovalNoteProps {
  removal: Removal;
  onCancelled: () => unknown;
}

export function RemovalNote({ removal, onCancelled }: RemovalNoteProps): ReactNode {
  const cancel = useMutation({ mutationFn: () => api.cancelSecondFactorRemoval(), onSuccess: onCancelled });
  if (removal.state === 'removed') {
    return (
      <Alert
        className={notes.warning ?? ''}
        icon={<IconAlertTriangle aria-hidden />}
        title="You cannot create production keys"
      >
        <Text>
          Your previous second factor was removed without a code <RelativeTime at={removal.dueAt} />.{' '}
          {removal.productionKeysOpenAt === null ? (
            'You can create production keys 24 hours after you set up a new one.'
          ) : (
            <>
              You can create production keys <RelativeTime at={removal.productionKeysOpenAt} />.
            </>
          )}
        </Text>
      </Alert>
    );
  }
  return (
    <Alert className={notes.warning ?? ''} icon={<IconAlertTriangle aria-hidden />} title="A removal is pending">
      <Stack gap="sm">
        <Text>
          Your second factor is removed <RelativeTime at={removal.dueAt} />. You cannot create production keys until you
          cancel the removal. If you did not request it, cancel it, set a new password and sign out everywhere.
        </Text>
        {cancel.error && <ProblemAlert error={cancel.error} />}
        <Button w="fit-content" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel the removal
        </Button>
      </Stack>
    </Alert>
  );
}
