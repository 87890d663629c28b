// The organisations, one a row, with what an operator may do to each.
import { Button, Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OperatedOrganisation } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { grouped } from '../../kit/number.ts';
import { shorten } from '../../kit/shorten.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { When } from '../../kit/when.tsx';
import { quotaLines } from './quota-words.ts';

interface OrganisationTableProps {
  organisations: OperatedOrganisation[];
  /** The one that is being resumed. */
  resuming: string | undefined;
  onResume: (id: string) => void;
  onSuspend: (organisation: OperatedOrganisation) => void;
  onSetQuotas: (organisation: OperatedOrganisation) => void;
}

export function OrganisationTable({ organisations, ...rest }: OrganisationTableProps): ReactNode {
  return (
    <Table aria-label="Organisations" verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Organisation</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            State
          </Table.Th>
          <Table.Th scope="col" visibleFrom="md" ta="right">
            Members
          </Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            Created
          </Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            Quotas
          </Table.Th>
          <Table.Th scope="col" ta="right">
            Actions
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {organisations.map((organisation) => (
          <OrganisationRow key={organisation.id} organisation={organisation} {...rest} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

type RowProps = Omit<OrganisationTableProps, 'organisations'> & { organisation: OperatedOrganisation };

function OrganisationRow({ organisation, ...rest }: RowProps): ReactNode {
  const { id, name, memberCount, createdAt } = organisation;
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text fw={550}>{name}</Text>
        <Text component="div" c="dimmed">
          <CopyId value={id} label={`id of ${name}`} shown={shorten(id)} />
        </Text>
        <Stack hiddenFrom="sm" gap={4} mt={4}>
          <Standing organisation={organisation} />
          <OwnQuotas organisation={organisation} />
        </Stack>
      </Table.Td>
      <Table.Td visibleFrom="sm" maw={260} style={{ overflowWrap: 'anywhere' }}>
        <Standing organisation={organisation} />
      </Table.Td>
      <Table.Td visibleFrom="md" ta="right">
        {grouped(memberCount)}
      </Table.Td>
      <Table.Td visibleFrom="md">
        <When at={createdAt} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <OwnQuotas organisation={organisation} />
      </Table.Td>
      <Table.Td>
        <RowActions organisation={organisation} {...rest} />
      </Table.Td>
    </Table.Tr>
  );
}

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

function Standing({ organisation: { suspendedAt, suspendedReason } }: Pick<RowProps, 'organisation'>): ReactNode {
  if (suspendedAt === null) return <StateBadge tone="good">active</StateBadge>;
  return (
    <Stack gap={4} align="flex-start">
      <StateBadge tone="warning">suspended</StateBadge>
      <Text fz="xs" c="dimmed">
        <When at={suspendedAt} />: {suspendedReason}
      </Text>
    </Stack>
  );
}

function OwnQuotas({ organisation: { quotas } }: Pick<RowProps, 'organisation'>): ReactNode {
  const lines = quotaLines(quotas);
  if (lines.length === 0) return <Text c="dimmed">Default quotas</Text>;
  return lines.map((line) => <Text key={line}>{line}</Text>);
}
