// Layout of an app's pages: name, identifier and navigation.
import { Breadcrumbs, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { App } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { LiveFeed } from '../../kit/live.tsx';
import { LiveStatus } from '../../kit/live-status.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { isNotFound } from '../../kit/problem-text.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { useShownSection } from '../../kit/use-shown-section.ts';
import { WidePage } from '../../kit/wide-page.tsx';
import { NotFound } from '../../shell/frame/not-found.tsx';
import classes from './app-layout.module.css';
import { APP_TONES, useApp } from './use-app.ts';

/** Addresses and names of an app's pages. Production has no page for simulation. */
const ALL_SECTIONS = [
  ['overview', 'Overview'],
  ['keys', 'Keys'],
  ['installations', 'Installations'],
  ['webhooks', 'Webhooks'],
  ['requests', 'Requests'],
  ['simulation', 'Simulation'],
  ['live-access', 'Live access'],
  ['reference', 'Reference'],
  ['settings', 'Settings'],
] as const;
const OF_SANDBOX: readonly string[] = ['simulation', 'live-access'];
export const SECTIONS = ALL_SECTIONS.filter(([path]) => !IS_PRODUCTION || !OF_SANDBOX.includes(path));

export function AppLayout(): ReactNode {
  const scope = useAppScope();
  const app = useApp(scope);
  if (isNotFound(app.error)) return <NotFound noun="app" />;
  return (
    <LiveFeed scope={scope}>
      <WidePage pt="lg" pb={64}>
        <Stack gap="lg">
          <Stack gap="sm">
            <Group justify="space-between" wrap="nowrap" gap="sm">
              <Crumbs app={app.data} />
              <LiveStatus />
            </Group>
            <AppHead id={scope.appId} app={app.data} isFailed={app.isError} />
            <Sections />
          </Stack>
          {app.error ? <ProblemAlert error={app.error} onRetry={() => void app.refetch()} /> : <Outlet />}
        </Stack>
      </WidePage>
    </LiveFeed>
  );
}

function Crumbs({ app }: { app: App | undefined }): ReactNode {
  const scope = useAppScope();
  // The default line height of a breadcrumb is that of capitals, which would clip descenders when the text is
  // truncated.
  return (
    <Breadcrumbs separatorMargin={6} miw={0} styles={{ root: { flexWrap: 'nowrap' }, breadcrumb: { lineHeight: 1.4 } }}>
      <AnchorLink to="/in/$organisationId/apps" params={scope} activeOptions={{ exact: true }}>
        Apps
      </AnchorLink>
      <Text truncate maw={260} title={app?.name}>
        {app?.name ?? '…'}
      </Text>
    </Breadcrumbs>
  );
}

function AppHead({ id, app, isFailed }: { id: string; app: App | undefined; isFailed: boolean }): ReactNode {
  return (
    <Group gap="sm" align="center" mih={32}>
      <Title order={1} fz={24} style={{ overflowWrap: 'anywhere' }}>
        {app?.name ?? (isFailed ? 'App' : <NameSkeleton />)}
      </Title>
      {app && app.state !== 'active' && <StateBadge tone={APP_TONES[app.state]}>{app.state}</StateBadge>}
      {app || isFailed ? (
        <Text component="span" c="dimmed">
          <CopyId value={id} label="app id" />
        </Text>
      ) : (
        <Skeleton component="span" width={250} height={21} />
      )}
    </Group>
  );
}

function NameSkeleton(): ReactNode {
  return (
    <>
      <VisuallyHidden>Loading the app</VisuallyHidden>
      <Skeleton component="span" display="inline-block" width={180} height={24} />
    </>
  );
}

function Sections(): ReactNode {
  const scope = useAppScope();
  const ways = useShownSection();
  return (
    <nav aria-label="Sections of the app" className={classes.sections} ref={ways}>
      {SECTIONS.map(([path, label]) => (
        <Link
          key={path}
          to={`/in/$organisationId/apps/$appId/${path}`}
          params={scope}
          search={{}}
          className={classes.section}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
