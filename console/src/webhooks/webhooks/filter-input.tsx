// Filter of an endpoint by server and by values of the event, with the number of recent events that it keeps.
import { Box, Button, Group, Input, MultiSelect, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type AppScope, api, type Condition, defined, type Endpoint } from '../../kit/api.ts';
import { Inline } from '../../kit/inline.tsx';
import { counted, grouped } from '../../kit/number.ts';
import { describeProblem, fieldError } from '../../kit/problem-text.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { exactTime } from '../../kit/time.ts';
import { useInstallations } from '../../tenancy/installations/use-installations.ts';
import { describeCondition, OPERATORS, type Operator, toCondition } from './condition-text.ts';

export interface EndpointFilter {
  eventTypes: Endpoint['eventTypes'];
  serverIds: Endpoint['serverIds'];
  conditions: Condition[];
  schemaVersions?: Endpoint['schemaVersions'];
}

interface FilterInputProps {
  scope: AppScope;
  value: EndpointFilter;
  onChange: (part: Partial<Pick<EndpointFilter, 'serverIds' | 'conditions'>>) => void;
  error: Error | null;
}

export function FilterInput({ scope, value, onChange, error }: FilterInputProps): ReactNode {
  const { serverIds, conditions } = value;
  return (
    <Stack>
      <ServersInput scope={scope} value={serverIds} onChange={(ids) => onChange({ serverIds: ids })} error={error} />
      <Input.Wrapper
        label="Conditions"
        labelElement="div"
        description="An event must meet all conditions; other events are recorded as skipped. Name a field by its JSON Pointer, such as /data/priority. For equals and is one of, put a text such as '42' or 'true' in double quotes."
        error={fieldError(error, '/conditions')}
      >
        <Stack gap="xs" mt="xs">
          {conditions.map((condition, at) => (
            <Group gap="xs" key={JSON.stringify(condition)}>
              <Text ff="monospace" fz={13} style={{ overflowWrap: 'anywhere' }}>
                {describeCondition(condition)}
              </Text>
              <Button
                variant="default"
                size="compact-xs"
                aria-label={`Remove the condition ${describeCondition(condition)}`}
                onClick={() => onChange({ conditions: conditions.filter((_, other) => other !== at) })}
              >
                Remove
              </Button>
            </Group>
          ))}
          <NewCondition onAdd={(condition) => onChange({ conditions: [...conditions, condition] })} />
        </Stack>
      </Input.Wrapper>
      <FilterPreview scope={scope} filter={value} />
    </Stack>
  );
}

interface ServersInputProps {
  scope: AppScope;
  value: Endpoint['serverIds'];
  onChange: (serverIds: Endpoint['serverIds']) => void;
  error: Error | null;
}

function ServersInput({ scope, value, onChange, error }: ServersInputProps): ReactNode {
  const servers = useInstallations(scope).items ?? [];
  const chosen = value ?? [];
  const unlisted = chosen.filter((id) => !servers.some(({ serverId }) => serverId === id));
  return (
    <MultiSelect
      label="Servers"
      description="Only events of these servers. Leave the field empty for every server."
      placeholder={chosen.length === 0 ? 'Every server' : ''}
      searchable
      clearable
      data={[
        ...servers.map(({ serverId, serverName }) => ({ value: serverId, label: serverName })),
        ...unlisted.map((id) => ({ value: id, label: id })),
      ]}
      value={chosen}
      error={fieldError(error, '/serverIds')}
      onChange={(ids) => onChange(ids.length === 0 ? null : ids)}
    />
  );
}

const isPointer = (text: string): boolean => /^(\/([^~/]|~[01])+)+$/.test(text);

function NewCondition({ onAdd }: { onAdd: (condition: Condition) => void }): ReactNode {
  const [pointer, setPointer] = useState('');
  const [operator, setOperator] = useState<Operator>('equals');
  const [input, setInput] = useState('');
  const trimmed = pointer.trim();
  const needsValue = operator !== 'exists' && operator !== 'missing';
  const add = (): void => {
    onAdd(toCondition(trimmed, operator, input.trim()));
    setPointer('');
    setInput('');
  };
  return (
    <Group gap="xs" align="flex-end">
      <Box flex="1 1 180px" maw={280}>
        <TextInput
          label="Field"
          placeholder="/data/priority"
          maxLength={200}
          value={pointer}
          error={
            trimmed !== '' && !isPointer(trimmed) ? 'Enter a JSON Pointer, for example /data/priority.' : undefined
          }
          onChange={(event) => setPointer(event.currentTarget.value)}
        />
      </Box>
      <NativeSelect
        label="Comparison"
        w={130}
        data={[...OPERATORS]}
        value={operator}
        onChange={(event) =>
          setOperator(OPERATORS.find(({ value }) => value === event.currentTarget.value)?.value ?? 'equals')
        }
      />
      <Box flex="1 1 160px" maw={280}>
        <TextInput
          label="Value"
          placeholder={operator === 'in' ? 'high, urgent' : 'urgent'}
          maxLength={1000}
          disabled={!needsValue}
          value={needsValue ? input : ''}
          onChange={(event) => setInput(event.currentTarget.value)}
        />
      </Box>
      <Button variant="default" disabled={!isPointer(trimmed) || (needsValue && input.trim() === '')} onClick={add}>
        Add condition
      </Button>
    </Group>
  );
}

const PREVIEW_DELAY_MS = 400;

function FilterPreview({ scope, filter }: { scope: AppScope; filter: EndpointFilter }): ReactNode {
  const { eventTypes, serverIds, conditions, schemaVersions } = filter;
  const [body] = useDebouncedValue(
    { eventTypes, serverIds, conditions, ...defined({ schemaVersions }) },
    PREVIEW_DELAY_MS,
  );
  const preview = useQuery({
    queryKey: [...queryKeys.deliveries(scope), 'filter-preview', body],
    queryFn: ({ signal }) => api.previewFilter({ ...scope, body }, { signal }),
    enabled: body.eventTypes.length > 0,
    placeholderData: (previous) => previous,
  });
  return (
    <Text role="status" aria-label="Preview of the filter" mih={22}>
      {preview.error ? (
        <Inline>{describeProblem(preview.error).fix}</Inline>
      ) : (
        preview.data && describePreview(preview.data)
      )}
    </Text>
  );
}

type Preview = Awaited<ReturnType<typeof api.previewFilter>>;

function describePreview({ kept, total, since, isComplete }: Preview): string {
  if (total === 0)
    return isComplete
      ? 'The app can read no event of the last 30 days.'
      : 'The count reached its limit before it found an event that the app can read.';
  return isComplete
    ? `Keeps ${grouped(kept)} of ${counted(total, 'event')} of the last 30 days.`
    : `Keeps ${grouped(kept)} of the newest ${counted(total, 'event')} (since ${exactTime(since)}).`;
}
