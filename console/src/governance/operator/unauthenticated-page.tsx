// Lists requests to the sandbox's /v1 without a valid key. They belong to no organisation.
import { Stack } from '@mantine/core';
import { IconKeyOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ENVIRONMENTS } from '../../kit/environments.ts';
import { EmptyList, HiddenUntilKnown, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { Tag } from '../../kit/state-badge.tsx';
import { exactTime } from '../../kit/time.ts';
import { useTitle } from '../../kit/use-title.ts';
import { UnauthenticatedCountTable, UnauthenticatedRequestTable } from './unauthenticated-tables.tsx';
import { useUnauthenticatedRequests, useUnauthenticatedSummary } from './use-operator.ts';

export function UnauthenticatedRequestsPage(): ReactNode {
  useTitle('Requests without a key', 'Operator');
  const { isPending } = useUnauthenticatedRequests();
  return (
    <Stack gap="xl">
      <RecordedRequests />
      <HiddenUntilKnown isKnown={!isPending}>
        <CountedRequests />
      </HiddenUntilKnown>
    </Stack>
  );
}

function RecordedRequests(): ReactNode {
  const list = useUnauthenticatedRequests();
  const since = useUnauthenticatedSummary().data?.since;
  return (
    <Stack>
      <SectionHead title="Requests without a key" action={<Tag>{ENVIRONMENTS.sandbox.name}</Tag>}>
        Requests without a key, with a wrong key, or with malformed HTTP. Query, headers and body are not stored.{' '}
        <StartOfRecords since={since} />
      </SectionHead>
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <RowsSkeleton rows={6} height={14} />}
      {list.items?.length === 0 && (
        <EmptyList icon={<IconKeyOff aria-hidden />} title="No requests without a key">
          {since !== undefined && `Every request since ${exactTime(since)} had a valid key.`}
        </EmptyList>
      )}
      {list.items && list.items.length > 0 && (
        <Panel>
          <UnauthenticatedRequestTable requests={list.items} />
          <LoadMore {...list} />
        </Panel>
      )}
    </Stack>
  );
}

/** Takes the space of the time before it is known, so that the list is not shifted. */
function StartOfRecords({ since }: { since: string | undefined }): ReactNode {
  const isKnown = since !== undefined;
  return (
    <span style={isKnown ? undefined : { visibility: 'hidden' }}>
      The records go back to {isKnown ? exactTime(since) : '29 Sept 2026, 10:20:30 UTC'}.
    </span>
  );
}

function CountedRequests(): ReactNode {
  const summary = useUnauthenticatedSummary();
  const counts = summary.data?.counts;
  return (
    <Stack>
      <SectionHead title="Counted requests">
        The last 24 hours: requests beyond the number that is stored per address, most frequent first.
      </SectionHead>
      {summary.error && <ProblemAlert error={summary.error} onRetry={() => void summary.refetch()} />}
      {summary.isPending && <RowsSkeleton rows={2} height={14} />}
      {counts?.length === 0 && (
        <EmptyList icon={<IconKeyOff aria-hidden />} title="All requests are stored">
          All requests of the last 24 hours are listed above.
        </EmptyList>
      )}
      {counts && counts.length > 0 && (
        <Panel>
          <UnauthenticatedCountTable counts={counts} />
        </Panel>
      )}
    </Stack>
  );
}
