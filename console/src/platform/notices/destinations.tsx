// Lists the destinations that receive the organisation's notices, with the result of the latest attempt.
import { Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconPlus, IconSend } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { NoticeDestination, Role } from '../../kit/api.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge, type Tone } from '../../kit/state-badge.tsx';
import { ChangeDestination } from './change-destination.tsx';
import { CreateDestination, KIND_LABELS } from './create-destination.tsx';
import { useChangeDestination, useDeleteDestination, useDestinations, useTestDestination } from './use-destinations.ts';

interface DestinationsProps {
  organisationId: string;
  role: Role | undefined;
}

export function Destinations({ organisationId, role }: DestinationsProps): ReactNode {
  const [isOpen, dialog] = useDisclosure(false);
  const [changed, setChanged] = useState<NoticeDestination>();
  const [deleted, setDeleted] = useState<NoticeDestination>();
  const destinations = useDestinations(organisationId);
  const create = (
    <GuardedButton
      role={role}
      action="endpoints.change"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={dialog.open}
    >
      Add a destination
    </GuardedButton>
  );
  return (
    <Stack gap="xs">
      <SectionHead title="Destinations" action={destinations.items?.length ? create : undefined}>
        Services that receive the notices of the organisation, at most one message an hour about one cause.
      </SectionHead>
      {destinations.error && <ProblemAlert error={destinations.error} onRetry={() => void destinations.refetch()} />}
      {destinations.isPending && <RowsSkeleton rows={2} />}
      {destinations.items?.length === 0 && (
        <EmptyList icon={<IconSend aria-hidden />} title="No destinations yet" action={create}>
          Add a webhook, a chat or an on-call service, so that your team learns of notices.
        </EmptyList>
      )}
      {destinations.items && destinations.items.length > 0 && (
        <Panel>
          <DestinationTable
            organisationId={organisationId}
            role={role}
            destinations={destinations.items}
            onChange={setChanged}
            onDelete={setDeleted}
          />
          <LoadMore {...destinations} />
        </Panel>
      )}
      {isOpen && <CreateDestination organisationId={organisationId} onClose={dialog.close} />}
      {changed && (
        <ChangeDestination
          organisationId={organisationId}
          destination={changed}
          onClose={() => setChanged(undefined)}
        />
      )}
      {deleted && (
        <DeleteDestination
          organisationId={organisationId}
          destination={deleted}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </Stack>
  );
}

function resultOf({ lastAttempt, state }: NoticeDestination): { tone: Tone; text: string } {
  if (state === 'disabled') return { tone: 'none', text: 'disabled' };
  if (!lastAttempt) return { tone: 'waiting', text: 'no message yet' };
  if (lastAttempt.outcome === 'succeeded') return { tone: 'good', text: 'delivered' };
  return { tone: 'bad', text: lastAttempt.outcome === 'waiting' ? 'failing' : 'failed' };
}

function Result({ destination }: { destination: NoticeDestination }): ReactNode {
  const { tone, text } = resultOf(destination);
  const { lastAttempt, disabledReason } = destination;
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge tone={tone}>{text}</StateBadge>
      <Text c="dimmed" fz="xs">
        {disabledReason}
        {disabledReason === null && lastAttempt && (
          <>
            {lastAttempt.status === null ? lastAttempt.detail : `HTTP ${lastAttempt.status}`}{' '}
            <RelativeTime at={lastAttempt.at} />
          </>
        )}
      </Text>
    </Stack>
  );
}

interface DestinationTableProps extends DestinationsProps {
  destinations: NoticeDestination[];
  onChange: (destination: NoticeDestination) => void;
  onDelete: (destination: NoticeDestination) => void;
}

function DestinationTable({
  organisationId,
  role,
  destinations,
  onChange,
  onDelete,
}: DestinationTableProps): ReactNode {
  const test = useTestDestination(organisationId, () =>
    notifications.show({ color: 'teal', message: 'The test message was queued.' }),
  );
  const change = useChangeDestination(organisationId);
  const columns: Column<NoticeDestination>[] = [
    {
      head: 'Destination',
      cell: ({ name, kind, host, environments }) => (
        <>
          <Text fw={550}>{name}</Text>
          <Text c="dimmed" fz="xs">
            {KIND_LABELS[kind]} at {host}; {environments.join(', ')}
          </Text>
        </>
      ),
      wraps: true,
    },
    { head: 'Last result', cell: (destination) => <Result destination={destination} />, from: 'sm', fold: true },
    {
      head: 'Actions',
      align: 'right',
      cell: (destination) => {
        const { id, name, state } = destination;
        const action = { role, action: 'endpoints.change', variant: 'default', size: 'xs' } as const;
        const verb = state === 'enabled' ? 'Disable' : 'Enable';
        return (
          <Group gap="xs" justify="flex-end">
            {state === 'enabled' && (
              <GuardedButton
                {...action}
                aria-label={`Send test to ${name}`}
                loading={test.isPending && test.variables === id}
                onClick={() => test.mutate(id)}
              >
                Send test
              </GuardedButton>
            )}
            <GuardedButton {...action} aria-label={`Change ${name}`} onClick={() => onChange(destination)}>
              Change
            </GuardedButton>
            <GuardedButton
              {...action}
              aria-label={`${verb} ${name}`}
              loading={change.isPending && change.variables.destinationId === id}
              onClick={() =>
                change.mutate({ destinationId: id, body: { state: state === 'enabled' ? 'disabled' : 'enabled' } })
              }
            >
              {verb}
            </GuardedButton>
            <GuardedButton {...action} aria-label={`Delete ${name}`} onClick={() => onDelete(destination)}>
              Delete
            </GuardedButton>
          </Group>
        );
      },
    },
  ];
  return (
    <>
      {test.error && <ProblemAlert error={test.error} />}
      {change.error && <ProblemAlert error={change.error} />}
      <DataTable
        label="Destinations"
        verticalSpacing="sm"
        columns={columns}
        rows={destinations}
        rowKey={({ id }) => id}
      />
    </>
  );
}

interface DeleteProps {
  organisationId: string;
  destination: NoticeDestination;
  onClose: () => void;
}

function DeleteDestination({ organisationId, destination, onClose }: DeleteProps): ReactNode {
  const remove = useDeleteDestination(organisationId, onClose);
  return (
    <ConfirmDialog
      isOpen
      isShared
      title={`Delete the destination “${destination.name}”?`}
      action="Delete the destination"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(destination.id)}
      onClose={onClose}
    >
      <Text>This is final. Waiting messages are cancelled, and the address and the secret are deleted.</Text>
    </ConfirmDialog>
  );
}
