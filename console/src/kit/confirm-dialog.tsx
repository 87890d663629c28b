// Asks before something is destroyed, and names the environment in which it is.
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { IconShip } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SANDBOX } from './environments.ts';
import notes from './notes.module.css';
import { ProblemAlert } from './problem-alert.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  /** The verb on the button. */
  action: string;
  /** What belongs to no environment: then none is named. */
  isShared?: boolean;
  children: ReactNode;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { isOpen, title, action, isShared = false, children, isPending, error, onConfirm, onClose } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Stack>
        {!isShared && <EnvironmentNote />}
        {children}
        {error && <ProblemAlert error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red.8" loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function EnvironmentNote(): ReactNode {
  return (
    <Alert className={notes.environment ?? ''} py={8} icon={<IconShip aria-hidden />}>
      In the <strong>sandbox</strong>: {SANDBOX.sentence}.
    </Alert>
  );
}
