// Layout of an app's pages: name, identifier and navigation.
import { Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { App } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { forgetApp, rememberApp } from '../../kit/last-visit.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { LiveFeed } from '../../kit/live.tsx';
import { LiveStatus } from '../../kit/live-status.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { isNotFound } from '../../kit/problem-text.ts';
import { StateBadge } from '../../kit/state-badge.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { WidePage } from '../../kit/wide-page.tsx';
import { NotFound } from '../../shell/frame/not-found.tsx';
import classes from './app-layout.module.css';
import { AppSidebar } from './app-navigation.tsx';
import { APP_TONES, useApp } from './use-app.ts';

export function AppLayout(): ReactNode {
  const scope = useAppScope();
  const app = useApp(scope);
  const { organisationId, appId } = scope;
  const isFound = app.data !== undefined;
  const isMissing = isNotFound(app.error);
  useEffect(() => {
    if (isFound) rememberApp(organisationId, appId);
    if (isMissing) forgetApp(organisationId, appId);
  }, [isFound, isMissing, organisationId, appId]);
  if (isMissing) return <NotFound noun="app" />;
  return (
    <LiveFeed scope={scope}>
      <WidePage pt="lg" pb={64}>
        <div className={classes.columns}>
          <AppSidebar scope={scope} />
          <Stack gap="lg" className={classes.content}>
            <Group justify="space-between" wrap="nowrap" gap="sm">
              <AppHead id={scope.appId} app={app.data} isFailed={app.isError} />
              <LiveStatus />
            </Group>
            {app.error ? <ProblemAlert error={app.error} onRetry={() => void app.refetch()} /> : <Outlet />}
          </Stack>
        </div>
      </WidePage>
    </LiveFeed>
  );
}

function AppHead({ id, app, isFailed }: { id: string; app: App | undefined; isFailed: boolean }): ReactNode {
  const scope = useAppScope();
  return (
    <Group gap="2px 8px" align="center" mih={32} miw={0}>
      <AnchorLink to="/in/$organisationId/apps" params={scope} activeOptions={{ exact: true }}>
        Apps
      </AnchorLink>
      <Text component="span" c="dimmed" aria-hidden>
        /
      </Text>
      <Title order={1} fz={20} style={{ overflowWrap: 'anywhere' }}>
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
      <Skeleton component="span" display="inline-block" width={180} height={20} />
    </>
  );
}
