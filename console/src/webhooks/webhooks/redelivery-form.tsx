// Starts a redelivery job, after showing how many deliveries match.
import { Button, Checkbox, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AppScope, Role } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { LimitedNumberInput } from '../../kit/limited-inputs.tsx';
import { LoadOlder } from '../../kit/load-older.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { fieldError } from '../../kit/problem-text.ts';
import { exactTime } from '../../kit/time.ts';
import { REASONS } from './delivery-labels.ts';
import { ALL_TYPES } from './event-types.ts';
import { defaultRedeliveryInput, type RedeliveryDraft, toNewRedelivery } from './redelivery-input.ts';
import { describeCount, SELECTABLE } from './redelivery-labels.ts';
import { useEndpoints } from './use-endpoints.ts';
import { useCountRedelivery, useStartRedelivery } from './use-redeliveries.ts';

const FIELDS = ['/statuses', '/since', '/until', '/ratePerSecond', '/endpointId', '/reason'];

interface RedeliveryFormProps {
  scope: AppScope;
  role: Role | undefined;
  endpointId: string | undefined;
  onStarted: (redeliveryId: string) => void;
}

export function RedeliveryForm({ scope, role, endpointId, onStarted }: RedeliveryFormProps): ReactNode {
  const [input, setWish] = useState(() => defaultRedeliveryInput(endpointId, Date.now()));
  const count = useCountRedelivery(scope);
  const start = useStartRedelivery(scope);
  const body = toNewRedelivery(input);
  const change = (part: Partial<RedeliveryDraft>): void => {
    setWish({ ...input, ...part });
    count.reset(); // the count belongs to the previous filter
    start.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (body) count.mutate(body);
  };
  const begin = (): void => {
    if (!body) return;
    start.mutate(body, {
      onSuccess: ({ id }) => {
        count.reset();
        onStarted(id);
      },
    });
  };
  const preview = count.data;
  const error = count.error ?? start.error;
  return (
    <Panel p="md" role="region" aria-label="Redeliver many">
      <form onSubmit={submit}>
        <Stack>
          <SectionHead title="Redeliver many">
            Redelivers deliveries that ended without success and were not redelivered yet: each becomes a new delivery.
            A waiting retry becomes due now. Count them first.
          </SectionHead>
          <RedeliveryFields scope={scope} wish={input} error={error} onChange={change} />
          {error && <ProblemAlert error={error} fields={FIELDS} />}
          <Group>
            <GuardedButton
              role={role}
              action="deliveries.redeliver"
              type="submit"
              variant="default"
              disabled={!body}
              loading={count.isPending}
            >
              Count
            </GuardedButton>
            {preview && preview.total > 0 && (
              <Button loading={start.isPending} onClick={begin}>
                Start redelivery
              </Button>
            )}
          </Group>
          {preview && (
            <Text role="status">
              {describeCount(preview)}
              {preview.firstAt && preview.lastAt && (
                <>
                  {' '}
                  They were created between {exactTime(preview.firstAt)} and {exactTime(preview.lastAt)}.
                </>
              )}
            </Text>
          )}
        </Stack>
      </form>
    </Panel>
  );
}

interface RedeliveryFieldsProps {
  scope: AppScope;
  wish: RedeliveryDraft;
  error: Error | null;
  onChange: (part: Partial<RedeliveryDraft>) => void;
}

function RedeliveryFields({ scope, wish, error, onChange }: RedeliveryFieldsProps): ReactNode {
  const endpoints = useEndpoints(scope);
  return (
    <>
      <Checkbox.Group
        label="Deliveries that"
        error={wish.statuses.length === 0 ? 'Select at least one.' : fieldError(error, '/statuses')}
        value={wish.statuses}
        onChange={(chosen) => onChange({ statuses: SELECTABLE.filter((one) => chosen.includes(one)) })}
      >
        <Group mt="xs">
          <Checkbox value="pending" label="wait for a retry" />
          <Checkbox value="failed" label="failed" />
          <Checkbox value="skipped" label="were skipped" />
          <Checkbox value="cancelled" label="were cancelled" />
        </Group>
      </Checkbox.Group>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        <TextInput
          label="Events since"
          type="datetime-local"
          required
          withAsterisk={false}
          value={wish.since}
          error={fieldError(error, '/since')}
          onChange={(event) => onChange({ since: event.currentTarget.value })}
        />
        <TextInput
          label="Before (optional)"
          type="datetime-local"
          value={wish.until}
          error={fieldError(error, '/until')}
          onChange={(event) => onChange({ until: event.currentTarget.value })}
        />
        <LimitedNumberInput
          label="Deliveries per second"
          min={1}
          max={1000}
          allowDecimal={false}
          value={wish.ratePerSecond}
          error={fieldError(error, '/ratePerSecond')}
          onChange={(ratePerSecond) => onChange({ ratePerSecond })}
        />
        <Select
          label="Endpoint"
          placeholder="Any endpoint"
          clearable
          searchable
          data={(endpoints.items ?? []).map((one) => ({ value: one.id, label: one.url }))}
          value={wish.endpointId}
          error={fieldError(error, '/endpointId')}
          onChange={(endpointId) => onChange({ endpointId })}
        />
        <Select
          label="Event type"
          placeholder="Any type"
          clearable
          searchable
          data={ALL_TYPES}
          value={wish.eventType}
          onChange={(chosen) => onChange({ eventType: ALL_TYPES.find((type) => type === chosen) ?? null })}
        />
        <Select
          label="Reason"
          description="Reason of skipped or cancelled deliveries."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="Any reason"
          clearable
          searchable
          data={Object.keys(REASONS)}
          value={wish.reason}
          error={fieldError(error, '/reason')}
          onChange={(reason) => onChange({ reason })}
        />
      </SimpleGrid>
      <LoadOlder noun="endpoints" list={endpoints} />
    </>
  );
}
