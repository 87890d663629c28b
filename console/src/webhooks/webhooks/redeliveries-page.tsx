// Starts redelivery jobs, and lists them with their progress.
import { Box, Breadcrumbs, Progress, Stack, Text } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { AppScope, Redelivery } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StateBadge } from '../../kit/state-badge.tsx';
import { useItems } from '../../kit/use-all-pages.ts';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../../tenancy/apps/use-app.ts';
import { RedeliveryDrawer } from './redelivery-drawer.tsx';
import { RedeliveryForm } from './redelivery-form.tsx';
import { describeFilter, describeProgress, JOB_TONES, progressOf } from './redelivery-labels.ts';
import { useEndpoints } from './use-endpoints.ts';
import { useRedeliveries } from './use-redeliveries.ts';

const route = getRouteApi(`${APP_ROUTE}/webhooks/redeliveries`);

export function RedeliveriesPage(): ReactNode {
  const scope = useAppScope();
  const { job, endpoint } = route.useSearch();
  const navigate = route.useNavigate();
  const role = useMembership(scope.organisationId)?.role;
  const show = (next: string | undefined): void =>
    void navigate({ search: { ...(endpoint && { endpoint }), ...(next && { job: next }) }, resetScroll: false });
  useTitle('Redeliveries', useApp(scope).data?.name);
  return (
    <Stack gap="lg">
      <Breadcrumbs separatorMargin={6} styles={{ breadcrumb: { lineHeight: 1.4 } }}>
        <AnchorLink to="/in/$organisationId/apps/$appId/webhooks" params={scope} search={{}}>
          Webhooks
        </AnchorLink>
        <Text>Redeliveries</Text>
      </Breadcrumbs>
      <RedeliveryForm key={endpoint} scope={scope} role={role} endpointId={endpoint} onStarted={show} />
      <Jobs scope={scope} />
      <RedeliveryDrawer scope={scope} role={role} redeliveryId={job} onClose={() => show(undefined)} />
    </Stack>
  );
}

function Jobs({ scope }: { scope: AppScope }): ReactNode {
  const jobs = useRedeliveries(scope);
  return (
    <Stack gap="sm">
      <SectionHead title="Redeliveries">
        At most three redeliveries of an app run or are paused at the same time.
      </SectionHead>
      {jobs.error && <ProblemAlert error={jobs.error} onRetry={() => void jobs.refetch()} />}
      {jobs.isPending && <RowsSkeleton rows={3} />}
      {jobs.items?.length === 0 && (
        <EmptyList icon={<IconRepeat aria-hidden />} title="No redeliveries yet">
          After an outage of a receiver, count the missed deliveries and start a redelivery above.
        </EmptyList>
      )}
      {jobs.items && jobs.items.length > 0 && (
        <Panel>
          <JobTable scope={scope} jobs={jobs.items} />
          <LoadMore {...jobs} />
        </Panel>
      )}
    </Stack>
  );
}

function JobTable({ scope, jobs }: { scope: AppScope; jobs: Redelivery[] }): ReactNode {
  const endpointOf = useItems(
    useEndpoints(scope),
    jobs.map((one) => one.filter.endpointId),
  );
  const columns: Column<Redelivery>[] = [
    { head: 'State', cell: ({ state }) => <StateBadge tone={JOB_TONES[state]}>{state}</StateBadge> },
    {
      head: 'Filter',
      wraps: true,
      cell: (one) => (
        <AnchorLink
          to="/in/$organisationId/apps/$appId/webhooks/redeliveries"
          params={scope}
          search={{ job: one.id }}
          resetScroll={false}
        >
          {describeFilter(one, endpointOf)}
        </AnchorLink>
      ),
    },
    {
      head: 'Progress',
      from: 'sm',
      cell: (one) => (
        <Box miw={140}>
          <Text fz="xs">{describeProgress(one)}</Text>
          <Progress value={progressOf(one)} size="sm" aria-label={`Progress of ${one.id}`} />
        </Box>
      ),
    },
    {
      head: 'Started',
      from: 'md',
      cell: ({ createdAt, createdBy }) => (
        <>
          <RelativeTime at={createdAt} />
          <Text c="dimmed" fz="xs">
            by {createdBy}
          </Text>
        </>
      ),
    },
  ];
  return <DataTable label="Redeliveries" columns={columns} rows={jobs} rowKey={({ id }) => id} />;
}
