// Overview of a production app: its rights, and its summary.
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ElsewhereLink } from '../../governance/live-access/elsewhere-link.tsx';
import { StandingPanel } from '../../governance/live-access/standing-panel.tsx';
import { useLiveAccess } from '../../governance/live-access/use-live-access.ts';
import type { AppScope } from '../../kit/api.ts';
import { Beneath, RowsSkeleton } from '../../kit/list-states.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { EventScopesSection } from '../event-scopes/event-scopes-section.tsx';
import { useEventScopes } from '../event-scopes/use-event-scopes.ts';
import { Glance } from './glance.tsx';

export function ProductionOverview({ scope }: { scope: AppScope }): ReactNode {
  const access = useLiveAccess(scope);
  const rule = useEventScopes(scope);
  return (
    <Stack gap="xl">
      {access.error && <ProblemAlert error={access.error} onRetry={() => void access.refetch()} />}
      {access.isPending && <RowsSkeleton rows={2} />}
      {access.data && (
        <StandingPanel
          access={access.data}
          action={<ElsewhereLink organisationId={scope.organisationId} appId={access.data.appId} />}
        />
      )}
      <Beneath isKnown={!rule.isPending}>
        <Stack gap="xl">
          <EventScopesSection scope={scope} />
          <Glance scope={scope} />
        </Stack>
      </Beneath>
    </Stack>
  );
}
