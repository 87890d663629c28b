// Form of a new fault rule.

import { Button, Select, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AppScope, FaultInput } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { ENVIRONMENT_PHRASE } from '../../kit/environments.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useReference } from '../../platform/reference/use-reference.ts';
import { DEFAULT_EFFECT_INPUT, effectOf } from './effect.ts';
import { EffectFields } from './effect-fields.tsx';
import { ShareInput, shareOf } from './share-input.tsx';
import { useCreateFault } from './use-simulation.ts';

interface AddFaultProps {
  scope: AppScope;
  onClose: () => void;
}

export function AddFault({ scope, onClose }: AddFaultProps): ReactNode {
  const [operationId, setOperationId] = useState<FaultInput['operationId']>(null);
  const [input, setWish] = useState(DEFAULT_EFFECT_INPUT);
  const [percent, setPercent] = useState<number | string>(10);
  const create = useCreateFault(scope);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const effect = effectOf(input);
    if (effect) create.mutate({ operationId, share: shareOf(percent), effect }, { onSuccess: onClose });
  };
  return (
    <FormDialog onClose={onClose} title={`Add a fault rule in ${ENVIRONMENT_PHRASE}`}>
      <form onSubmit={submit}>
        <Stack>
          {create.error && <ProblemAlert error={create.error} />}
          <OperationSelect value={operationId} onChange={setOperationId} />
          <EffectFields value={input} onChange={setWish} />
          <ShareInput value={percent} onChange={setPercent} />
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Add
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}

interface OperationSelectProps {
  value: FaultInput['operationId'];
  onChange: (operationId: FaultInput['operationId']) => void;
}

function OperationSelect({ value, onChange }: OperationSelectProps): ReactNode {
  const { data: reference } = useReference();
  // Only operations with a key can have a fault: the caller is authenticated first.
  const operations = reference?.operations.filter(({ scope }) => scope !== undefined) ?? [];
  return (
    <Select
      label="Calls of"
      placeholder="Any operation"
      data-autofocus
      openOnFocus={false}
      clearable
      searchable
      data={operations.map(({ id, method, path }) => ({ value: id, label: `${id} (${method} ${path})` }))}
      value={value}
      onChange={(chosen) => onChange(chosen as FaultInput['operationId'])} // one of the contract's operations
    />
  );
}
