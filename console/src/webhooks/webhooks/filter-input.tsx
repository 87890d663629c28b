// Filter of an endpoint by server and by values of the event, with the number of recent events that it keeps.
import { Box, Button, Group, Input, MultiSelect, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { type AppScope, api, type Condition, defined, type Endpoint } from '../../kit/api.ts';
import { Inline } from '../../kit/inline.tsx';
import { useCustomValidity } from '../../kit/limited-inputs.tsx';
import { counted, grouped } from '../../kit/number.ts';
import { describeProblem, fieldError } from '../../kit/problem-text.ts';
import { queryKeys } from '../../kit/query-keys.ts';
import { exactTime } from '../../kit/time.ts';
import { useSame } from '../../kit/use-same.ts';
import { useServerList } from '../../tenancy/installations/use-server-list.ts';
import { type ConditionDraft, needsValue } from './condition-draft.ts';
import { describeCondition, OPERATORS } from './condition-text.ts';

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
  /** The condition that is being typed. */
  draft: ConditionDraft;
  error: Error | null;
}

export const FILTER_FIELDS = ['/serverIds', '/conditions'];

export function FilterInput({ scope, value, onChange, draft, error }: FilterInputProps): ReactNode {
  const { serverIds, conditions } = value;
  const add = (): void => {
    onChange({ conditions: draft.addTo(conditions) });
    draft.reset();
  };
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
          <NewCondition draft={draft} onAdd={add} />
        </Stack>
      </Input.Wrapper>
      <FilterPreview scope={scope} filter={{ ...value, conditions: draft.addTo(conditions) }} />
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
  const { servers, list } = useServerList(scope);
  const chosen = value ?? [];
  const unlisted = chosen.filter((id) => !servers.some(({ serverId }) => serverId === id));
  return (
    <MultiSelect
      label="Servers"
      description="Only events of these servers. Leave the field empty for every server."
      placeholder={chosen.length === 0 ? 'Every server' : ''}
      {...list}
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

function NewCondition({ draft, onAdd }: { draft: ConditionDraft; onAdd: () => void }): ReactNode {
  const { value, refusals, change } = draft;
  const [wasRefused, setRefused] = useState(false); // the browser refused to send the form
  const isRefused = wasRefused && Object.keys(refusals).length > 0;
  const hasBadPointer = value.pointer.trim() !== '' && refusals.pointer !== undefined;
  const addByEnter = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !draft.isComplete) return;
    event.preventDefault(); // Enter would save the form
    onAdd();
  };
  const common = { onInvalid: () => setRefused(true), onKeyDown: addByEnter };
  const takesValue = needsValue(value);
  return (
    <Group gap="xs" align="flex-end">
      <Box flex="1 1 180px" maw={280}>
        <TextInput
          {...common}
          ref={useCustomValidity<HTMLInputElement>(refusals.pointer)}
          label="Field"
          placeholder="/data/priority"
          maxLength={200}
          value={value.pointer}
          error={(isRefused || hasBadPointer) && refusals.pointer}
          onChange={(event) => change({ pointer: event.currentTarget.value })}
        />
      </Box>
      <NativeSelect
        label="Comparison"
        w={130}
        data={[...OPERATORS]}
        value={value.operator}
        onChange={(event) =>
          change({ operator: OPERATORS.find((one) => one.value === event.currentTarget.value)?.value ?? 'equals' })
        }
      />
      <Box flex="1 1 160px" maw={280}>
        <TextInput
          {...common}
          ref={useCustomValidity<HTMLInputElement>(refusals.input)}
          label="Value"
          placeholder={value.operator === 'in' ? 'high, urgent' : 'urgent'}
          maxLength={1000}
          disabled={!takesValue}
          value={takesValue ? value.input : ''}
          error={isRefused && refusals.input}
          onChange={(event) => change({ input: event.currentTarget.value })}
        />
      </Box>
      <Button variant="default" disabled={!draft.isComplete} onClick={onAdd}>
        Add condition
      </Button>
    </Group>
  );
}

const PREVIEW_DELAY_MS = 400;

function FilterPreview({ scope, filter }: { scope: AppScope; filter: EndpointFilter }): ReactNode {
  const { eventTypes, serverIds, conditions, schemaVersions } = filter;
  const input = { eventTypes, serverIds, conditions, ...defined({ schemaVersions }) };
  const current = useSame(input, () => input);
  const [body] = useDebouncedValue(current, PREVIEW_DELAY_MS);
  const isWanted = body.eventTypes.length > 0;
  const preview = useQuery({
    queryKey: [...queryKeys.deliveries(scope), 'filter-preview', body],
    queryFn: ({ signal }) => api.previewFilter({ ...scope, body }, { signal }),
    enabled: isWanted,
  });
  // The count of an earlier filter would mislead a member who saves.
  const { data, error } = body === current ? preview : { data: undefined, error: null };
  return (
    <Text role="status" aria-label="Preview of the filter" mih={22}>
      {error && <Inline>{describeProblem(error).fix}</Inline>}
      {!error && isWanted && (data ? describePreview(data) : 'Counting…')}
    </Text>
  );
}

type Preview = Awaited<ReturnType<typeof api.previewFilter>>;

function describePreview({ kept, total, since, isComplete }: Preview): string {
  // The period depends on the retention of events, so the text has no number of days.
  if (total === 0)
    return isComplete
      ? `The app can read no event since ${exactTime(since)}.`
      : 'The count reached its limit before it found an event that the app can read.';
  return isComplete
    ? `Keeps ${grouped(kept)} of ${counted(total, 'event')} since ${exactTime(since)}.`
    : `Keeps ${grouped(kept)} of the newest ${counted(total, 'event')} (since ${exactTime(since)}).`;
}
