// The reviewers' queue: requests of all organisations, waiting or decided.
import { Code, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LiveAccessRequest } from '../../kit/api.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { AnchorLink } from '../../kit/links.tsx';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { shorten } from '../../kit/shorten.ts';
import { useTitle } from '../../kit/use-title.ts';
import { REVIEW_STATES, toReviewsSearch } from './search.ts';
import { useReviews } from './use-live-access.ts';

const route = getRouteApi('/shell/operator/live-access');

const LABELS = {
  submitted: 'Waiting',
  changes_requested: 'Changes requested',
  approved: 'Approved',
  rejected: 'Rejected',
} as const;

export function ReviewsPage(): ReactNode {
  useTitle('Live access', 'Operator');
  const { state = 'submitted' } = route.useSearch();
  const navigate = route.useNavigate();
  const requests = useReviews(state);
  return (
    <Stack>
      <SectionHead title="Live access">
        Requests of organisations for production, newest first. You see only the submitted content.
      </SectionHead>
      <SegmentedControl
        aria-label="State"
        data={REVIEW_STATES.map((value) => ({ value, label: LABELS[value] }))}
        value={state}
        w="fit-content"
        maw="100%"
        onChange={(wanted) => void navigate({ search: toReviewsSearch({ state: wanted }), replace: true })}
      />
      {requests.error && <ProblemAlert error={requests.error} onRetry={() => void requests.refetch()} />}
      {requests.isPending && <RowsSkeleton rows={5} />}
      {requests.items?.length === 0 && (
        <EmptyList icon={<IconChecklist aria-hidden />} title={state === 'submitted' ? 'No waiting requests' : 'None'}>
          {state === 'submitted' ? 'A request appears here when it is submitted.' : 'No request is in this state.'}
        </EmptyList>
      )}
      {requests.items && requests.items.length > 0 && (
        <Panel>
          <DataTable
            label="Requests for live access"
            verticalSpacing="sm"
            columns={COLUMNS}
            rows={requests.items}
            rowKey={({ id }) => id}
          />
          <LoadMore {...requests} />
        </Panel>
      )}
    </Stack>
  );
}

const COLUMNS: Column<LiveAccessRequest>[] = [
  {
    head: 'App',
    wraps: true,
    cell: ({ id, appName }) => (
      <AnchorLink to="/operator/live-access/$requestId" params={{ requestId: id }} fw={550}>
        {appName}
      </AnchorLink>
    ),
  },
  {
    head: 'Organisation',
    from: 'sm',
    cell: ({ organisationId }) => (
      <Text ff="monospace" fz={12.5} title={organisationId}>
        {shorten(organisationId)}
      </Text>
    ),
  },
  {
    head: 'Scopes',
    cell: ({ scopes }) => (
      <Group gap={4}>
        {scopes.map(({ scope }) => (
          <Code key={scope}>{scope}</Code>
        ))}
      </Group>
    ),
  },
  { head: 'Submitted', cell: ({ submittedAt }) => submittedAt && <RelativeTime at={submittedAt} /> },
];
