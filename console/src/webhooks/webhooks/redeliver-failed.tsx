// Redelivers all failed deliveries of an endpoint since a time, and makes its waiting retries due, after showing how many
// there are.
import { Button, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { RedeliveryInput } from '../../kit/api.ts';
import { EnvironmentNote } from '../../kit/confirm-dialog.tsx';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { exactTime } from '../../kit/time.ts';
import type { EndpointContext, EndpointDialogProps } from './endpoint-frame.tsx';
import { toLocal } from './redelivery-input.ts';
import { describeCount } from './redelivery-labels.ts';
import { useRedeliveryCount, useStartRedelivery } from './use-redeliveries.ts';

const HOUR_MS = 3_600_000;
const SPANS = [
  { value: '1', label: 'the last hour' },
  { value: '24', label: 'the last 24 hours' },
  { value: '168', label: 'the last 7 days' },
  { value: '720', label: 'the last 30 days' },
];
const OWN_TIME = 'own';

export function RedeliverFailed({ scope, endpoint, role }: EndpointContext): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <GuardedButton role={role} action="deliveries.redeliver" variant="default" size="xs" onClick={dialog.open}>
        Redeliver failed
      </GuardedButton>
      {isOpen && <RedeliverFailedDialog scope={scope} endpoint={endpoint} onClose={dialog.close} />}
    </>
  );
}

function RedeliverFailedDialog({ scope, endpoint, onClose }: EndpointDialogProps): ReactNode {
  const [openedMs] = useState(() => Date.now());
  // A delivery fails 75 hours or more after its event, unless the schedule of its endpoint is faster.
  const [span, setSpan] = useState('168');
  const [ownTime, setOwnTime] = useState(() => toLocal(openedMs - HOUR_MS));
  const since = toSince(span, ownTime, openedMs);
  const body: RedeliveryInput | undefined =
    since === undefined ? undefined : { endpointId: endpoint.id, since, statuses: ['pending', 'failed'] };
  const count = useRedeliveryCount(scope, body);
  const start = useStartRedelivery(scope);
  const navigate = useNavigate();
  const begin = (): void => {
    if (!body) return;
    start.mutate(body, {
      onSuccess: ({ id }) =>
        void navigate({
          to: '/in/$organisationId/apps/$appId/webhooks/redeliveries',
          params: scope,
          search: { endpoint: endpoint.id, job: id },
        }),
    });
  };
  return (
    <FormDialog onClose={onClose} title="Redeliver failed deliveries">
      <Stack>
        <EnvironmentNote />
        <NativeSelect
          label="Events of"
          description={
            since === undefined
              ? 'Deliveries that were already redelivered are left out.'
              : `From ${exactTime(since)}. Deliveries that were already redelivered are left out.`
          }
          data={[...SPANS, { value: OWN_TIME, label: 'the time since…' }]}
          value={span}
          onChange={(event) => setSpan(event.currentTarget.value)}
        />
        {span === OWN_TIME && (
          <TextInput
            label="Events since"
            type="datetime-local"
            value={ownTime}
            error={since === undefined && 'Enter a date and a time.'}
            onChange={(event) => setOwnTime(event.currentTarget.value)}
          />
        )}
        {/* A height for both lines, so that the buttons keep their place. */}
        <Text role="status" mih={44}>
          {body && (count.data ? describeCount(count.data, 'failed') : 'Counting…')}
        </Text>
        <Text c="dimmed" fz="xs">
          A waiting retry becomes due now and keeps its remaining attempts. The rate and order of the endpoint still
          apply.
        </Text>
        {count.error && <ProblemAlert error={count.error} onRetry={() => void count.refetch()} />}
        {start.error && <ProblemAlert error={start.error} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={!count.data || count.data.total === 0} loading={start.isPending} onClick={begin}>
            Redeliver
          </Button>
        </DialogActions>
      </Stack>
    </FormDialog>
  );
}

/** Returns undefined while the own time is incomplete. */
function toSince(span: string, ownTime: string, nowMs: number): string | undefined {
  if (span !== OWN_TIME) return new Date(nowMs - Number(span) * HOUR_MS).toISOString();
  return ownTime === '' ? undefined : new Date(ownTime).toISOString();
}
