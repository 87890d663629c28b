// Returns all commands of the current page: pages, objects of the organisation and app, and actions.
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconApps,
  IconBell,
  IconBook2,
  IconBuilding,
  IconHistory,
  IconSettings,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { OPERATOR_PAGES } from '../../governance/operator/pages.ts';
import { useMembership, useSession } from '../../identity/session/use-session.ts';
import { useSignOut } from '../../identity/session/use-sign-out.ts';
import { type AppScope, api } from '../../kit/api.ts';
import { describeProblem } from '../../kit/problem-text.ts';
import { usePermittedActions } from '../../kit/roles.ts';
import { shorten } from '../../kit/shorten.ts';
import { useAllPages } from '../../kit/use-all-pages.ts';
import { NEW } from '../../kit/use-new-dialog.ts';
import { APP_SECTIONS } from '../../tenancy/apps/app-sections.ts';
import { useApps } from '../../tenancy/apps/use-app.ts';
import { publicText } from '../../tenancy/keys/key-labels.ts';
import { useKeys } from '../../tenancy/keys/use-keys.ts';
import { useEndpoints } from '../../webhooks/webhooks/use-endpoints.ts';
import { APP_ACTIONS } from './app-actions.ts';
import { type Command, kindOfIdentifier, type PaletteDialog, type PastedKind } from './command.ts';

export function useCommands(query: string, onShow: (dialog: PaletteDialog) => void): Command[] {
  const { organisationId = '', appId = '' } = useParams({ strict: false });
  const organisation = useOrganisationCommands(organisationId);
  const app = useAppCommands({ organisationId, appId }, query !== '');
  const appActions = useAppActions({ organisationId, appId }, onShow);
  const pasted = usePastedCommands(query, { organisationId, appId });
  const people = usePersonCommands();
  const actions = useActions(() => onShow('shortcuts'));
  return [...pasted, ...appActions, ...app, ...organisation, ...people, ...actions];
}

/** Returns the commands of the app. A search covers every key and endpoint, and not only the newest ones. */
function useAppCommands(scope: AppScope, isSearch: boolean): Command[] {
  const navigate = useNavigate();
  const isIn = scope.appId !== '';
  const keys = useKeys(scope, isIn);
  const endpoints = useEndpoints(scope, isIn);
  useAllPages(keys, isIn && isSearch);
  useAllPages(endpoints, isIn && isSearch);
  if (!isIn) return [];
  const pages = APP_SECTIONS.map(
    ({ path, label, icon }): Command => ({
      ...{ id: `section ${path}`, group: 'This app', label, icon },
      run: () => void navigate({ to: `/in/$organisationId/apps/$appId/${path}`, params: scope, search: {} }),
    }),
  );
  const ofKeys = (keys.items ?? []).map(
    ({ id, name, kid, state }): Command => ({
      ...{ id, group: 'Key', label: name, note: `${publicText(kid)} ${state}`, words: id },
      run: () => void navigate({ to: '/in/$organisationId/apps/$appId/keys', params: scope }),
    }),
  );
  const ofEndpoints = (endpoints.items ?? []).map(
    ({ id, url, description }): Command => ({
      ...{ id, group: 'Endpoint', label: url, note: description, words: id },
      run: () =>
        void navigate({
          to: '/in/$organisationId/apps/$appId/webhooks/endpoints/$endpointId',
          params: { ...scope, endpointId: id },
        }),
    }),
  );
  return [...pages, ...ofKeys, ...ofEndpoints];
}

function useAppActions(scope: AppScope, onShow: (dialog: PaletteDialog) => void): Command[] {
  const navigate = useNavigate();
  const role = useMembership(scope.organisationId)?.role;
  const permitted = usePermittedActions(role);
  if (scope.appId === '') return [];
  return APP_ACTIONS.filter(({ action }) => permitted.has(action)).map(
    ({ label, words, opens }): Command => ({
      ...{ id: `action ${label}`, group: 'Action', label, words },
      run: () =>
        typeof opens === 'string'
          ? onShow(opens)
          : void navigate({ to: `${APP}/${opens.path}`, params: scope, search: opens.search ?? {}, hash: NEW }),
    }),
  );
}

function useOrganisationCommands(organisationId: string): Command[] {
  const navigate = useNavigate();
  const apps = useApps(organisationId, organisationId !== '');
  if (organisationId === '') return [];
  const params = { organisationId };
  const ofApps = (apps.items ?? []).map(
    ({ id, name }): Command => ({
      ...{ id, group: 'App', label: name, note: shorten(id), words: id },
      run: () =>
        void navigate({ to: '/in/$organisationId/apps/$appId/overview', params: { organisationId, appId: id } }),
    }),
  );
  return [
    ...ofApps,
    {
      ...{ id: 'page apps', group: 'Page', label: 'Apps', icon: IconApps },
      run: () => void navigate({ to: '/in/$organisationId/apps', params }),
    },
    {
      ...{ id: 'page notices', group: 'Page', label: 'Notices', icon: IconBell, words: 'warnings' },
      run: () => void navigate({ to: '/in/$organisationId/notices', params }),
    },
    {
      ...{
        id: 'page team',
        group: 'Page',
        label: 'Team and access tokens',
        icon: IconUsers,
        words: 'members invitations',
      },
      run: () => void navigate({ to: '/organisations/$organisationId/team', params }),
    },
    {
      ...{ id: 'page audit', group: 'Page', label: 'Audit log', icon: IconHistory, words: 'history who export' },
      run: () => void navigate({ to: '/organisations/$organisationId/audit', params }),
    },
    {
      ...{
        id: 'page settings',
        group: 'Page',
        label: 'Settings of the organisation',
        icon: IconSettings,
        words: 'owner export delete',
      },
      run: () => void navigate({ to: '/organisations/$organisationId/settings', params }),
    },
  ];
}

