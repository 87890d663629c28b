// Selects the key of an endpoint. Keys that cannot deliver are shown with the reason.
import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppScope, Key } from '../../kit/api.ts';
import { publicText } from '../../tenancy/keys/key-labels.ts';
import { useKeys } from '../../tenancy/keys/use-keys.ts';
import { BELOW } from './url-input.tsx';

interface KeySelectProps {
  scope: AppScope;
  value: string | null;
  onChange: (keyId: string | null) => void;
  error: string | undefined;
}

export function KeySelect({ scope, value, onChange, error }: KeySelectProps): ReactNode {
  const keys = useKeys(scope);
  const all = keys.items ?? [];
  const isAnyFit = all.some((key) => obstacleOf(key) === undefined);
  const description =
    keys.isSuccess && !isAnyFit
      ? 'No key of this app can deliver. Generate a key with events:read first, under Keys.'
      : 'Deliveries stop when this key expires or is revoked. It needs events:read.';
  return (
    <Select
      allowDeselect={false}
      label="Key"
      inputWrapperOrder={BELOW}
      description={description}
      placeholder={keys.isPending ? 'Loading…' : 'Select a key'}
      data={all.map((key) => {
        const obstacle = obstacleOf(key);
        const label = `${key.name} (${publicText(key.kid)})`;
        return { value: key.id, label: obstacle ? `${label}: ${obstacle}` : label, disabled: obstacle !== undefined };
      })}
      value={value}
      onChange={onChange}
      error={error}
    />
  );
}

function obstacleOf(key: Key): string | undefined {
  if (key.state !== 'active') return key.state;
  return key.scopes.includes('events:read') ? undefined : 'lacks events:read';
}
