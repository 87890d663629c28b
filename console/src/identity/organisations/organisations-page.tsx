// Lists the person's organisations, and creates one.
import { Alert, Button, Container, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuilding, IconPlus, IconUserOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, type Membership, type SuspendedMembership } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { EmptyList, RowsSkeleton } from '../../kit/list-states.tsx';
import { NameDialog } from '../../kit/name-dialog.tsx';
import notes from '../../kit/notes.module.css';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { ROLE_MEANING } from '../../kit/roles.ts';
import { Tag } from '../../kit/state-badge.tsx';
import { exactTime } from '../../kit/time.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useSession } from '../session/use-session.ts';

export function OrganisationsPage(): ReactNode {
  useTitle('Organisations');
  const session = useSession();
  const [isOpen, dialog] = useDisclosure(false);
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={dialog.open}>
      Create an organisation
    </Button>
  );
  const organisations = session.data?.organisations;
  const suspendedIn = session.data?.suspendedIn ?? [];
  return (
    <Container size={960} py="xl">
      <Stack gap="lg">
        <SectionHead
          title="Organisations"
          order={1}
          action={organisations && organisations.length + suspendedIn.length > 0 ? create : undefined}
        >
          An organisation owns apps, and its members share them.
        </SectionHead>
        {session.error && <ProblemAlert error={session.error} onRetry={() => void session.refetch()} />}
        {session.isPending && <RowsSkeleton rows={3} />}
        {suspendedIn.map((one) => (
          <Suspension key={one.id} membership={one} />
        ))}
        {organisations?.length === 0 && suspendedIn.length === 0 && (
          <EmptyList icon={<IconBuilding aria-hidden />} title="Create your first organisation" action={create}>
            Then register an app, generate a key, and make the first call. This takes about a minute.
          </EmptyList>
        )}
        {organisations && organisations.length > 0 && <OrganisationTable organisations={organisations} />}
      </Stack>
      {isOpen && <CreateOrganisation onClose={dialog.close} />}
    </Container>
  );
}

/** Names the reason and the people who can end the suspension. */
function Suspension({ membership: { name, suspendedAt, owners } }: { membership: SuspendedMembership }): ReactNode {
  return (
    <Alert
      className={notes.warning ?? ''}
      icon={<IconUserOff aria-hidden />}
      title={`Your membership of ${name} is suspended`}
    >
      <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
        The operator restored a backup on {exactTime(suspendedAt)}. A backup can bring back members who were removed, so
        every member needs the confirmation of an owner.{' '}
        {owners.length > 0
          ? `Ask an owner to reinstate you under Team: ${owners.join(', ')}.`
          : 'Ask the operator of this installation who owns the organisation.'}
      </Text>
    </Alert>
  );
}

const COLUMNS: Column<Membership>[] = [
  {
    head: 'Name',
    cell: ({ id, name }) => (
      <AnchorLink to="/in/$organisationId/apps" params={{ organisationId: id }} fw={550}>
        {name}
      </AnchorLink>
    ),
    wraps: true,
  },
  {
    head: 'Your role',
    cell: ({ role }) => (
      <Group gap="xs">
        <Tag>{role}</Tag>
        <Text c="dimmed" fz="xs" visibleFrom="sm">
          {ROLE_MEANING[role]}
        </Text>
      </Group>
    ),
  },
  {
    head: 'Members',
    cell: ({ id, name }) => (
      <AnchorLink
        to="/organisations/$organisationId/team"
        params={{ organisationId: id }}
        aria-label={`Team of ${name}`}
      >
        Team
      </AnchorLink>
    ),
  },
  { head: 'Identifier', cell: ({ id }) => <CopyId value={id} label="organisation id" />, from: 'sm' },
];

function OrganisationTable({ organisations }: { organisations: Membership[] }): ReactNode {
  return (
    <Panel>
      <DataTable
        label="Your organisations"
        verticalSpacing="sm"
        columns={COLUMNS}
        rows={organisations}
        rowKey={({ id }) => id}
      />
    </Panel>
  );
}

function CreateOrganisation({ onClose }: { onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <NameDialog
      title="Create an organisation"
      description="You become its owner. Its apps, keys and records are visible to its members only."
      placeholder="Harbour Tools"
      action="Create"
      create={(name) => api.createOrganisation({ body: { name } })}
      onCreated={async ({ id }) => {
        await queries.invalidateQueries({ queryKey: queryKeys.session });
        await navigate({ to: '/in/$organisationId/apps', params: { organisationId: id } });
      }}
      onClose={onClose}
    />
  );
}
