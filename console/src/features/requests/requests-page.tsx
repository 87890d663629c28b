// The Request Inspector: every call of the app, filtered by the address, live while nobody looks closely.
import { Stack } from '@mantine/core';
import { useWindowScroll } from '@mantine/hooks';
import { IconFilterOff, IconRadar, IconZoomScan } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { ButtonLink } from '../../kit/links.tsx';
import { LoadMore, NothingYet, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { APP_ROUTE, useAppScope } from '../../kit/use-app-scope.ts';
import { useTitle } from '../../kit/use-title.ts';
import { useApp } from '../apps/use-app.ts';
import { useKeys } from '../keys/use-keys.ts';
import { LiveBar, NewPill } from './live-bar.tsx';
import { RecordGaps } from './record-gaps.tsx';
import { RequestDrawer } from './request-drawer.tsx';
import { RequestFilters } from './request-filters.tsx';
import { RequestTable } from './request-table.tsx';
import { hasFilters, type RequestsSearch } from './search.ts';
import { useRequests } from './use-requests.ts';

const route = getRouteApi(`${APP_ROUTE}/requests`);
const SCROLLED_PX = 160;

export function RequestsPage(): ReactNode {
  const scope = useAppScope();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTitle('Requests', useApp(scope).data?.name);
  const keys = useKeys(scope).items ?? [];
  const [isHovered, setHovered] = useState(false);
  const [{ y }] = useWindowScroll();
  const isLive = search.live !== false;
  const isScrolled = y > SCROLLED_PX;
  const isPaused = isHovered || isScrolled;
  const { list, waiting, showNew, tailError } = useRequests(scope, search, isLive, isPaused);
  const jump = (): void => {
    showNew();
    window.scrollTo({ top: 0 });
  };
  const change = (next: RequestsSearch): void => void navigate({ search: next, replace: true });

  return (
    <Stack>
      <SectionHead
        title="Requests"
        action={<LiveBar {...{ search, isPaused, waiting, tailError }} onChange={change} />}
      >
        Every call that was made with a key of this app, accepted and refused.
      </SectionHead>
      <RecordGaps scope={scope} />
      <RequestFilters search={search} keys={keys} onChange={change} />
      {list.error && <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <RowsSkeleton rows={10} height={14} />}
      {list.items?.length === 0 && (list.hasNextPage ? <NoneSoFar {...list} /> : <NoRequests search={search} />)}
      {list.items && list.items.length > 0 && (
        <Panel
          onPointerEnter={(event) => setHovered(event.pointerType === 'mouse')}
          onPointerLeave={() => setHovered(false)}
        >
          <RequestTable requests={list.items} keys={keys} search={search} />
          <LoadMore {...list} />
        </Panel>
      )}
      {isScrolled && waiting !== '' && <NewPill waiting={waiting} onShow={jump} />}
      <RequestDrawer
        scope={scope}
        keys={keys}
        requestId={search.request}
        onClose={() => void navigate({ search: ({ request: _, ...rest }) => rest })}
      />
    </Stack>
  );
}

/** A page looks at so many records and no more: what is rare may lie beyond them. */
function NoneSoFar(list: ComponentProps<typeof LoadMore>): ReactNode {
  return (
    <NothingYet
      icon={<IconZoomScan aria-hidden />}
      title="None of the newest requests fits"
      action={<LoadMore {...list} />}
    >
      Older ones have not been looked at yet.
    </NothingYet>
  );
}

function NoRequests({ search }: { search: RequestsSearch }): ReactNode {
  const scope = useAppScope();
  if (hasFilters(search)) {
    const clear = (
      <ButtonLink to="/sandbox/$organisationId/apps/$appId/requests" params={scope} search={{}} variant="default">
        Clear the filters
      </ButtonLink>
    );
    return (
      <NothingYet icon={<IconFilterOff aria-hidden />} title="No request fits these filters" action={clear}>
        New ones that fit appear here while the list is live.
      </NothingYet>
    );
  }
  const guide = (
    <ButtonLink to="/sandbox/$organisationId/apps/$appId/overview" params={scope}>
      Make the first call
    </ButtonLink>
  );
  return (
    <NothingYet icon={<IconRadar aria-hidden />} title="No requests yet" action={guide}>
      The first call appears here within two seconds, also when it is refused.
    </NothingYet>
  );
}
