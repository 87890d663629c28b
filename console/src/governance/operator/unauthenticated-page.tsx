// Lists requests to the sandbox's /v1 without a valid key. They belong to no organisation.
import { Stack } from '@mantine/core';
import { IconKeyOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ENVIRONMENTS } from '../../kit/environments.ts';
import { EmptyList, HiddenUntilKnown, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { Tag } from '../../kit/state-badge.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { UnauthenticatedCountTable, UnauthenticatedRequestTable } from './unauthenticated-tables.tsx';
import { useUnauthenticatedCounts, useUnauthenticatedRequests } from './use-operator.ts';

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
  return (
    <Stack>
      <SectionHead title="Requests without a key" action={<Tag>{ENVIRONMENTS.sandbox.name}</Tag>}>
        Requests without a key, with a wrong key, or with malformed HTTP. Query, headers and body are not stored.
        Records are kept for 30 days.
      </SectionHead>
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <RowsSkeleton rows={6} height={14} />}
      {list.items?.length === 0 && (
        <EmptyList icon={<IconKeyOff aria-hidden />} title="No requests without a key">
          Every request of the last 30 days had a valid key.
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

function CountedRequests(): ReactNode {
  const counts = useUnauthenticatedCounts();
  return (
    <Stack>
      <SectionHead title="Counted requests">
        The last 24 hours: requests beyond the number that is stored per address, most frequent first.
      </SectionHead>
      {counts.error && <ProblemAlert error={counts.error} onRetry={() => void counts.refetch()} />}
      {counts.isPending && <RowsSkeleton rows={2} height={14} />}
      {counts.data?.length === 0 && (
        <EmptyList icon={<IconKeyOff aria-hidden />} title="All requests are stored">
          All requests of the last 24 hours are listed above.
        </EmptyList>
      )}
      {counts.data && counts.data.length > 0 && (
        <Panel>
          <UnauthenticatedCountTable counts={counts.data} />
        </Panel>
      )}
    </Stack>
  );
}
