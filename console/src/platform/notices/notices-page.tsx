// Lists notices about keys and endpoints of the organisation.
import { Container, SegmentedControl, Stack } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { Destinations } from './destinations.tsx';
import { MailSettings } from './mail-settings.tsx';
import { NoticeTable } from './notice-table.tsx';
import { useNotices, useReadNotice } from './use-notices.ts';

const route = getRouteApi('/shell/in/$organisationId/notices');

export function NoticesPage(): ReactNode {
  const { organisationId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const membership = useMembership(organisationId);
  useTitle('Notices', membership?.name);
  const notices = useNotices(organisationId, search);
  const read = useReadNotice(organisationId);
  const filter = (
    <SegmentedControl
      aria-label="Notice state"
      data={['All', 'Unread']}
      value={search.unread ? 'Unread' : 'All'}
      onChange={(value) => void navigate({ search: value === 'Unread' ? { unread: true } : {}, replace: true })}
    />
  );
  return (
    <Container size={960} py="xl">
      <Stack gap="lg">
        <SectionHead title="Notices" order={1} action={filter}>
          Notices about keys, endpoints, rules and the upstream API. They are kept for 90 days.
        </SectionHead>
        {notices.error && <ProblemAlert error={notices.error} onRetry={() => void notices.refetch()} />}
        {read.error && <ProblemAlert error={read.error} />}
        {notices.isPending && <RowsSkeleton rows={3} height={40} />}
        {notices.items?.length === 0 && (
          <EmptyList icon={<IconBell aria-hidden />} title={search.unread ? 'No unread notices' : 'No notices'}>
            Problems with keys and endpoints appear here, if possible before requests or deliveries fail.
          </EmptyList>
        )}
        {notices.items && notices.items.length > 0 && (
          <Panel>
            <NoticeTable
              notices={notices.items}
              organisationId={organisationId}
              role={membership?.role}
              reading={read.isPending ? read.variables : undefined}
              onRead={(id) => read.mutate(id)}
            />
            <LoadMore {...notices} />
          </Panel>
        )}
        <Destinations organisationId={organisationId} role={membership?.role} />
        <MailSettings organisationId={organisationId} />
      </Stack>
    </Container>
  );
}
