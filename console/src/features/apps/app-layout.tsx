// What all pages of one app share: its name and identifier, and the ways between them.
import { Breadcrumbs, Container, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { App } from '../../kit/api.ts';
import { CopyId } from '../../kit/copy.tsx';
import { IS_PRODUCTION } from '../../kit/environments.ts';
import { AnchorLink } from '../../kit/links.tsx';
import { isNotFound } from '../../kit/mends.ts';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { useAppScope } from '../../kit/use-app-scope.ts';
import { NotFound } from '../frame/not-found.tsx';
import classes from './app-layout.module.css';
import { APP_TONES, useApp } from './use-app.ts';

/** The pages of an app: their addresses and names. What is only tried out is not in production. */
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
    <Container size={1240} px={{ base: 'sm', sm: 20 }} pt="lg" pb={64}>
      <Stack gap="lg">
        <Stack gap="sm">
          {/* Its own line is as high as the capitals: what truncates would clip the rest of the letters. */}
          <Breadcrumbs separatorMargin={6} styles={{ breadcrumb: { lineHeight: 1.4 } }}>
            <AnchorLink to="/in/$organisationId/apps" params={scope}>
              Apps
            </AnchorLink>
            <Text truncate maw={260}>
              {app.data?.name ?? '…'}
            </Text>
          </Breadcrumbs>
          <AppHead app={app.data} />
          <Sections />
        </Stack>
        {app.error ? <ProblemAlert error={app.error} onRetry={() => void app.refetch()} /> : <Outlet />}
      </Stack>
    </Container>
  );
}

function AppHead({ app }: { app: App | undefined }): ReactNode {
  return (
    <Group gap="sm" align="center" mih={32}>
      <Title order={1} fz={24} style={{ overflowWrap: 'anywhere' }}>
        {app?.name ?? <NameSkeleton />}
      </Title>
      {app && app.state !== 'active' && <StateBadge tone={APP_TONES[app.state]}>{app.state}</StateBadge>}
      {app && (
        <Text component="span" c="dimmed">
          <CopyId value={app.id} label="app id" />
        </Text>
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
  return (
    <nav aria-label="Sections of the app" className={classes.sections}>
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
