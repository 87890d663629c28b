// Notices about keys and endpoints of the organisation, and in a second view the settings of who receives them.
import { Container, SegmentedControl, Stack } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import type { Role } from '../../kit/api.ts';
import { EmptyList, HiddenUntilKnown, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { useTitle } from '../../kit/use-title.ts';
import { DecisionList } from './decision-list.tsx';
import { Destinations } from './destinations.tsx';
import { MailSettings } from './mail-settings.tsx';
import { NoticeTable } from './notice-table.tsx';
import type { NoticesSearch } from './search.ts';
import { useDecisions } from './use-decisions.ts';
import { useNoticeMailSettings, useNotices, useReadNotice } from './use-notices.ts';

const route = getRouteApi('/shell/in/$organisationId/notices');

export function NoticesPage(): ReactNode {
  const { organisationId } = route.useParams();
  const { view, unread } = route.useSearch();
  const navigate = route.useNavigate();
  const membership = useMembership(organisationId);
  useTitle('Notices', membership?.name);
  const show = (search: NoticesSearch): void => void navigate({ search, replace: true });
  const views = (
    <SegmentedControl
      aria-label="View"
      data={['List', 'Settings']}
      value={view === 'settings' ? 'Settings' : 'List'}
      onChange={(value) => show(value === 'Settings' ? { view: 'settings' } : {})}
    />
  );
  return (
    <Container size={960} py="xl">
      <Stack gap="lg">
        <SectionHead title="Notices" order={1} action={views}>
          Notices about keys, endpoints, rules, live access and the upstream API. They are kept for 90 days.
        </SectionHead>
        {view === 'settings' ? (
          <NoticeSettings organisationId={organisationId} role={membership?.role} />
        ) : (
          <>
            <SegmentedControl
              aria-label="Notice state"
              w="fit-content"
              data={['All', 'Unread']}
              value={unread ? 'Unread' : 'All'}
              onChange={(value) => show(value === 'Unread' ? { unread: true } : {})}
            />
            <DecisionList organisationId={organisationId} role={membership?.role} isUnreadOnly={unread === true} />
            <NoticeList organisationId={organisationId} unread={unread} />
          </>
        )}
      </Stack>
    </Container>
  );
}

interface NoticeSettingsProps {
  organisationId: string;
  role: Role | undefined;
}

function NoticeSettings({ organisationId, role }: NoticeSettingsProps): ReactNode {
  const { isPending } = useNoticeMailSettings(organisationId);
  return (
    <>
      <MailSettings organisationId={organisationId} />
      <HiddenUntilKnown isKnown={!isPending}>
        <Destinations organisationId={organisationId} role={role} />
      </HiddenUntilKnown>
    </>
  );
}

interface NoticeListProps {
  organisationId: string;
  /** Undefined: all notices. */
  unread: true | undefined;
}

function NoticeList({ organisationId, unread }: NoticeListProps): ReactNode {
  const notices = useNotices(organisationId, unread ? { unread } : {});
  const read = useReadNotice(organisationId);
  const membership = useMembership(organisationId);
  const { decisions, unread: unreadDecisions } = useDecisions(organisationId);
  const isAlone = (unread ? unreadDecisions : decisions).length === 0;
  return (
    <>
      {notices.error && <ProblemAlert error={notices.error} onRetry={() => void notices.refetch()} />}
      {read.error && <ProblemAlert error={read.error} />}
      {notices.isPending && <RowsSkeleton rows={3} height={40} />}
      {notices.items?.length === 0 && isAlone && (
        <EmptyList icon={<IconBell aria-hidden />} title={unread ? 'No unread notices' : 'No notices'}>
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
    </>
  );
}
