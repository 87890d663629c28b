// Lists requests to the sandbox's /v1 without a valid key. They belong to no organisation.
import { Stack } from '@mantine/core';
import { IconKeyOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ENVIRONMENTS } from '../../kit/environments.ts';
import { Beneath, LoadMore, NothingYet, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { Tag } from '../../kit/state-badge.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { UnprovedCounts, UnprovedTable } from './unproved-tables.tsx';
import { useUnprovedCounts, useUnprovedRequests } from './use-operator.ts';

export function UnprovedPage(): ReactNode {
  useTitle('Requests without a key', 'Operator');
  const { isPending } = useUnprovedRequests();
  return (
    <Stack gap="xl">
      <Kept />
      <Beneath isKnown={!isPending}>
        <Counted />
      </Beneath>
    </Stack>
  );
}

function Kept(): ReactNode {
  const list = useUnprovedRequests();
  return (
    <Stack>
      <SectionHead title="Requests without a key" action={<Tag>{ENVIRONMENTS.sandbox.name}</Tag>}>
        Requests without a key, with a wrong key, or with malformed HTTP. Query, headers and body are not stored.
        Records are kept for 30 days.
      </SectionHead>
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <RowsSkeleton rows={6} height={14} />}
      {list.items?.length === 0 && (
        <NothingYet icon={<IconKeyOff aria-hidden />} title="No requests without a key">
          Every request of the last 30 days had a valid key.
        </NothingYet>
      )}
      {list.items && list.items.length > 0 && (
        <Panel>
          <UnprovedTable requests={list.items} />
          <LoadMore {...list} />
        </Panel>
      )}
    </Stack>
  );
}

function Counted(): ReactNode {
  const counts = useUnprovedCounts();
  return (
    <Stack>
      <SectionHead title="Counted only">
        The last 24 hours: requests beyond the number that is stored per address, most frequent first.
      </SectionHead>
      {counts.error && <ProblemAlert error={counts.error} onRetry={() => void counts.refetch()} />}
      {counts.isPending && <RowsSkeleton rows={2} height={14} />}
      {counts.data?.length === 0 && (
        <NothingYet icon={<IconKeyOff aria-hidden />} title="No request was only counted">
          All requests of the last 24 hours are listed above.
        </NothingYet>
      )}
      {counts.data && counts.data.length > 0 && (
        <Panel>
          <UnprovedCounts counts={counts.data} />
        </Panel>
      )}
    </Stack>
  );
}
