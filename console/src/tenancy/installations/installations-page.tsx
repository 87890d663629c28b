// Shows and changes the grants of each server: a grid of servers and scopes, or cards on a phone. The sandbox has no
// server owners, so the developer acts for them; in production a member restricts what the upstream API allows.

import { Group, Stack } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconServer } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { ChangedInstallation } from '../../kit/api.ts';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { Inline } from '../../kit/inline.tsx';
import { AnchorLink, ButtonLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, OnlyOne, RowsSkeleton } from '../../kit/list-states.tsx';
import { SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { describeProblem } from '../../kit/problem-text.ts';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../apps/use-app.ts';
import { ChangeAll } from './change-all.tsx';
import { InstallationCards } from './installation-cards.tsx';
import { InstallationGrid } from './installation-grid.tsx';
import { notifyChange } from './notify-change.tsx';
import { PauseGrant } from './pause-grant.tsx';
import { RevokeGrant } from './revoke-grant.tsx';
import { type GrantChange, useChangeGrant, useLiveInstallations } from './use-installations.ts';

const PATH = '/in/$organisationId/apps/$appId/installations';
const route = getRouteApi(`${APP_ROUTE}/installations`);
const WIDE_ENOUGH_FOR_A_GRID = '(min-width: 62em)';

export function InstallationsPage(): ReactNode {
  const app = useAppScope();
  useTitle('Installations', useApp(app).data?.name);
  const role = useMembership(app.organisationId)?.role;
  const servers = useLiveInstallations(app);
  const { server: onlyId } = route.useSearch();
  const only = servers.items?.filter(({ serverId }) => serverId === onlyId) ?? [];
  const isWide = useMediaQuery(WIDE_ENOUGH_FOR_A_GRID, undefined, { getInitialValueInEffect: false });
  const { change, asking, confirm, stopAsking, mutation } = useChanges();
  const [isOpen, dialog] = useDisclosure(false);
  const actions = (
    <Group gap="xs">
      <ButtonLink to={`${PATH}/access`} params={app} search={{}} variant="default">
        Explain access
      </ButtonLink>
      <ButtonLink to={`${PATH}/history`} params={app} search={{}} variant="default">
        History
      </ButtonLink>
      {servers.items && servers.items.length > 0 && (
        <GuardedButton role={role} action="installations.change" variant="default" onClick={dialog.open}>
          Change every server
        </GuardedButton>
      )}
    </Group>
  );
  const AskBefore = asking?.state === 'paused' ? PauseGrant : RevokeGrant;
  const Servers = isWide ? InstallationGrid : InstallationCards;
  return (
    <Stack>
      <SectionHead title="Installations" action={actions}>
        A call works if its key has the scope, the server has authorised the app, and the installation includes the
        scope.{' '}
        {IS_PRODUCTION
          ? 'The upstream API states what each server allows. Your organisation can withhold grants, and never grants more.'
          : 'In the sandbox you act for the servers’ owners.'}
      </SectionHead>
      {servers.error && <ProblemAlert error={servers.error} onRetry={() => void servers.refetch()} />}
      {servers.isPending && <RowsSkeleton rows={6} height={24} />}
      {servers.items?.length === 0 && (
        <EmptyList icon={<IconServer aria-hidden />} title="No servers">
          {IS_PRODUCTION
            ? 'No server has authorised this app yet.'
            : 'The app’s sandbox data has no servers. Reset it under Simulation to a preset with servers.'}
        </EmptyList>
      )}
      {onlyId !== undefined && servers.items && (
        <OnlyOne
          noun="server"
          isFound={only.length > 0}
          all={
            <AnchorLink to={PATH} params={app} search={{}}>
              Show all servers
            </AnchorLink>
          }
        />
      )}
      {servers.items && servers.items.length > 0 && (
        <>
          <Servers
            servers={only.length > 0 ? only : servers.items}
            role={role}
            pending={mutation.isPending ? mutation.variables : undefined}
            onChange={change}
          />
          <LoadMore {...servers} />
        </>
      )}
      {isOpen && <ChangeAll app={app} onClose={dialog.close} />}
      {asking && (
        <AskBefore
          app={app}
          change={asking}
          isPending={mutation.isPending}
          error={mutation.error}
          onConfirm={confirm}
          onClose={stopAsking}
        />
      )}
    </Stack>
  );
}

// A change that takes access away asks first, with a forecast.
function useChanges() {
  const app = useAppScope();
  const mutation = useChangeGrant(app);
  const [asking, setAsking] = useState<GrantChange>();
  const say = (input: GrantChange, changed: ChangedInstallation): void => {
    notifyChange(app, input, changed);
    setAsking(undefined);
  };
  const apply = (input: GrantChange): void =>
    mutation.mutate(input, {
      onSuccess: (changed) => say(input, changed),
      onError: (error) => {
        const { title, fix } = describeProblem(error);
        const message = <Inline>{fix}</Inline>;
        if (input.state === 'authorised') notifications.show({ color: 'red', title, message, autoClose: 10_000 });
      },
    });
  return {
    mutation,
    asking,
    change: (input: GrantChange): void => (input.state === 'authorised' ? apply(input) : setAsking(input)),
    confirm: (): void => asking && apply(asking),
    stopAsking: (): void => {
      mutation.reset();
      setAsking(undefined);
    },
  };
}
