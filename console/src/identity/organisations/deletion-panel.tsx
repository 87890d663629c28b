// Deletes an organisation, shows the progress, and cancels the deletion during the grace period.
import { Alert, List, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type OrganisationDeletion } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import notes from '../../kit/notes.module.css';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { exactTime } from '../../kit/time.ts';
import { DeleteOrganisation } from './delete-organisation.tsx';
import type { OrganisationProps } from './transfer-panel.tsx';

const LOOK_EVERY_MS = 3_000;

export function DeletionPanel({ organisation }: OrganisationProps): ReactNode {
  const { id: organisationId, role } = organisation;
  const [isOpen, dialog] = useDisclosure(false);
  const deletion = useQuery({
    queryKey: queryKeys.deletion(organisationId),
    queryFn: ({ signal }) => api.getOrganisationDeletion({ organisationId }, { signal }),
    // Until every environment has confirmed.
    refetchInterval: ({ state }) => (state.data?.environments.every((one) => one.isConfirmed) ? false : LOOK_EVERY_MS),
  });
  return (
    <Panel p="lg">
      <Stack>
        <SectionHead title="Delete the organisation">
          Stops all its apps immediately in every environment. You can cancel the deletion for seven days; then
          everything is erased.
        </SectionHead>
        {deletion.error && <ProblemAlert error={deletion.error} onRetry={() => void deletion.refetch()} />}
        {deletion.isPending && <Skeleton height={36} width={180} radius="sm" />}
        {deletion.data?.eraseAt && (
          <BeingDeleted organisation={organisation} deletion={deletion.data} eraseAt={deletion.data.eraseAt} />
        )}
        {deletion.data && !deletion.data.eraseAt && (
          <GuardedButton
            role={role}
            action="organisation.delete"
            variant="outline"
            color="var(--bad)"
            w="fit-content"
            onClick={dialog.open}
          >
            Delete the organisation
          </GuardedButton>
        )}
        {isOpen && <DeleteOrganisation organisation={organisation} onClose={dialog.close} />}
      </Stack>
    </Panel>
  );
}

interface BeingDeletedProps extends OrganisationProps {
  deletion: OrganisationDeletion;
  eraseAt: string;
}

function BeingDeleted({ organisation: { id: organisationId, role }, deletion, eraseAt }: BeingDeletedProps): ReactNode {
  const queries = useQueryClient();
  const restore = useMutation({
    mutationFn: () => api.restoreOrganisation({ organisationId }),
    onSuccess: (restored) => {
      queries.setQueryData(queryKeys.deletion(organisationId), restored);
      notifications.show({
        color: 'teal',
        title: 'The deletion is cancelled',
        message: 'Its apps are suspended: check their keys, then resume each app under its settings.',
        autoClose: 10_000,
      });
      return queries.invalidateQueries({ queryKey: queryKeys.apps(organisationId) });
    },
  });
  return (
    <Alert className={notes.warning ?? ''} icon={<IconAlertTriangle aria-hidden />}>
      <Stack gap="xs">
        <Text>
          Deletion in progress: everything is erased <RelativeTime at={eraseAt} /> ({exactTime(eraseAt)}).
        </Text>
        <List size="sm">
          {deletion.environments.map(({ name, isConfirmed }) => (
            <List.Item key={name}>
              {name}: {isConfirmed ? 'all its apps are stopped' : 'not confirmed yet; Slipway repeats the report'}
            </List.Item>
          ))}
        </List>
        {restore.error && <ProblemAlert error={restore.error} />}
        <GuardedButton
          role={role}
          action="organisation.delete"
          variant="default"
          w="fit-content"
          loading={restore.isPending}
          onClick={() => restore.mutate()}
        >
          Cancel the deletion
        </GuardedButton>
      </Stack>
    </Alert>
  );
}
