// Overview of a production app: its rights, and its summary.
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { OtherEnvironmentLink } from '../../governance/live-access/other-environment-link.tsx';
import { LiveAccessStatusPanel } from '../../governance/live-access/status-panel.tsx';
import { useLiveAccess } from '../../governance/live-access/use-live-access.ts';
import type { AppScope } from '../../kit/api.ts';
import { HiddenUntilKnown, RowsSkeleton } from '../../kit/list-states.tsx';
import { ProblemAlert } from '../../kit/problem-alert.tsx';
import { EventScopesSection } from '../event-scopes/event-scopes-section.tsx';
import { useEventScopes } from '../event-scopes/use-event-scopes.ts';
import { RecentActivity } from './recent-activity.tsx';

export function ProductionOverview({ scope }: { scope: AppScope }): ReactNode {
  const access = useLiveAccess(scope);
  const rule = useEventScopes(scope);
  return (
    <Stack gap="xl">
      {access.error && <ProblemAlert error={access.error} onRetry={() => void access.refetch()} />}
      {access.isPending && <RowsSkeleton rows={2} />}
      {access.data && (
        <LiveAccessStatusPanel
          access={access.data}
          action={<OtherEnvironmentLink organisationId={scope.organisationId} appId={access.data.appId} />}
        />
      )}
      <HiddenUntilKnown isKnown={!rule.isPending}>
        <Stack gap="xl">
          <EventScopesSection scope={scope} />
          <RecentActivity scope={scope} />
        </Stack>
      </HiddenUntilKnown>
    </Stack>
  );
}
