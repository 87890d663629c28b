// The data browser: the objects of the sandbox data by kind and server, and the triggers that create them.
import { Group, Stack, Tabs, Text } from '@mantine/core';
import { IconDatabase, IconPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useCallback } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { AppScope } from '../../kit/api.ts';
import { GuardedButton } from '../../kit/guarded-button.tsx';
import { ButtonLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { ListSteps } from '../../kit/list-steps.tsx';
import { grouped } from '../../kit/number.ts';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { shorten } from '../../kit/shorten.ts';
import { SideDrawer } from '../../kit/side-drawer.tsx';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { useNewDialog } from '../../kit/use-new-dialog.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../../tenancy/apps/use-app.ts';
import { ServerSelect } from '../../tenancy/installations/server-select.tsx';
import { useInstallations } from '../../tenancy/installations/use-installations.ts';
import { useWorld } from '../simulation/use-simulation.ts';
import classes from './data-page.module.css';
import { FIRST_KIND, KINDS, OBJECT_KINDS, type ObjectKind } from './kinds.ts';
import { ObjectDetail } from './object-drawer.tsx';
import { ObjectTable } from './object-table.tsx';
import { type DataSearch, toDataSearch } from './search.ts';
import { TriggerDialog } from './trigger-dialog.tsx';
import { useObjects } from './use-objects.ts';

const route = getRouteApi(`${APP_ROUTE}/data`);

export function DataPage(): ReactNode {
  const scope = useAppScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTitle('Data', useApp(scope).data?.name);
  const { kind = FIRST_KIND, server, object } = search;
  const servers = useInstallations(scope).items;
  const serverName = useCallback(
    (serverId: string) => servers?.find((one) => one.serverId === serverId)?.serverName ?? shorten(serverId),
    [servers],
  );
  const open = (next: DataSearch): void => void navigate({ search: toDataSearch({ ...next }), resetScroll: false });
  return (
    <Stack>
      <SectionHead
        title="Data"
        action={<CreateButton scope={scope} kind={kind} server={server} onDone={(id) => open({ object: id })} />}
      >
        The objects of the sandbox data. Each change of an object is an event.
      </SectionHead>
      <KindTabs
        scope={scope}
        kind={kind}
        onChange={(next) => open({ ...(server !== undefined && { server }), kind: next })}
      >
        <Stack>
          <Group role="search" aria-label="Filters">
            <ServerSelect
              placeholder="Any server"
              value={server}
              onChange={(next) => open({ kind, ...(next !== null && { server: next }) })}
            />
          </Group>
          <ObjectList
            scope={scope}
            kind={kind}
            search={search}
            serverName={serverName}
            onOpen={(id) => open({ ...search, object: id })}
          />
        </Stack>
      </KindTabs>
      <SideDrawer
        isOpen={object !== undefined}
        title="Object"
        hasSteps
        onClose={() => open({ kind, ...(server !== undefined && { server }) })}
      >
        {object !== undefined && (
          <ObjectDetail
            key={object}
            scope={scope}
            objectId={object}
            serverName={serverName}
            onOpen={(id) => open({ object: id })}
          />
        )}
      </SideDrawer>
    </Stack>
  );
}

interface KindTabsProps {
  scope: AppScope;
  kind: ObjectKind;
  onChange: (kind: ObjectKind) => void;
  children: ReactNode;
}

function KindTabs({ scope, kind, onChange, children }: KindTabsProps): ReactNode {
  const counts = useWorld(scope).data?.counts;
  return (
    // The list of tabs holds no other values.
    <Tabs value={kind} onChange={(value) => value !== null && onChange(value as ObjectKind)}>
      <Tabs.List aria-label="Kind of object" className={classes.kinds ?? ''}>
        {OBJECT_KINDS.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {KINDS[one].plural}{' '}
            <Text component="span" c="dimmed" inherit>
              {counts ? grouped(counts[KINDS[one].count]) : ''}
            </Text>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={kind} pt="md">
        {children}
      </Tabs.Panel>
    </Tabs>
  );
}

interface ObjectListProps {
  scope: AppScope;
  kind: ObjectKind;
  search: DataSearch;
  serverName: (serverId: string) => string;
  onOpen: (objectId: string) => void;
}

function ObjectList({ scope, kind, search, serverName, onOpen }: ObjectListProps): ReactNode {
  const { server } = search;
  const objects = useObjects(scope, { kind, ...(server !== undefined && { serverId: server }) });
  const isEmpty = objects.items?.length === 0;
  return (
    <>
      <ListSteps
        noun="object"
        rows={objects.items}
        openId={search.object}
        describe={({ title, status }) => [title, status?.replaceAll('_', ' ')].filter(Boolean).join(', ')}
        onOpen={onOpen}
        onEnd={() => objects.hasNextPage && void objects.fetchNextPage()}
      />
      {objects.error && <ProblemAlert error={objects.error} onRetry={() => void objects.refetch()} />}
      {objects.isPending && <RowsSkeleton rows={10} height={14} />}
      {isEmpty && <NoObjects scope={scope} kind={kind} />}
      {objects.items && !isEmpty && (
        <Panel>
          <ObjectTable objects={objects.items} kind={kind} scope={scope} search={search} serverName={serverName} />
          <LoadMore {...objects} />
        </Panel>
      )}
    </>
  );
}

function NoObjects({ scope, kind }: { scope: AppScope; kind: ObjectKind }): ReactNode {
  const { plural, created } = KINDS[kind];
  const simulation = (
    <ButtonLink to="/in/$organisationId/apps/$appId/simulation" params={scope} variant="default">
      Change the sandbox data
    </ButtonLink>
  );
  return (
    <EmptyList icon={<IconDatabase aria-hidden />} title={`No ${plural.toLowerCase()} here`} action={simulation}>
      {created
        ? `Create the first one with “${created.label}” or through the API, or reset the sandbox data to a preset that has some.`
        : 'Reset the sandbox data to a preset that has some, or select another server.'}
    </EmptyList>
  );
}

interface CreateButtonProps {
  scope: AppScope;
  kind: ObjectKind;
  server: string | undefined;
  onDone: (objectId: string) => void;
}

function CreateButton({ scope, kind, server, onDone }: CreateButtonProps): ReactNode {
  const role = useMembership(scope.organisationId)?.role;
  const dialog = useNewDialog(role, 'world.change');
  const { created } = KINDS[kind];
  const isOnServer = kind === 'ticket' || kind === 'roadmap_item';
  // Other triggers select their own object, which can be on any server.
  if (!created || (server !== undefined && !isOnServer)) return null;
  return (
    <>
      <GuardedButton
        role={role}
        action="world.change"
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={dialog.open}
      >
        {created.label}
      </GuardedButton>
      {dialog.isOpen && (
        <TriggerDialog
          scope={scope}
          type={created.type}
          objectId={isOnServer ? server : undefined}
          isOnServer={isOnServer}
          onDone={onDone}
          onClose={dialog.close}
        />
      )}
    </>
  );
}
