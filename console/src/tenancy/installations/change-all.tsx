// Gives the installation of every server, or one scope of it, the same state. Shows beforehand how many servers change.
import { Button, Checkbox, List, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { ChangeForecast } from '../../inspector/forecasts/change-forecast.tsx';
import { RevocationMessage } from '../../inspector/receipts/download-receipt.tsx';
import type { AppScope, GrantState, Scope } from '../../kit/api.ts';
import { EnvironmentNote } from '../../kit/confirm-dialog.tsx';
import { DialogActions } from '../../kit/dialog-actions.tsx';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { RowsSkeleton } from '../../kit/list-states.tsx';
import { grouped } from '../../kit/number.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { SCOPES } from '../../kit/scopes.ts';
import { type BulkCounts, useBulkPreview, useChangeAll } from './use-change-all.ts';

const MAX_FORECAST_SERVERS = 1_000;
const WHOLE = 'whole';
const COLUMNS = [
  { value: WHOLE, label: 'The whole installation' },
  ...SCOPES.map((value) => ({ value, label: value })),
];
const STATES: { value: GrantState; label: string }[] = [
  { value: 'authorised', label: IS_PRODUCTION ? 'as the upstream API allows' : 'authorised' },
  { value: 'paused', label: 'paused, until you resume it' },
  { value: 'revoked', label: IS_PRODUCTION ? 'revoked, until you resume it' : 'revoked, for good' },
];

export function ChangeAll({ app, onClose }: { app: AppScope; onClose: () => void }): ReactNode {
  const [column, setColumn] = useState(WHOLE);
  const [state, setState] = useState<GrantState>('paused');
  const scope = SCOPES.find((one) => one === column);
  const [includesRevoked, setIncludesRevoked] = useState(false);
  const input = {
    state,
    ...(scope && { scopes: [scope] }),
    ...(includesRevoked && state !== 'revoked' && { includeRevoked: true }),
  };
  const preview = useBulkPreview(app, input);
  const change = useChangeAll(app);
  const confirm = (): void =>
    change.mutate(input, {
      onSuccess: ({ changed, receiptIds }) => {
        const text = describeResult(changed, state, scope);
        const { organisationId } = app;
        notifications.show({
          color: 'teal',
          title: 'New state',
          message: receiptIds.length === 0 ? text : <RevocationMessage {...{ text, organisationId, receiptIds }} />,
          ...(receiptIds.length > 0 && { autoClose: 30_000 }),
        });
        onClose();
      },
    });
  const error = preview.error ?? change.error;
  return (
    <FormDialog onClose={onClose} title="Change every server">
      <Stack>
        <EnvironmentNote />
        <Select
          label="On every server"
          data={COLUMNS}
          value={column}
          onChange={(value) => setColumn(value ?? WHOLE)}
          allowDeselect={false}
          data-autofocus
        />
        <Select
          label="becomes"
          data={STATES}
          value={state}
          onChange={(value) => value && setState(value)}
          allowDeselect={false}
        />
        {(state === 'authorised' || (IS_PRODUCTION && state === 'paused')) && (
          <Checkbox
            label="Include revoked"
            description={`Without it, ${scope ?? 'an installation'} that is revoked stays revoked.`}
            checked={includesRevoked}
            onChange={(event) => setIncludesRevoked(event.currentTarget.checked)}
          />
        )}
        {error && <ProblemAlert error={error} />}
        {preview.isPending && <RowsSkeleton rows={2} />}
        {preview.data && <Consequences counts={preview.data} state={state} />}
        {preview.data && state !== 'authorised' && (
          <BulkForecast app={app} serverIds={preview.data.changedServerIds} state={state} scope={scope} />
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            {...(state === 'revoked' && { color: 'red.8' })}
            disabled={!preview.data || preview.data.changed === 0}
            loading={change.isPending}
            onClick={confirm}
          >
            Change {preview.data?.changed ?? 0}
          </Button>
        </DialogActions>
      </Stack>
    </FormDialog>
  );
}

interface BulkForecastProps {
  app: AppScope;
  serverIds: string[];
  state: Exclude<GrantState, 'authorised'>;
  scope: Scope | undefined;
}

function BulkForecast({ app, serverIds, state, scope }: BulkForecastProps): ReactNode {
  if (serverIds.length === 0) return null;
  if (serverIds.length > MAX_FORECAST_SERVERS)
    return <Text fz="sm">There is no forecast for more than {grouped(MAX_FORECAST_SERVERS)} servers.</Text>;
  return <ChangeForecast scope={app} change={{ grants: { serverIds, state, ...(scope && { scopes: [scope] }) } }} />;
}

const grants = (count: number): string => `${count} ${count === 1 ? 'server' : 'servers'}`;

function describeResult(changed: number, state: GrantState, scope: Scope | undefined): string {
  if (IS_PRODUCTION && state === 'authorised') return `Your organisation no longer restricts it on ${grants(changed)}.`;
  return `${scope ?? 'The whole installation'} is ${state} on ${grants(changed)} more than before.`;
}

/** Returns the states before the change: `: 3 paused, 1 revoked`. */
function previously({ changed, changedFromPaused, changedFromRevoked }: BulkCounts): string {
  const others = changed - changedFromPaused - changedFromRevoked;
  const parts = [
    changedFromPaused > 0 && `${changedFromPaused} paused`,
    changedFromRevoked > 0 && `${changedFromRevoked} revoked`,
    others > 0 && `${others} in another state`,
  ].filter((part) => part !== false);
  return others === changed ? '' : `: ${parts.join(', ')}`;
}

function Consequences({ counts, state }: { counts: BulkCounts; state: GrantState }): ReactNode {
  const { changed, unchanged, impossible, excluded, deliveries } = counts;
  return (
    <div role="status">
      <List size="sm" spacing={6}>
        <List.Item>
          It immediately changes {grants(changed)}
          {changed > 0 && previously(counts)}.
        </List.Item>
        {excluded > 0 && (
          <List.Item>
            {grants(excluded)} {excluded === 1 ? 'is revoked and stays' : 'are revoked and stay'} revoked.
          </List.Item>
        )}
        {unchanged > 0 && <List.Item>{grants(unchanged)} have this state already.</List.Item>}
        {impossible > 0 && (
          <List.Item>
            {IS_PRODUCTION
              ? `On ${grants(impossible)} your organisation has no restriction: the upstream API or the server limit withholds the grant.`
              : `${grants(impossible)} cannot get this state, because the app has no authorisation there.`}
          </List.Item>
        )}
        {deliveries > 0 && <List.Item>{describeDeliveries(deliveries, state)}</List.Item>}
      </List>
      {state === 'revoked' && changed > 0 && (
        <Text c="dimmed" mt="xs">
          {IS_PRODUCTION
            ? 'Resuming later creates a new grant and restores nothing.'
            : 'A revocation is final. Authorising later creates a new grant and restores nothing.'}
        </Text>
      )}
    </div>
  );
}

function describeDeliveries(count: number, state: GrantState): string {
  const noun = count === 1 ? 'delivery that waits' : 'deliveries that wait';
  if (state === 'revoked') return `${count} ${noun} will be cancelled.`;
  return state === 'paused' ? `${count} ${noun} will be held.` : `${count} ${noun} can continue.`;
}
