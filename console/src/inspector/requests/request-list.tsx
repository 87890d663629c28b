// The request list under one filter. It pauses while the user reads.
import { Center, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { AppScope, Key, RequestFilters } from '../../kit/api.ts';
import { LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { ListSteps } from '../../kit/list-steps.tsx';
import { Panel } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { exactTime } from '../../kit/time.ts';
import { ExportMenu } from './export-menu.tsx';
import { LiveBar, NewRequestsButton } from './live-bar.tsx';
import { MissedNote } from './missed-note.tsx';
import { NoneSoFar, NoRequests } from './no-requests.tsx';
import { RequestTable } from './request-table.tsx';
import { mayBeLive, type RequestsSearch, toRequestsSearch } from './search.ts';
import { useRequests } from './use-requests.ts';

const SCROLLED_PX = 160;

// Measured on scroll events and not while rendering, which would force a layout.
function useIsScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = (): void => setScrolled(window.scrollY > SCROLLED_PX);
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return isScrolled;
}

interface RequestListProps {
  scope: AppScope;
  search: RequestsSearch;
  filters: RequestFilters;
  keys: Key[];
  onChange: (search: RequestsSearch) => void;
  onOpen: (requestId: string) => void;
}

export function RequestList({ scope, search, filters, keys, onChange, onOpen }: RequestListProps): ReactNode {
  const [isHovered, setHovered] = useState(false);
  const isHeld = search.live === false;
  const isScrolled = useIsScrolled();
  const isPaused = isHeld || isHovered || isScrolled;
  const isOn = mayBeLive(search);
  const { list, items, tail, newCount, show } = useRequests(scope, filters, { isOn, isPaused });
  const hold = (isHold: boolean): void => onChange(toRequestsSearch({ ...search, live: isHold ? false : undefined }));
  const jump = (): void => {
    show();
    window.scrollTo({ top: 0 });
  };

  return (
    <Stack gap="xs">
      <Group justify="space-between" gap="xs">
        {isOn ? (
          <LiveBar tail={tail} {...{ newCount, isHeld, isPaused }} onHold={hold} onShow={show} />
        ) : (
          <Text c="dimmed">
            {search.id === undefined ? 'A range with an end is not live.' : 'A single request is not live.'}
          </Text>
        )}
        <ExportMenu scope={scope} filters={filters} />
      </Group>
      <ListSteps
        noun="request"
        rows={items}
        openId={search.request}
        describe={({ status, method, path }) => `${status ?? 'reset'} ${method} ${path}`}
        onOpen={onOpen}
        onEnd={() => list.hasNextPage && void list.fetchNextPage()}
      />
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {tail.connection === 'ended' && tail.error && !list.error && (
        <ProblemAlert error={tail.error} onRetry={tail.retry} />
      )}
      {tail.missed && (
        <MissedNote missed={tail.missed} search={search} onDismiss={() => tail.dispatch({ type: 'forgetMissed' })} />
      )}
      {list.isPending && <RowsSkeleton rows={10} height={14} />}
      {items?.length === 0 && (list.hasNextPage ? <NoneSoFar {...list} /> : <NoRequests search={search} />)}
      {items && items.length > 0 && (
        <Panel
          onPointerEnter={(event) => setHovered(event.pointerType === 'mouse')}
          onPointerLeave={() => setHovered(false)}
        >
          <RequestTable requests={items} keys={keys} search={search} />
          <MoreRequests {...list} />
        </Panel>
      )}
      {isScrolled && newCount > 0 && <NewRequestsButton count={newCount} onShow={jump} />}
    </Stack>
  );
}

function MoreRequests({ searchedUntil, ...list }: ReturnType<typeof useRequests>['list']): ReactNode {
  if (searchedUntil === undefined) return <LoadMore {...list} />;
  return (
    <>
      <Center px="sm" pt="sm">
        <Text c="dimmed" ta="center">
          This is everything back to {exactTime(searchedUntil)}. Older requests have not been searched yet.
        </Text>
      </Center>
      <LoadMore {...list} label="Search further back" />
    </>
  );
}
