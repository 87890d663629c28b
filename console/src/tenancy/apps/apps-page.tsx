// Lists the organisation's apps, and registers one.
import { Box, Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconApps, IconPlus, IconWorld } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { type App, api } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { ENVIRONMENT_PHRASE, IS_PRODUCTION } from '../../kit/environments.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { NameDialog } from '../../kit/name-dialog.tsx';
import { NameForm, type NameFormProps } from '../../kit/name-form.tsx';
import { OWN_CONTRACT } from '../../kit/own-contract.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { useRefusalReason } from '../../kit/roles.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { WidePage } from '../../kit/wide-page.tsx';
import { APP_TONES, useApps } from './use-app.ts';

const route = getRouteApi('/shell/in/$organisationId/apps');

export function AppsPage(): ReactNode {
  const { organisationId } = route.useParams();
  const membership = useMembership(organisationId);
  useTitle('Apps', membership?.name);
  const [isOpen, dialog] = useDisclosure(false);
  const apps = useApps(organisationId);
  const registration = useRegistration(organisationId);
  const reason = useRefusalReason(membership?.role, 'apps.create');
  const register = (
    <GuardedButton
      role={membership?.role}
      action="apps.create"
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={dialog.open}
    >
      Register an app
    </GuardedButton>
  );
  const first = (
    <Box w={320} maw="100%" ta="start">
      <NameForm {...registration} />
    </Box>
  );
  return (
    <WidePage py="xl">
      <Stack gap="lg">
        <SectionHead title="Apps" order={1} action={apps.items?.length && !IS_PRODUCTION ? register : undefined}>
          {IS_PRODUCTION
            ? 'Apps with approved live access. Request it on the page of the app in the sandbox.'
            : 'An app holds keys, installations and webhooks. In the sandbox it starts with synthetic data.'}
        </SectionHead>
        {apps.error && <ProblemAlert error={apps.error} onRetry={() => void apps.refetch()} />}
        {apps.isPending && <RowsSkeleton rows={4} />}
        {apps.items?.length === 0 && IS_PRODUCTION && <NoLiveApps organisationId={organisationId} />}
        {apps.items?.length === 0 && !IS_PRODUCTION && (
          <EmptyList
            icon={<IconApps aria-hidden />}
            title="Register your first app"
            action={reason === undefined ? first : register}
          >
            {`${NEW_DATA}, so that the first call works immediately.`}
          </EmptyList>
        )}
        {apps.items && apps.items.length > 0 && (
          <Panel>
            <DataTable label="Apps" verticalSpacing="sm" columns={COLUMNS} rows={apps.items} rowKey={({ id }) => id} />
            <LoadMore {...apps} />
          </Panel>
        )}
      </Stack>
      {isOpen && (
        <NameDialog
          title={`Register an app in ${ENVIRONMENT_PHRASE}`}
          description={`${NEW_DATA}.`}
          {...registration}
          onClose={dialog.close}
        />
      )}
    </WidePage>
  );
}

const NEW_DATA = OWN_CONTRACT
  ? 'The app gets synthetic objects, and the grants of all scopes'
  : 'The app gets synthetic servers that have authorised all six scopes';

function NoLiveApps({ organisationId }: { organisationId: string }): ReactNode {
  const toSandbox = (
    <Button component="a" href={`/sandbox/${organisationId}/apps`}>
      Apps in the sandbox
    </Button>
  );
  return (
    <EmptyList icon={<IconWorld aria-hidden />} title="No app has live access" action={toSandbox}>
      Request it on the page “Live access” of an app in the sandbox. The app appears here after the approval.
    </EmptyList>
  );
}

const COLUMNS: Column<App>[] = [
  {
    head: 'Name',
    cell: ({ organisationId, id, name }) => (
      <AnchorLink to="/in/$organisationId/apps/$appId/overview" params={{ organisationId, appId: id }} fw={550}>
        {name}
      </AnchorLink>
    ),
    wraps: true,
  },
  { head: 'State', cell: ({ state }) => <StateBadge tone={APP_TONES[state]}>{state}</StateBadge> },
  { head: 'Identifier', from: 'sm', cell: ({ id }) => <CopyId value={id} label="app id" /> },
  { head: 'Registered by', from: 'md', cell: ({ createdBy }) => createdBy },
  { head: 'Registered', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

/** Returns the form that registers an app and opens its page. */
function useRegistration(organisationId: string): NameFormProps<App> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return {
    placeholder: OWN_CONTRACT ? 'Bridge' : 'Ticket bridge',
    action: 'Register',
    create: (name) => api.createApp({ organisationId, body: { name } }),
    onCreated: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: queryKeys.apps(organisationId) });
      await navigate({
        to: '/in/$organisationId/apps/$appId/overview',
        params: { organisationId, appId: id },
      });
    },
  };
}
