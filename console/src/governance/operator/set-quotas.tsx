// Sets all quotas of an organisation. An empty field is the default.
import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { api, type Quotas } from '../../kit/api.ts';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { LimitedNumberInput } from '../../kit/limited-inputs.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { QUOTAS } from './quota-labels.ts';
import type { OneOrganisationProps } from './suspend-organisation.tsx';
import { useChangeOrganisation } from './use-operator.ts';

export function SetQuotas({ organisation: { id, name, quotas }, onClose }: OneOrganisationProps): ReactNode {
  const [input, setWish] = useState<Quotas>(quotas);
  const save = useChangeOrganisation(() => api.setQuotas({ organisationId: id, body: input }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <FormDialog onClose={onClose} title={`Quotas of “${name}”`}>
      <form onSubmit={submit}>
        <Stack>
          <Text c="dimmed">
            Leave a field empty for the default. A lower number keeps existing apps, keys and endpoints, but no new ones
            can be created. Request records that are older than the number of days are removed.
          </Text>
          {save.error && <ProblemAlert error={save.error} fields={QUOTAS.map(({ name: quota }) => `/${quota}`)} />}
          {QUOTAS.map(({ name: quota, label, least, most }, index) => (
            <LimitedNumberInput
              key={quota}
              label={label}
              placeholder="Default"
              data-autofocus={index === 0 || undefined}
              min={least}
              max={most}
              allowDecimal={false}
              allowNegative={false}
              value={input[quota] ?? ''}
              error={fieldError(save.error, `/${quota}`)}
              onChange={(value) => setWish(withQuota(input, quota, value))}
            />
          ))}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save quotas
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}

/** Returns the quotas with a new value. An empty field removes the value, so that the default applies. */
function withQuota(quotas: Quotas, name: keyof Quotas, value: number | string): Quotas {
  const { [name]: _, ...others } = quotas;
  return value === '' ? others : { ...others, [name]: Number(value) };
}
