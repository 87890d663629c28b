// Changes the share of a fault rule. Another operation or effect needs another rule.
import { Button, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import type { OneFaultProps } from './delete-fault.tsx';
import { ShareInput, shareOf } from './share-input.tsx';
import { useChangeFault } from './use-simulation.ts';

export function ChangeShare({ scope, fault, onClose }: OneFaultProps): ReactNode {
  const [percent, setPercent] = useState<number | string>(fault.share * 100);
  const change = useChangeFault(scope);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate({ faultId: fault.id, change: { share: shareOf(percent) } }, { onSuccess: onClose });
  };
  return (
    <FormDialog onClose={onClose} title="Change the share of the rule">
      <form onSubmit={submit}>
        <Stack>
          {change.error && <ProblemAlert error={change.error} />}
          <ShareInput value={percent} onChange={setPercent} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Change
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}