/** Returns commands for a pasted identifier. Outside of an app, it can belong to any app of the organisation. */
function usePastedCommands(query: string, { organisationId, appId }: AppScope): Command[] {
  const navigate = useNavigate();
  const apps = useApps(organisationId, organisationId !== '').items ?? [];
  const kind = kindOfIdentifier(query);
  if (kind === undefined || organisationId === '') return [];
  const text = query.trim();
  if (kind === 'audit entry') {
    const search = { entry: text };
    return [
      {
        ...{ id: 'pasted entry', group: 'Pasted', label: 'Open the audit entry', note: shorten(text) },
        run: () => void navigate({ to: '/organisations/$organisationId/audit', params: { organisationId }, search }),
      },
    ];
  }
  const places = appId === '' ? apps.map(({ id, name }) => ({ id, name })) : [{ id: appId, name: 'this app' }];
  return places.flatMap(({ id, name }): Command[] => {
    const params = { organisationId, appId: id };
    const command = { group: 'Pasted', note: shorten(text) } as const;
    const open: Command = {
      ...{ ...command, id: `pasted ${id}`, label: `Open the ${kind} in ${name}` },
      run: () => void openPasted(navigate, kind, text, params).catch(showProblem),
    };
    if (kind !== 'key' && kind !== 'server') return [open];
    return [
      open,
      {
        ...{ ...command, id: `requests ${id}`, label: `Show requests of the ${kind} in ${name}` },
        run: () => void navigate({ to: `${APP}/requests`, params, search: { [kind]: text } }),
      },
    ];
  });
}

const APP = '/in/$organisationId/apps/$appId';

function showProblem(error: Error): void {
  const { title, fix } = describeProblem(error);
  notifications.show({ color: 'red', title, message: fix });
}

async function openPasted(
  navigate: ReturnType<typeof useNavigate>,
  kind: Exclude<PastedKind, 'audit entry'>,
  id: string,
  params: AppScope,
): Promise<void> {
  switch (kind) {
    case 'delivery':
      return navigate({ to: `${APP}/webhooks`, params, search: { delivery: id } });
    case 'endpoint':
      return navigate({ to: `${APP}/webhooks/endpoints/$endpointId`, params: { ...params, endpointId: id } });
    case 'key':
      return navigate({ to: `${APP}/keys`, params, search: { key: id } });
    case 'server':
      return navigate({ to: `${APP}/installations`, params, search: { server: id } });
    case 'redelivery':
      return navigate({ to: `${APP}/webhooks/redeliveries`, params, search: { job: id } });
    case 'drill': {
      const { endpointId } = await api.getDrill({ ...params, drillId: id });
      const ofEndpoint = { ...params, endpointId };
      return navigate({ to: `${APP}/webhooks/endpoints/$endpointId/drill`, params: ofEndpoint, search: { drill: id } });
    }
    case 'event':
      return navigate({ to: `${APP}/events`, params, search: { event: id } });
    case 'request':
      return navigate({ to: `${APP}/requests`, params, search: { request: id } });
    default:
      return navigate({ to: `${APP}/data`, params, search: { object: id } });
  }
}

function usePersonCommands(): Command[] {
  const navigate = useNavigate();
  const { organisations = [], isOperator = false } = useSession().data ?? {};
  const switches = organisations.map(
    ({ id, name, role }): Command => ({
      ...{ id, group: 'Organisation', label: `Switch to ${name}`, note: role, words: id },
      run: () => void navigate({ to: '/in/$organisationId/apps', params: { organisationId: id } }),
    }),
  );
  const ofOperators = OPERATOR_PAGES.map(
    ([path, label, words]): Command => ({
      ...{ id: `operator ${path}`, group: 'Operator', label, words },
      run: () => void navigate({ to: `/operator/${path}`, search: {} }),
    }),
  );
  return [
    ...switches,
    ...(isOperator ? ofOperators : []),
    {
      ...{ id: 'page organisations', group: 'Page', label: 'All organisations', icon: IconBuilding },
      run: () => void navigate({ to: '/organisations' }),
    },
    {
      ...{
        id: 'page account',
        group: 'Page',
        label: 'Account',
        icon: IconUser,
        words: 'password sessions second factor',
      },
      run: () => void navigate({ to: '/account' }),
    },
  ];
}

function useActions(onShowShortcuts: () => void): Command[] {
  const { setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const other = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark' ? 'light' : 'dark';
  const theme = { group: 'Action', words: 'colour scheme mode' } as const;
  return [
    {
      ...{ ...theme, id: 'theme', label: `Switch to the ${other} theme` },
      run: () => setColorScheme(other),
    },
    { ...{ ...theme, id: 'theme auto', label: 'Use the system’s theme' }, run: () => setColorScheme('auto') },
    {
      ...{
        id: 'docs',
        group: 'Page',
        label: 'Documentation',
        icon: IconBook2,
        words: 'help guides reference glossary',
      },
      run: () => location.assign('/docs/'),
    },
    { ...{ id: 'shortcuts', group: 'Action', label: 'Show the keyboard shortcuts' }, run: onShowShortcuts },
    { ...{ id: 'sign out', group: 'Action', label: 'Sign out' }, run: () => signOut.mutate() },
  ];
}
