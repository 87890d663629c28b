// Table of organisations with the operator's actions.
import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OperatedOrganisation } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { grouped } from '../../kit/number.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { quotaLines } from './quota-labels.ts';

interface OrganisationTableProps {
  organisations: OperatedOrganisation[];
  /** Organisation that is being resumed. */
  resuming: string | undefined;
  onResume: (id: string) => void;
  onSuspend: (organisation: OperatedOrganisation) => void;
  onSetQuotas: (organisation: OperatedOrganisation) => void;
}

export function OrganisationTable({ organisations, ...rest }: OrganisationTableProps): ReactNode {
  const columns: Column<OperatedOrganisation>[] = [
    ...COLUMNS,
    {
      head: 'Actions',
      align: 'right',
      cell: (organisation) => <RowActions organisation={organisation} {...rest} />,
    },
  ];
  return (
    <DataTable
      label="Organisations"
      verticalSpacing="sm"
      isTop
      columns={columns}
      rows={organisations}
      rowKey={({ id }) => id}
    />
  );
}

const COLUMNS: Column<OperatedOrganisation>[] = [
  {
    head: 'Organisation',
    wraps: true,
    cell: ({ id, name }) => (
      <>
        <Text fw={550}>{name}</Text>
        <Text component="div" c="dimmed">
          <CopyId value={id} label={`id of ${name}`} shown={shorten(id)} />
        </Text>
      </>
    ),
  },
  {
    head: 'State',
    from: 'sm',
    fold: (organisation) => <OrganisationStatus organisation={organisation} />,
    cell: (organisation) => (
      <Box maw={260}>
        <OrganisationStatus organisation={organisation} />
      </Box>
    ),
    wraps: true,
  },
  { head: 'Members', align: 'right', from: 'md', cell: ({ memberCount }) => grouped(memberCount) },
  { head: 'Created', from: 'md', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { head: 'Quotas', from: 'sm', fold: true, cell: (organisation) => <OwnQuotas organisation={organisation} /> },
];

type RowProps = Omit<OrganisationTableProps, 'organisations'> & { organisation: OperatedOrganisation };

function RowActions({ organisation, resuming, onResume, onSuspend, onSetQuotas }: RowProps): ReactNode {
  const { id, name, suspendedAt } = organisation;
  const isSuspended = suspendedAt !== null;
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" size="xs" aria-label={`Quotas of ${name}`} onClick={() => onSetQuotas(organisation)}>
        Quotas
      </Button>
      <Button
        variant="default"
        size="xs"
        aria-label={`${isSuspended ? 'Resume' : 'Suspend'} ${name}`}
        loading={resuming === id}
        onClick={() => (isSuspended ? onResume(id) : onSuspend(organisation))}
      >
        {isSuspended ? 'Resume' : 'Suspend'}
      </Button>
    </Group>
  );
}

function OrganisationStatus({
  organisation: { suspendedAt, suspendedReason },
}: Pick<RowProps, 'organisation'>): ReactNode {
  if (suspendedAt === null) return <StateBadge tone="good">active</StateBadge>;
  return (
    <Stack gap={4} align="flex-start">
      <StateBadge tone="warning">suspended</StateBadge>
      <Text fz="xs" c="dimmed">
        <RelativeTime at={suspendedAt} />: {suspendedReason}
      </Text>
    </Stack>
  );
}

function OwnQuotas({ organisation: { quotas } }: Pick<RowProps, 'organisation'>): ReactNode {
  const lines = quotaLines(quotas);
  if (lines.length === 0) return <Text c="dimmed">Default quotas</Text>;
  return lines.map((line) => <Text key={line}>{line}</Text>);
}
