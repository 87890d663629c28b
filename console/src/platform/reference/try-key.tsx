// Selects the key of a request among the active keys, with their scopes. Without an active key it links to the page
// that creates one.
import { Select, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../kit/links.tsx';
import { LoadOlder } from '../../kit/load-older.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { publicText } from '../../tenancy/keys/key-labels.ts';
import type { Operation } from './reference.ts';
import { hasScope, type Try } from './use-try.ts';

export function TryKey({ operation, attempt }: { operation: Operation; attempt: Try }): ReactNode {
  const scope = useAppScope();
  const { keys, active, key, isSearching, chooseKey } = attempt;
  if (keys.error) return <ProblemAlert error={keys.error} onRetry={() => void keys.refetch()} />;
  if (keys.isSuccess && active.length === 0 && !keys.hasNextPage) {
    return (
      <Stack gap="xs" align="flex-start">
        <Text>This app has no active key. Generate a key to try the operation.</Text>
        <ButtonLink to="/in/$organisationId/apps/$appId/keys" params={scope} variant="default">
          Go to keys
        </ButtonLink>
      </Stack>
    );
  }
  const scopesOf = new Map(active.map((one) => [one.id, one.scopes.join(', ')]));
  const isLacking = key !== undefined && !hasScope(operation, key);
  return (
    <Stack gap="xs">
      <Select
        label="Key"
        placeholder={keys.isPending || isSearching ? 'Loading…' : 'Select a key'}
        allowDeselect={false}
        data={active.map((one) => ({ value: one.id, label: `${one.name} (${publicText(one.kid)})` }))}
        value={key?.id ?? null}
        onChange={chooseKey}
        description={
          isLacking
            ? `The key lacks ${operation.scope}: the response will be missing_scope.`
            : 'The key is named by its id. No secret is sent.'
        }
        inputWrapperOrder={['label', 'input', 'description']}
        renderOption={({ option }) => (
          <div>
            <Text fz={13.5}>{option.label}</Text>
            <Text fz={12} c="dimmed">
              {scopesOf.get(option.value)}
            </Text>
          </div>
        )}
      />
      <LoadOlder noun="keys" list={keys} />
    </Stack>
  );
}
