// Selects the keys of an endpoint in the order in which they are tried. Keys that cannot deliver are shown with the
// reason.
import { ActionIcon, Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { AppScope, Key } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { LoadOlder } from '../../kit/load-older.tsx';
import { describeProblem } from '../../kit/problem-text.ts';
import { useRefusalReason } from '../../kit/roles.ts';
import { useAllPages } from '../../kit/use-all-pages.ts';
import { publicText } from '../../tenancy/keys/key-labels.ts';
import { useKeys } from '../../tenancy/keys/use-keys.ts';
import { BELOW } from './url-input.tsx';

const MAX_KEYS = 5;

interface KeysInputProps {
  scope: AppScope;
  value: readonly string[];
  onChange: (keyIds: string[]) => void;
  /** Opens the dialog that generates a key. */
  onGenerate: () => void;
  error: string | undefined;
}

export function KeysInput({ scope, value, onChange, onGenerate, error }: KeysInputProps): ReactNode {
  const keys = useKeys(scope);
  const all = keys.items ?? [];
  const missing = value.filter((keyId) => !all.some(({ id }) => id === keyId));
  useAllPages(keys, missing.length > 0); // an endpoint can have an older key
  const usableOf = useUsableKeys(scope);
  const isReading = keys.isPending || (keys.hasNextPage && !keys.isError);
  const isAnyFit = all.some((key) => obstacleOf(key) === undefined);
  const description =
    keys.isSuccess && !keys.hasNextPage && !isAnyFit
      ? 'No key of this app can deliver. Generate a key with events:read.'
      : 'Deliveries use the first valid key. When it ends, they continue through the next one. Each key needs events:read.';
  return (
    <Stack gap={6}>
      <MultiSelect
        label="Keys"
        inputWrapperOrder={BELOW}
        description={description}
        placeholder={value.length > 0 ? '' : keys.isPending ? 'Loading…' : 'Select a key'}
        maxValues={MAX_KEYS}
        data={[
          ...all.map(optionOf),
          ...missing.map((keyId) => ({ value: keyId, label: isReading ? 'Loading…' : keyId })),
        ]}
        value={[...value]}
        onChange={onChange}
        error={error ?? (keys.error ? `The keys could not be read. ${describeProblem(keys.error).fix}` : undefined)}
      />
      <LoadOlder noun="keys" list={keys} />
      {value.length > 1 && <KeyOrder keys={all} value={value} onChange={onChange} />}
      <GenerateButton scope={scope} onGenerate={onGenerate} isFull={usableOf(value).length >= MAX_KEYS} />
    </Stack>
  );
}

function KeyOrder({
  keys,
  value,
  onChange,
}: {
  keys: readonly Key[];
  value: readonly string[];
  onChange: (keyIds: string[]) => void;
}): ReactNode {
  const moveUp = (at: number): void => {
    const moved = value[at] ?? '';
    const others = value.filter((keyId) => keyId !== moved);
    onChange([...others.slice(0, at - 1), moved, ...others.slice(at - 1)]);
  };
  return (
    <Stack component="ol" aria-label="Order of the keys" gap={2} m={0} pl={0} style={{ listStyle: 'none' }}>
      {value.map((keyId, at) => {
        const key = keys.find((one) => one.id === keyId);
        const label = key ? labelOf(key) : keyId;
        return (
          <Group key={keyId} component="li" gap="xs" wrap="nowrap">
            <Text>
              {at + 1}. {label}
            </Text>
            {at > 0 && (
              <ActionIcon variant="subtle" size="sm" aria-label={`Move ${label} up`} onClick={() => moveUp(at)}>
                <IconArrowUp size={14} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        );
      })}
    </Stack>
  );
}

interface GenerateButtonProps extends Pick<KeysInputProps, 'scope' | 'onGenerate'> {
  isFull: boolean;
}

function GenerateButton({ scope, onGenerate, isFull }: GenerateButtonProps): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const reason = useRefusalReason(role, IS_PRODUCTION ? 'production_keys.create' : 'keys.create');
  if (reason !== undefined) return null;
  return (
    <Group>
      <Button variant="default" size="xs" disabled={isFull} onClick={onGenerate}>
        Generate another key
      </Button>
    </Group>
  );
}

/**
 * Returns a function that drops the keys that cannot deliver. The server accepts only usable keys. Call it when a changed
 * list is rendered, not when it is changed: the app's keys can arrive, and a key can end, afterwards.
 */
export function useUsableKeys(scope: AppScope): (keyIds: readonly string[]) => string[] {
  const obstacles = new Map(useKeys(scope).items?.map((key) => [key.id, obstacleOf(key)]));
  return (keyIds) => keyIds.filter((keyId) => obstacles.get(keyId) === undefined);
}

/** Returns the only key of the app that can deliver, if there is exactly one. */
export function useOnlyFittingKey(scope: AppScope): string | undefined {
  const { items, hasNextPage } = useKeys(scope);
  const fitting = items?.filter((key) => obstacleOf(key) === undefined) ?? [];
  // An older key, which is not loaded, can fit too.
  return fitting.length === 1 && !hasNextPage ? fitting[0]?.id : undefined;
}

function optionOf(key: Key): { value: string; label: string; disabled: boolean } {
  const obstacle = obstacleOf(key);
  const label = labelOf(key);
  return { value: key.id, label: obstacle ? `${label}: ${obstacle}` : label, disabled: obstacle !== undefined };
}

const labelOf = (key: Key): string => `${key.name} (${publicText(key.kid)})`;

function obstacleOf(key: Key): string | undefined {
  if (key.state !== 'active') return key.state;
  return key.scopes.includes('events:read') ? undefined : 'lacks events:read';
}
