// Table of organisations with the operator's actions.
import { ActionIcon, Box, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OperatedOrganisation } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { grouped } from '../../kit/number.ts';
import { CONTENT_ID } from '../../kit/panel.tsx';
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
  // Suspending and resuming are one button, which keeps the focus when its label changes.
  const actions = [
    { key: 'quotas', label: 'Quotas', name: `Quotas of ${name}`, run: () => onSetQuotas(organisation) },
    isSuspended
      ? { key: 'status', label: 'Resume', name: `Resume ${name}`, run: () => onResume(id) }
      : { key: 'status', label: 'Suspend', name: `Suspend ${name}`, run: () => onSuspend(organisation) },
  ];
  return (
    <>
      <Group justify="flex-end" gap="xs" visibleFrom="sm">
        {actions.map((one) => (
          <Button
            key={one.key}
            variant="default"
            size="xs"
            aria-label={one.name}
            loading={one.label === 'Resume' && resuming === id}
            onClick={one.run}
          >
            {one.label}
          </Button>
        ))}
      </Group>
      <Box hiddenFrom="sm">
        <Menu position="bottom-end" portalProps={{ target: `#${CONTENT_ID}` }}>
          <Menu.Target>
            <ActionIcon variant="default" size="md" aria-label={`Actions of ${name}`} loading={resuming === id}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map((one) => (
              <Menu.Item key={one.key} onClick={one.run}>
                {one.label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Box>
    </>
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
