// Asks before a destructive action, and names the environment.
import { Alert, Button, Stack } from '@mantine/core';
import { IconShip, IconWorld } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DialogActions } from './dialog-actions.tsx';
import { ENVIRONMENT } from './environment-path.ts';
import { CURRENT_ENVIRONMENT, IS_PRODUCTION } from './environments.ts';
import { FormDialog } from './form-dialog.tsx';
import notes from './notes.module.css';
import { ProblemAlert } from './problem-alert.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  title: string;
  /** Verb on the button. */
  action: string;
  /** True for an action outside the environments: the dialog names none. */
  isShared?: boolean;
  /** False while a required input is missing. */
  isReady?: boolean;
  children: ReactNode;
  isPending: boolean;
  error: Error | null;
  /** Pointers of the fields that show their own error. */
  fields?: readonly string[];
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { isOpen, title, action, isShared = false, isReady = true, children } = props;
  const { isPending, error, fields = [], onConfirm, onClose } = props;
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={title}>
      <Stack>
        {!isShared && <EnvironmentNote />}
        {children}
        {error && <ProblemAlert error={error} fields={fields} />}
        <DialogActions>
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red.8" disabled={!isReady} loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </DialogActions>
      </Stack>
    </FormDialog>
  );
}

export function EnvironmentNote(): ReactNode {
  return (
    <Alert
      className={notes.environment ?? ''}
      py={8}
      icon={IS_PRODUCTION ? <IconWorld aria-hidden /> : <IconShip aria-hidden />}
    >
      {IS_PRODUCTION ? 'In ' : 'In the '}
      <strong>{ENVIRONMENT}</strong>: {CURRENT_ENVIRONMENT.sentence}.
    </Alert>
  );
}
