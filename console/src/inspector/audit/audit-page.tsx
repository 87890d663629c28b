// The audit log of an organisation, for the Console and each environment: actor, action, target, address and time.
import { Group, Stack } from '@mantine/core';
import { IconFilterOff, IconListSearch, IconLock } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMembership } from '../../identity/session/use-session.ts';
import { type AuditEntry, api } from '../../kit/api.ts';
import { EmptyList, LoadMore, RowsSkeleton } from '../../kit/list-states.tsx';
import { PollStatus } from '../../kit/live-status.tsx';
import { Panel, SectionHead } from '../../kit/panel.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { queryKeys } from '../../kit/query-keys.ts';
import { useIsPermitted, useRefusalReason } from '../../kit/roles.ts';
import { POLL_EVERY_MS, usePages } from '../../kit/use-pages.ts';
import { useTitle } from '../../kit/use-title.ts';
import { WidePage } from '../../kit/wide-page.tsx';
import { AuditDrawer } from './audit-drawer.tsx';
import { AuditExport } from './audit-export.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { toAuditSearch, toFilter } from './search.ts';

const route = getRouteApi('/shell/organisations/$organisationId/audit');
const PAGE = 50;

export function AuditPage(): ReactNode {
  const { organisationId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const membership = useMembership(organisationId);
  const may = useIsPermitted(membership?.role, 'audit.read');
  const reason = useRefusalReason(membership?.role, 'audit.read');
  useTitle('Audit log', membership?.name);
  const filter = toFilter(search);
  const log = usePages<AuditEntry>({
    queryKey: [...queryKeys.auditLog(organisationId), filter],
    load: (cursor, signal) => api.listAuditLog({ organisationId, ...filter, limit: PAGE, ...cursor }, { signal }),
    refetchInterval: POLL_EVERY_MS,
    isWanted: may === true,
  });
  return (
    <WidePage py="xl">
      <Stack>
        <SectionHead
          title={`Audit log of ${membership?.name ?? '…'}`}
          order={1}
          action={
            may && (
              <Group>
                <PollStatus reads={[log]} />
                <AuditExport organisationId={organisationId} filter={filter} />
              </Group>
            )
          }
        >
          All actions in the Console and in each environment, with actor, target, address and time. Entries are chained,
          so a changed or removed entry is detected.
        </SectionHead>
        {may === undefined && <RowsSkeleton rows={10} height={14} />}
        {may === false && (
          <EmptyList icon={<IconLock aria-hidden />} title="Your role cannot read the audit log">
            {reason}
          </EmptyList>
        )}
        {may && (
          <>
            <AuditFilters
              organisationId={organisationId}
              search={search}
              onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
            />
            <AuditList
              organisationId={organisationId}
              log={log}
              isFiltered={Object.keys(filter).length > 0}
              entryId={search.entry}
              onOpen={(entry) => void navigate({ search: toAuditSearch({ ...search, entry }), resetScroll: false })}
            />
          </>
        )}
      </Stack>
    </WidePage>
  );
}

interface AuditListProps {
  organisationId: string;
  log: ReturnType<typeof usePages<AuditEntry>>;
  isFiltered: boolean;
  /** Entry whose drawer is open. */
  entryId: string | undefined;
  onOpen: (entryId: string | undefined) => void;
}

function AuditList({ organisationId, log, isFiltered, entryId, onOpen }: AuditListProps): ReactNode {
  return (
    <>
      {log.error && <ProblemAlert error={log.error} onRetry={() => void log.refetch()} />}
      {log.isPending && <RowsSkeleton rows={10} height={14} />}
      {log.items?.length === 0 && <NoEntries isFiltered={isFiltered} />}
      {log.items && log.items.length > 0 && (
        <Panel>
          <AuditTable organisationId={organisationId} entries={log.items} onOpen={({ id }) => onOpen(id)} />
          <LoadMore {...log} />
        </Panel>
      )}
      <AuditDrawer
        organisationId={organisationId}
        entryId={entryId}
        listed={log.items ?? []}
        onClose={() => onOpen(undefined)}
      />
    </>
  );
}

function NoEntries({ isFiltered }: { isFiltered: boolean }): ReactNode {
  return isFiltered ? (
    <EmptyList icon={<IconFilterOff aria-hidden />} title="No entry matches these filters">
      Remove a filter, or search a longer time.
    </EmptyList>
  ) : (
    <EmptyList icon={<IconListSearch aria-hidden />} title="No entries yet">
      The first change in this organisation appears here.
    </EmptyList>
  );
}
